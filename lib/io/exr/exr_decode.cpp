// SPDX-License-Identifier: Apache-2.0
// Reading OpenEXR: scanlines and tiles decode straight into the image's interleaved rows.
#include <OpenEXR/ImfFloatAttribute.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfTiledInputPart.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "io/exr/exr_chunks.h"
#include "io/exr/exr_file.h"
#include "io/exr/exr_layout.h"
#include "io/exr/exr_luminance_chroma.h"
#include "io/exr/exr_support.h"
#include "io/flat_image.h"

namespace cuimg {
namespace {

// A channel stored at every n-th pixel only, before it is repeated to full size.
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

 private:
  void open() {
    file_->refuse_deep(part_);
    layout_ = exr_layout(source(), header(), file_->header(0), file_->options());
    check_plausible(source(), header());
    gather_facts();
    const auto check_and_choose = [&](const Imf::TiledInputPart* tiled) {
      file_->check_only_part(chunk_count(tiled));
      choose_level(tiled);
    };
    if (!header().hasTileDescription()) return check_and_choose(nullptr);
    file_->use([&](Imf::MultiPartInputFile& file) {
      const Imf::TiledInputPart tiled(file, part_);
      check_and_choose(&tiled);
    });
  }

  std::uint64_t chunk_count(const Imf::TiledInputPart* tiled) const {
    if (tiled == nullptr) {
      const auto rows = static_cast<std::uint64_t>(layout_.spec.data_window.height);
      const auto chunk = static_cast<std::uint64_t>(exr_chunk_rows(header().compression()));
      return (rows + chunk - 1) / chunk;
    }
    return exr_tile_count(*tiled, header().tileDescription().mode == Imf::RIPMAP_LEVELS);
  }

  void choose_level(const Imf::TiledInputPart* tiled) {
    const int level = file_->options().mip_level;
    const int levels = tiled != nullptr ? std::min(tiled->numXLevels(), tiled->numYLevels()) : 1;
    facts_["levels"] = std::int64_t{levels};
    // A level that is read by itself is a picture without levels.
    if (tiled != nullptr && level == 0 && tiled->levelMode() == Imf::MIPMAP_LEVELS)
      layout_.spec.storage.levels = levels;
    if (tiled != nullptr && tiled->levelMode() == Imf::RIPMAP_LEVELS)
      note_rip_levels(*tiled, level);
    if (level < 0 || level >= levels)
      throw Error(source().name(), "mip level " + std::to_string(level) + " does not exist",
                  levels == 1 ? "the file has level 0 only"
                              : "the file has levels 0 to " + std::to_string(levels - 1));
    if (level == 0) return;
    Spec& spec = layout_.spec;
    const Rect data = spec.data_window, display = spec.display_window;
    const Rect small = rect_of(tiled->dataWindowForLevel(level, level));
    spec.data_window = small;
    if (display == data) {
      spec.display_window = small;
    } else {
      const auto scaled = [&](int offset) { return offset >> level; };  // rounds down
      spec.display_window = {
          data.x + scaled(display.x - data.x), data.y + scaled(display.y - data.y),
          std::max(1, scaled(display.width)), std::max(1, scaled(display.height))};
    }
  }

  // Those that are narrower or lower than they were, each by itself, have no number here.
  void note_rip_levels(const Imf::TiledInputPart& tiled, int level) {
    const std::string levels =
        std::to_string(tiled.numXLevels()) + "x" + std::to_string(tiled.numYLevels());
    facts_["rip levels"] = levels;
    if (level == 0 && levels != "1x1")
      tell(file_->options(), source(),
           "a rip map of " + levels + " levels; only the first is read");
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
      facts_["tile size"] = std::to_string(tile.xSize) + "x" + std::to_string(tile.ySize);
      storage.tile_width = static_cast<int>(tile.xSize);
      storage.tile_height = static_cast<int>(tile.ySize);
      storage.rounds_up = tile.roundingMode == Imf::ROUND_UP;
    }
    if (layout_.luminance_chroma_layer >= 0) facts_["luminance-chroma"] = std::string("yes");
  }

  void read_scanlines(Imf::InputPart& part, Image& image, RowProgress& progress) {
    const Rect window = layout_.spec.data_window;
    const int threads = exr_worth_threads(file_->threads(), layout_.spec.pixel_bytes());
    if (layout_.luminance_chroma_layer < 0 &&
        read_exr_chunks(part, source().name(), layout_, threads, image, progress))
      return;
    exr_start_pool(threads);
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
    const int level = file_->options().mip_level;
    exr_start_pool(exr_worth_threads(file_->threads(), layout_.spec.pixel_bytes()));
    std::vector<SparsePlane> none;  // tiled files have no subsampled channels
    Imf::FrameBuffer buffer = frame_buffer(image, none);
    const std::unique_ptr<ExrLuminanceChroma> chroma = luminance_chroma(image, buffer);
    part.setFrameBuffer(buffer);
    const int across = part.numXTiles(level), down = part.numYTiles(level);
    const int tile_rows = static_cast<int>(part.tileYSize());
    // Enough tiles at a time to keep every thread busy.
    const int wanted = std::max({1, 4 * file_->threads() / across, 64 / tile_rows});
    for (int row = 0; row < down; row += wanted) {
      const int last = std::min(row + wanted, down) - 1;
      part.readTiles(0, across - 1, row, last, level, level);
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
  Metadata facts_;
};

}  // namespace

std::unique_ptr<Decoder> open_exr_part(std::shared_ptr<ExrFile> file, int part) {
  return std::make_unique<ExrDecoder>(std::move(file), part);
}

}  // namespace cuimg
