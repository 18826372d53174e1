// SPDX-License-Identifier: Apache-2.0
// Reads OpenEXR: scanlines and tiles are decoded directly into the image's interleaved rows.
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFloatAttribute.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfTiledInputPart.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/message_text.h"
#include "io/exr/exr_chunks.h"
#include "io/exr/exr_file.h"
#include "io/exr/exr_layout.h"
#include "io/exr/exr_luminance_chroma.h"
#include "io/exr/exr_support.h"
#include "io/flat_image.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

// A channel that is stored only at every n-th pixel, before it is repeated to full size.
struct SparsePlane {
  const ExrChannel* channel;
  int columns;
  std::vector<std::byte> pixels;
};

int floor_div(int a, int b) { return a / b - (a % b < 0 ? 1 : 0); }

// Repeats each stored value over the pixels up to the next one.
void spread(const SparsePlane& plane, Image& image, int y) {
  const ExrChannel& channel = *plane.channel;
  const Rect window = image.spec().data_window;
  const LayerSpec& layer = image.spec().layer(channel.layer);
  const std::size_t bytes = bytes_of(layer.type), pixel = layer.pixel_bytes();
  const int row = floor_div(y, channel.y_sampling) - floor_div(window.y, channel.y_sampling);
  const std::byte* from =
      plane.pixels.data() + bytes * static_cast<std::size_t>(plane.columns) * std::size_t(row);
  std::byte* to = image.row(channel.layer, y) + bytes * static_cast<std::size_t>(channel.index);
  for (int x = 0; x < window.width; ++x, to += pixel)
    std::memcpy(to, from + bytes * static_cast<std::size_t>(x / channel.x_sampling), bytes);
}

class ExrDecoder final : public Decoder {
 public:
  ExrDecoder(std::shared_ptr<ExrFile> file, int part) : file_(std::move(file)), part_(part) {
    translating_exr_errors(source().name(), [&] { open(); });
  }
  // For another level of the picture.
  ExrDecoder(const ExrDecoder& picture, LevelId level)
      : file_(picture.file_), part_(picture.part_), layout_(picture.layout_of_pixels()) {
    translating_exr_errors(source().name(), [&] {
      with_tiles([&](const Imf::TiledInputPart* tiled) { choose_level(tiled, level); });
    });
  }

  const Spec& spec() const override { return layout_.spec; }
  Metadata file_facts() const override { return facts_; }
  void read(Image& image, RowProgress& progress) override {
    translating_exr_errors(source().name(), [&] {
      file_->use([&](Imf::MultiPartInputFile& file) {
        if (header().hasTileDescription()) {
          Imf::TiledInputPart part(file, part_);
          read_tiles(part, image, progress);
        } else {
          Imf::InputPart part(file, part_);
          read_scanlines(part, image, progress);
        }
      });
    });
    progress.finish();
  }
  std::unique_ptr<Decoder> open_level(LevelId level) const override {
    return std::make_unique<ExrDecoder>(*this, level);
  }

 private:
  void open() {
    file_->refuse_deep(part_);
    layout_ = exr_layout(source(), header(), file_->header(0), file_->options());
    check_plausible(source(), header());
    gather_facts();
    with_tiles([&](const Imf::TiledInputPart* tiled) {
      file_->check_only_part(chunk_count(tiled));
      count_levels(tiled);
      const int level = file_->options().mip_level;
      choose_level(tiled, {level, level});
    });
  }

  // Calls use(const Imf::TiledInputPart*), null for scanlines.
  template <class Use>
  void with_tiles(const Use& use) {
    if (!header().hasTileDescription()) return use(nullptr);
    file_->use([&](Imf::MultiPartInputFile& file) {
      const Imf::TiledInputPart tiled(file, part_);
      use(&tiled);
    });
  }

  // Without metadata: there may be hundreds of levels.
  ExrLayout layout_of_pixels() const {
    ExrLayout layout;
    layout.channels = layout_.channels;
    layout.luminance_chroma_layer = layout_.luminance_chroma_layer;
    layout.spec.data_window = layout_.spec.data_window;
    layout.spec.display_window = layout_.spec.display_window;
    layout.spec.pixel_aspect = layout_.spec.pixel_aspect;
    layout.spec.color = layout_.spec.color;
    layout.spec.layers = layout_.spec.layers;
    return layout;
  }

  std::uint64_t chunk_count(const Imf::TiledInputPart* tiled) const {
    if (tiled == nullptr) {
      const auto rows = static_cast<std::uint64_t>(layout_.spec.data_window.height);
      return ceil_div(rows, static_cast<std::uint64_t>(exr_chunk_rows(header().compression())));
    }
    return exr_tile_count(*tiled, header().tileDescription().mode == Imf::RIPMAP_LEVELS);
  }

  void count_levels(const Imf::TiledInputPart* tiled) {
    const int across = tiled != nullptr ? tiled->numXLevels() : 1;
    const int down = tiled != nullptr ? tiled->numYLevels() : 1;
    facts_["levels"] = std::int64_t{std::min(across, down)};
    if (tiled == nullptr || tiled->levelMode() == Imf::ONE_LEVEL) return;
    FileStorage& storage = layout_.spec.storage;
    if (tiled->levelMode() == Imf::MIPMAP_LEVELS) {
      storage.levels = across;
    } else {
      storage.rip_across = across;
      storage.rip_down = down;
      facts_["rip levels"] = size_text(across, down);
    }
  }

  void choose_level(const Imf::TiledInputPart* tiled, LevelId level) {
    if (level == LevelId{}) return;
    if (tiled == nullptr) refuse_level(source(), level, 1);
    if (!tiled->isValidLevel(level.across, level.down))
      refuse_level(source(), level, std::min(tiled->numXLevels(), tiled->numYLevels()));
    level_ = level;
    Spec& spec = layout_.spec;
    // A level that is read separately is a picture without levels.
    spec.storage.levels = spec.storage.rip_across = spec.storage.rip_down = 1;
    const Rect data = spec.data_window, display = spec.display_window;
    spec.data_window = rect_of(tiled->dataWindowForLevel(level.across, level.down));
    if (display == data) {
      spec.display_window = spec.data_window;
    } else {  // rounded down
      spec.display_window = {data.x + ((display.x - data.x) >> level.across),
                             data.y + ((display.y - data.y) >> level.down),
                             std::max(1, display.width >> level.across),
                             std::max(1, display.height >> level.down)};
    }
  }

  void gather_facts() {
    facts_["compression"] = std::string(exr_compression_name(header().compression()));
    FileStorage& storage = layout_.spec.storage;
    storage.format = "exr";
    storage.compression = exr_compression_name(header().compression());
    if (const auto* level = header().findTypedAttribute<Imf::FloatAttribute>("dwaCompressionLevel");
        level != nullptr && std::isfinite(level->value()) && level->value() >= 0)
      storage.dwa_level = level->value();
    facts_["storage"] = std::string(header().hasTileDescription() ? "tiles" : "scanlines");
    if (header().hasTileDescription()) {
      const Imf::TileDescription& tile = header().tileDescription();
      facts_["tile size"] = size_text(tile.xSize, tile.ySize);
      storage.tile_width = static_cast<int>(tile.xSize);
      storage.tile_height = static_cast<int>(tile.ySize);
      storage.rounds_up = tile.roundingMode == Imf::ROUND_UP;
    }
    if (layout_.luminance_chroma_layer < 0) return;
    facts_["luminance-chroma"] = std::string("yes");
    const Imf::ChannelList& channels = header().channels();
    const auto is_float = [&](const char* name) {
      const Imf::Channel* const channel = channels.findChannel(name);
      return channel != nullptr && channel->type == Imf::FLOAT;
    };
    if (is_float("Y") || is_float("RY") || is_float("BY"))
      warn(file_->options(), source(), "luminance and chroma of floats are read as RGB of halves");
    else if (is_float("A"))
      warn(file_->options(), source(),
           "alpha of floats is read as halves, with RGB from luminance and chroma");
    else
      tell(file_->options(), source(), "luminance and chroma are read as RGB");
  }

  void read_scanlines(Imf::InputPart& part, Image& image, RowProgress& progress) {
    const Rect window = layout_.spec.data_window;
    const int threads = exr_worth_threads(file_->threads(), layout_.spec.pixel_bytes());
    if (layout_.luminance_chroma_layer < 0 &&
        read_exr_chunks(part, source().name(), layout_, threads, image, progress))
      return;
    const ExrPoolThreads pool(ExrUse::decode, threads);
    std::vector<SparsePlane> sparse;
    Imf::FrameBuffer buffer = frame_buffer(image, sparse);
    const std::unique_ptr<ExrLuminanceChroma> chroma = luminance_chroma(image, buffer);
    part.setFrameBuffer(buffer);

    const int block = exr_block_rows(part.header().compression(), file_->threads());
    for (int y = window.y; y < window.bottom(); y += std::min(block, window.bottom() - y)) {
      const int last = y + std::min(block, window.bottom() - y) - 1;
      part.readPixels(y, last);
      for (const SparsePlane& plane : sparse)
        for (int row = y; row <= last; ++row) spread(plane, image, row);
      const int rows = last + 1 - window.y;
      progress.advance(chroma ? chroma->convert(rows) : rows);
    }
  }

  void read_tiles(Imf::TiledInputPart& part, Image& image, RowProgress& progress) {
    const ExrPoolThreads pool(ExrUse::decode,
                              exr_worth_threads(file_->threads(), layout_.spec.pixel_bytes()));
    std::vector<SparsePlane> none;  // tiled files have no subsampled channels
    Imf::FrameBuffer buffer = frame_buffer(image, none);
    const std::unique_ptr<ExrLuminanceChroma> chroma = luminance_chroma(image, buffer);
    part.setFrameBuffer(buffer);
    const int across = part.numXTiles(level_.across), down = part.numYTiles(level_.down);
    const int tile_rows = static_cast<int>(part.tileYSize());
    // Enough tiles at a time to occupy every thread.
    const int wanted = std::max({1, 4 * file_->threads() / across, 64 / tile_rows});
    for (int row = 0; row < down; row += wanted) {
      const int last = std::min(row + wanted, down) - 1;
      part.readTiles(0, across - 1, row, last, level_.across, level_.down);
      const auto rows = static_cast<int>(std::min<std::int64_t>(std::int64_t{last + 1} * tile_rows,
                                                                layout_.spec.data_window.height));
      progress.advance(chroma ? chroma->convert(rows) : rows);
    }
  }

  Imf::FrameBuffer frame_buffer(Image& image, std::vector<SparsePlane>& sparse) const {
    const Rect window = layout_.spec.data_window;
    Imf::FrameBuffer buffer;
    sparse.reserve(layout_.channels.size());
    for (const ExrChannel& channel : layout_.channels) {
      const LayerSpec& layer = layout_.spec.layer(channel.layer);
      const std::size_t bytes = bytes_of(layer.type);
      if (channel.x_sampling == 1 && channel.y_sampling == 1) {
        std::byte* first =
            image.row(channel.layer, window.y) + bytes * static_cast<std::size_t>(channel.index);
        buffer.insert(channel.name,
                      Imf::Slice::Make(channel.type, first, box_of(window), layer.pixel_bytes(),
                                       image.row_bytes(channel.layer)));
        continue;
      }
      const int columns = (window.width - 1) / channel.x_sampling + 1;
      const int rows = (window.height - 1) / channel.y_sampling + 1;
      const std::size_t stride = bytes * static_cast<std::size_t>(columns);
      sparse.push_back({&channel, columns, std::vector<std::byte>(stride * std::size_t(rows))});
      buffer.insert(channel.name,
                    Imf::Slice::Make(channel.type, sparse.back().pixels.data(), box_of(window),
                                     bytes, stride, channel.x_sampling, channel.y_sampling));
    }
    return buffer;
  }

  std::unique_ptr<ExrLuminanceChroma> luminance_chroma(Image& image,
                                                       Imf::FrameBuffer& buffer) const {
    if (layout_.luminance_chroma_layer < 0) return nullptr;
    auto chroma =
        std::make_unique<ExrLuminanceChroma>(header(), image, layout_.luminance_chroma_layer);
    chroma->add_to(buffer);
    return chroma;
  }

  const ByteSource& source() const { return file_->source(); }
  const Imf::Header& header() const { return file_->header(part_); }

  const std::shared_ptr<ExrFile> file_;
  const int part_;
  ExrLayout layout_;
  LevelId level_;
  Metadata facts_;
};

}  // namespace

std::unique_ptr<Decoder> open_exr_part(std::shared_ptr<ExrFile> file, int part) {
  return std::make_unique<ExrDecoder>(std::move(file), part);
}

}  // namespace cuimg
