// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_volume.h"

#include <algorithm>

namespace cuimg {
namespace {

class BlockReader {
 public:
  BlockReader(TiffHandle& tiff, std::span<const std::byte> file, const TiffSamples& samples,
              const PutBand& put)
      : tiff_(tiff),
        file_(file),
        samples_(samples),
        put_(put),
        width_(tiff.field<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0)),
        height_(tiff.field<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0)) {
    TIFF* t = tiff.get();
    const bool is_tiled = TIFFIsTiled(t) != 0;
    columns_ = is_tiled ? tiff.field<std::uint32_t>(TIFFTAG_TILEWIDTH, 0) : width_;
    rows_ = is_tiled ? tiff.field<std::uint32_t>(TIFFTAG_TILELENGTH, 0)
                     : std::min<std::int64_t>(
                           tiff.field<std::uint32_t>(TIFFTAG_ROWSPERSTRIP, UINT32_MAX), height_);
    row_bytes_ = is_tiled ? TIFFTileRowSize64(t) : TIFFScanlineSize64(t);
    constexpr std::uint64_t largest = std::uint64_t{1} << 30;
    if (columns_ < 1 || rows_ < 1 || row_bytes_ > largest / static_cast<std::uint64_t>(rows_) ||
        row_bytes_ < samples.stored_bytes(static_cast<std::size_t>(columns_), stored()))
      tiff.fail("strips or tiles of an unexpected size");
    is_tiled_ = is_tiled;
  }

  void read(const std::vector<TiffBlock>& blocks) {
    const std::size_t pixel = static_cast<std::size_t>(samples_.channels) * bytes_of(samples_.type);
    const std::size_t stride = static_cast<std::size_t>(width_) * pixel;
    std::vector<std::byte> band(stride * static_cast<std::size_t>(std::min(rows_, height_)));
    std::uint32_t block = 0;
    for (std::int64_t y = 0; y < height_; y += rows_) {
      const std::int64_t rows = std::min(rows_, height_ - y);
      for (std::int64_t x = 0; x < width_; x += columns_, ++block) {
        // The last strip may be shorter, tiles are always whole.
        decode(block, blocks.at(block), is_tiled_ ? rows_ : rows);
        const auto columns = static_cast<std::size_t>(std::min(columns_, width_ - x));
        for (std::int64_t i = 0; i < rows; ++i) {
          const std::byte* const row = &pixels_[static_cast<std::size_t>(i) * row_bytes_];
          samples_.sum_up(row, columns, stored(), 0, static_cast<int>(y + i),
                          static_cast<std::size_t>(x));
          samples_.convert(
              row, columns, stored(), 0,
              &band[stride * static_cast<std::size_t>(i) + static_cast<std::size_t>(x) * pixel]);
        }
      }
      put_(static_cast<int>(y), static_cast<int>(rows), band.data());
    }
  }

 private:
  std::size_t stored() const { return samples_.channel_of.size(); }

  void decode(std::uint32_t number, const TiffBlock& block, std::int64_t rows) {
    if (block.at > file_.size() || block.bytes > file_.size() - block.at)
      tiff_.fail("a strip or tile goes past the file's end");
    // libtiff may change the bytes.
    const auto from = file_.subspan(block.at, block.bytes);
    bytes_.assign(from.begin(), from.end());
    pixels_.resize(static_cast<std::size_t>(rows) * row_bytes_);
    tiff_.check(TIFFReadFromUserBuffer(tiff_.get(), number, bytes_.data(),
                                       static_cast<tmsize_t>(bytes_.size()), pixels_.data(),
                                       static_cast<tmsize_t>(pixels_.size())) != 0,
                "a strip or tile cannot be read");
  }

  TiffHandle& tiff_;
  const std::span<const std::byte> file_;
  const TiffSamples& samples_;
  const PutBand& put_;
  const std::int64_t width_, height_;
  std::int64_t columns_ = 0, rows_ = 0;  // of a block
  std::uint64_t row_bytes_ = 0;
  bool is_tiled_ = false;
  std::vector<std::byte> bytes_, pixels_;  // of one block, as stored and decompressed
};

}  // namespace

void read_tiff_blocks(TiffHandle& tiff, std::span<const std::byte> file,
                      const std::vector<TiffBlock>& blocks, const TiffSamples& samples,
                      const PutBand& put) {
  BlockReader(tiff, file, samples, put).read(blocks);
}

}  // namespace cuimg
