// SPDX-License-Identifier: Apache-2.0
// Reading OpenEXR: scanlines and tiles decode straight into the image's interleaved rows.
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfTiledInputPart.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>

#include "base/error.h"
#include "io/exr/exr_codec.h"
#include "io/exr/exr_layout.h"
#include "io/exr/exr_luminance_chroma.h"
#include "io/exr/exr_stream.h"
#include "io/exr/exr_support.h"
#include "io/exr/exr_zip.h"

namespace cuimg {
namespace {

// The library's own limits are the process's; they act while a header is read.
void set_library_limits(const DecodeOptions& options) {
  static std::mutex mutex;
  static int current = 0;
  std::lock_guard lock(mutex);
  if (current == options.limit_side) return;
  current = options.limit_side;
  Imf::Header::setMaxImageSize(current, current);
  Imf::Header::setMaxTileSize(current, current);
}

// A channel stored at every n-th pixel only, before it is repeated to full size.
struct SparsePlane {
  const ExrChannel* channel;
  int columns;
  std::vector<std::byte> pixels;
};

bool is_deep(const Imf::Header& header) {
  return header.hasType() && Imf::isDeepData(header.type());
}

std::string name_of_part(const Imf::Header& header, int part) {
  return std::to_string(part) + (header.hasName() ? " '" + header.name() + "'" : "");
}

int floor_div(int a, int b) { return a / b - (a % b < 0 ? 1 : 0); }

class ExrDecoder final : public Decoder {
 public:
  ExrDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options);
  const Spec& spec() const override { return layout_.spec; }
  Metadata file_facts() const override { return facts_; }
  void read(Image& image, RowProgress& progress) override;

 private:
  void open();
  [[noreturn]] void refuse_deep_part() const;
  std::uint64_t chunk_count(const Imf::Header& header) const;
  void choose_level();
  void gather_facts(const Imf::Header& header);
  void read_scanlines(Image& image, RowProgress& progress);
  void read_tiles(Image& image, RowProgress& progress);
  Imf::FrameBuffer frame_buffer(Image& image, std::vector<SparsePlane>& sparse) const;
  std::unique_ptr<ExrLuminanceChroma> luminance_chroma(Image& image,
                                                       Imf::FrameBuffer& buffer) const;

  template <class Work>
  void translating_errors(Work work) {
    try {
      work();
    } catch (const Error&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw Error(source_->name(), "no memory for decoding it");
    } catch (const std::exception& error) {
      throw Error(source_->name(), "OpenEXR: " + exr_problem(error));
    }
  }

  std::shared_ptr<const ByteSource> source_;
  DecodeOptions options_;
  int threads_;
  ExrInput input_;
  std::unique_ptr<Imf::MultiPartInputFile> file_;
  std::unique_ptr<Imf::TiledInputPart> tiled_;
  ExrLayout layout_;
  Metadata facts_;
};

ExrDecoder::ExrDecoder(std::shared_ptr<const ByteSource> source, const DecodeOptions& options)
    : source_(std::move(source)),
      options_(options),
      threads_(exr_threads(options.threads)),
      input_(source_) {
  translating_errors([&] { open(); });
}

void ExrDecoder::open() {
  set_library_limits(options_);
  // The version field's bits for deep data and for several parts, which name their own types.
  const auto flags = std::to_integer<unsigned>(source_->bytes()[5]);
  if ((flags & 0x08) != 0 && (flags & 0x10) == 0)
    throw Error(source_->name(), "deep EXR is not supported", "flatten it first");
  const std::size_t chunk_tables = check_attributes(*source_);
  // Chunk tables are not rebuilt: a file without one was not finished.
  file_ = std::make_unique<Imf::MultiPartInputFile>(input_, threads_, false);
  const int parts = file_->parts();
  if (options_.part < 0 || options_.part >= parts)
    throw Error(source_->name(), "part " + std::to_string(options_.part) + " does not exist",
                parts == 1 ? "the file has part 0 only"
                           : "the file has parts 0 to " + std::to_string(parts - 1));
  const Imf::Header& header = file_->header(options_.part);
  if (is_deep(header)) refuse_deep_part();
  layout_ = exr_layout(*source_, header, options_);
  check_plausible(*source_, header);
  gather_facts(header);
  if (header.hasTileDescription())
    tiled_ = std::make_unique<Imf::TiledInputPart>(*file_, options_.part);
  check_chunks(*source_, *file_, chunk_count(header), chunk_tables);
  choose_level();
}

void ExrDecoder::refuse_deep_part() const {
  std::string flat;
  for (int part = 0; part < file_->parts(); ++part)
    if (!is_deep(file_->header(part)))
      flat += (flat.empty() ? "" : ", ") + name_of_part(file_->header(part), part);
  throw Error(source_->name(),
              "part " + name_of_part(file_->header(options_.part), options_.part) +
                  " is deep, which is not supported",
              flat.empty() ? "flatten it first" : "flatten it, or choose one with --part: " + flat);
}

std::uint64_t ExrDecoder::chunk_count(const Imf::Header& header) const {
  if (!tiled_) {
    const auto rows = static_cast<std::uint64_t>(layout_.spec.data_window.height);
    const auto chunk = static_cast<std::uint64_t>(exr_chunk_rows(header.compression()));
    return (rows + chunk - 1) / chunk;
  }
  const bool every_pair = header.tileDescription().mode == Imf::RIPMAP_LEVELS;
  std::uint64_t count = 0;
  for (int y = 0; y < tiled_->numYLevels(); ++y)
    for (int x = 0; x < tiled_->numXLevels(); ++x)
      if (every_pair || x == y)
        count += static_cast<std::uint64_t>(tiled_->numXTiles(x)) *
                 static_cast<std::uint64_t>(tiled_->numYTiles(y));
  return count;
}

void ExrDecoder::choose_level() {
  const int level = options_.mip_level;
  const int levels = tiled_ ? std::min(tiled_->numXLevels(), tiled_->numYLevels()) : 1;
  facts_["levels"] = std::int64_t{levels};
  if (level < 0 || level >= levels)
    throw Error(source_->name(), "mip level " + std::to_string(level) + " does not exist",
                levels == 1 ? "the file has level 0 only"
                            : "the file has levels 0 to " + std::to_string(levels - 1));
  if (level == 0) return;
  Spec& spec = layout_.spec;
  const Rect data = spec.data_window, display = spec.display_window;
  const Rect small = rect_of(tiled_->dataWindowForLevel(level, level));
  spec.data_window = small;
  if (display == data) {
    spec.display_window = small;
  } else {
    const auto scaled = [&](int offset) { return offset >> level; };  // rounds down
    spec.display_window = {data.x + scaled(display.x - data.x), data.y + scaled(display.y - data.y),
                           std::max(1, scaled(display.width)), std::max(1, scaled(display.height))};
  }
}

void ExrDecoder::gather_facts(const Imf::Header& header) {
  facts_["compression"] = std::string(exr_compression_name(header.compression()));
  facts_["parts"] = std::int64_t{file_->parts()};
  facts_["storage"] = std::string(header.hasTileDescription() ? "tiles" : "scanlines");
  if (header.hasName()) facts_["part name"] = header.name();
  if (header.hasTileDescription()) {
    const Imf::TileDescription& tile = header.tileDescription();
    facts_["tile size"] = std::to_string(tile.xSize) + "x" + std::to_string(tile.ySize);
  }
  if (layout_.luminance_chroma_layer >= 0) facts_["luminance-chroma"] = std::string("yes");
}

Imf::FrameBuffer ExrDecoder::frame_buffer(Image& image, std::vector<SparsePlane>& sparse) const {
  const Rect window = layout_.spec.data_window;
  Imf::FrameBuffer buffer;
  sparse.reserve(layout_.channels.size());
  for (const ExrChannel& channel : layout_.channels) {
    const LayerSpec& layer = layout_.spec.layers[static_cast<std::size_t>(channel.layer)];
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
                  Imf::Slice::Make(channel.type, sparse.back().pixels.data(), box_of(window), bytes,
                                   stride, channel.x_sampling, channel.y_sampling));
  }
  return buffer;
}

// Repeats each stored value over the pixels up to the next one.
void spread(const SparsePlane& plane, Image& image, int y) {
  const ExrChannel& channel = *plane.channel;
  const Rect window = image.spec().data_window;
  const LayerSpec& layer = image.spec().layers[static_cast<std::size_t>(channel.layer)];
  const std::size_t bytes = bytes_of(layer.type), pixel = layer.pixel_bytes();
  const int row = floor_div(y, channel.y_sampling) - floor_div(window.y, channel.y_sampling);
  const std::byte* from =
      plane.pixels.data() + bytes * static_cast<std::size_t>(plane.columns) * std::size_t(row);
  std::byte* to = image.row(channel.layer, y) + bytes * static_cast<std::size_t>(channel.index);
  for (int x = 0; x < window.width; ++x, to += pixel)
    std::memcpy(to, from + bytes * static_cast<std::size_t>(x / channel.x_sampling), bytes);
}

std::unique_ptr<ExrLuminanceChroma> ExrDecoder::luminance_chroma(Image& image,
                                                                 Imf::FrameBuffer& buffer) const {
  if (layout_.luminance_chroma_layer < 0) return nullptr;
  auto chroma = std::make_unique<ExrLuminanceChroma>(file_->header(options_.part), image,
                                                     layout_.luminance_chroma_layer);
  chroma->add_to(buffer);
  return chroma;
}

void ExrDecoder::read_scanlines(Image& image, RowProgress& progress) {
  const Rect window = layout_.spec.data_window;
  Imf::InputPart part(*file_, options_.part);
  const int threads = exr_worth_threads(threads_, layout_.spec.pixel_bytes());
  if (layout_.luminance_chroma_layer < 0 &&
      read_exr_zip(part, source_->name(), layout_, threads, image, progress))
    return;
  exr_start_pool(threads);
  std::vector<SparsePlane> sparse;
  Imf::FrameBuffer buffer = frame_buffer(image, sparse);
  const std::unique_ptr<ExrLuminanceChroma> chroma = luminance_chroma(image, buffer);
  part.setFrameBuffer(buffer);

  const int block = exr_block_rows(part.header().compression(), threads_);
  for (int y = window.y; y < window.bottom(); y += std::min(block, window.bottom() - y)) {
    const int last = y + std::min(block, window.bottom() - y) - 1;
    part.readPixels(y, last);
    for (const SparsePlane& plane : sparse)
      for (int row = y; row <= last; ++row) spread(plane, image, row);
    const int rows = last + 1 - window.y;
    progress.advance(chroma ? chroma->convert(rows) : rows);
  }
}

void ExrDecoder::read_tiles(Image& image, RowProgress& progress) {
  const int level = options_.mip_level;
  exr_start_pool(exr_worth_threads(threads_, layout_.spec.pixel_bytes()));
  std::vector<SparsePlane> none;  // tiled files have no subsampled channels
  Imf::FrameBuffer buffer = frame_buffer(image, none);
  const std::unique_ptr<ExrLuminanceChroma> chroma = luminance_chroma(image, buffer);
  tiled_->setFrameBuffer(buffer);
  const int across = tiled_->numXTiles(level), down = tiled_->numYTiles(level);
  const int tile_rows = static_cast<int>(tiled_->tileYSize());
  // Enough tiles at a time to keep every thread busy.
  const int wanted = std::max({1, 4 * threads_ / across, 64 / tile_rows});
  for (int row = 0; row < down; row += wanted) {
    const int last = std::min(row + wanted, down) - 1;
    tiled_->readTiles(0, across - 1, row, last, level, level);
    const auto rows = static_cast<int>(std::min<std::int64_t>(std::int64_t{last + 1} * tile_rows,
                                                              layout_.spec.data_window.height));
    progress.advance(chroma ? chroma->convert(rows) : rows);
  }
}

void ExrDecoder::read(Image& image, RowProgress& progress) {
  translating_errors([&] {
    if (tiled_)
      read_tiles(image, progress);
    else
      read_scanlines(image, progress);
  });
  progress.finish();
}

}  // namespace

std::unique_ptr<Decoder> open_exr(std::shared_ptr<const ByteSource> source,
                                  const DecodeOptions& options) {
  return std::make_unique<ExrDecoder>(std::move(source), options);
}

}  // namespace cuimg
