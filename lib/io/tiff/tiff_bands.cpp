// SPDX-License-Identifier: Apache-2.0
// libtiff decompresses blocks; TiffSamples converts every sample.
#include "io/tiff/tiff_bands.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace cuimg {
namespace {

class BandReader {
 public:
  BandReader(TiffHandle& tiff, const TiffSamples& samples, const PutBand& put)
      : tiff_(tiff),
        samples_(samples),
        put_(put),
        width_(tiff.field<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0)),
        height_(tiff.field<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0)),
        separate_(tiff_planes_apart(tiff)) {}

  void read_strips() {
    TIFF* t = tiff_.get();
    const auto width = static_cast<std::size_t>(width_);
    const std::size_t stride = width * out_pixel();
    const int height = static_cast<int>(height_);
    std::vector<std::byte> line(static_cast<std::size_t>(TIFFScanlineSize64(t)));
    if (line.size() < samples_.stored_bytes(width, plane_samples()))
      tiff_.fail("scanlines shorter than the picture is wide");
    // With separate planes: whole strips of each plane are read before the next one.
    const auto strip_rows = std::min<std::int64_t>(
        tiff_.field<std::uint32_t>(TIFFTAG_ROWSPERSTRIP, UINT32_MAX), height_);
    const int band_rows = separate_ ? static_cast<int>(std::max<std::int64_t>(strip_rows, 1)) : 16;
    std::vector<std::byte> band(stride * static_cast<std::size_t>(std::min(band_rows, height)));
    for (int y = 0; y < height; y += band_rows) {
      const int rows = std::min(band_rows, height - y);
      for (std::size_t plane = 0; plane < planes(); ++plane) {
        if (is_left_out(plane)) continue;
        for (int i = 0; i < rows; ++i) {
          tiff_.check(TIFFReadScanline(t, line.data(), static_cast<std::uint32_t>(y + i),
                                       static_cast<std::uint16_t>(plane)) >= 0,
                      "a scanline cannot be read");
          samples_.sum_up(line.data(), width, plane_samples(), plane, y + i, 0);
          samples_.convert(line.data(), width, plane_samples(), plane,
                           band.data() + stride * static_cast<std::size_t>(i));
        }
      }
      put_(y, rows, band.data());
    }
  }

  void read_tiles() {
    TIFF* t = tiff_.get();
    const auto tile_width =
        static_cast<std::int64_t>(tiff_.field<std::uint32_t>(TIFFTAG_TILEWIDTH, 0));
    const auto tile_height =
        static_cast<std::int64_t>(tiff_.field<std::uint32_t>(TIFFTAG_TILELENGTH, 0));
    const std::uint64_t tile_bytes = TIFFTileSize64(t), tile_row = TIFFTileRowSize64(t);
    constexpr std::uint64_t largest = std::uint64_t{1} << 30;
    if (tile_width < 1 || tile_height < 1 || tile_bytes == 0 || tile_bytes > largest ||
        tile_row < samples_.stored_bytes(static_cast<std::size_t>(tile_width), plane_samples()))
      tiff_.fail("tiles of " + std::to_string(tile_width) + "x" + std::to_string(tile_height));
    const std::size_t stride = static_cast<std::size_t>(width_) * out_pixel();
    std::vector<std::byte> tile(static_cast<std::size_t>(tile_bytes));
    std::vector<std::byte> band(stride * static_cast<std::size_t>(std::min(tile_height, height_)));
    for (std::int64_t y = 0; y < height_; y += tile_height) {
      const std::int64_t rows = std::min(tile_height, height_ - y);
      for (std::int64_t x = 0; x < width_; x += tile_width) {
        const auto columns = static_cast<std::size_t>(std::min(tile_width, width_ - x));
        for (std::size_t plane = 0; plane < planes(); ++plane) {
          if (is_left_out(plane)) continue;
          tiff_.check(TIFFReadTile(t, tile.data(), static_cast<std::uint32_t>(x),
                                   static_cast<std::uint32_t>(y), 0,
                                   static_cast<std::uint16_t>(plane)) >= 0,
                      "a tile cannot be read");
          for (std::int64_t i = 0; i < rows; ++i) {
            const std::byte* const row = tile.data() + tile_row * static_cast<std::uint64_t>(i);
            samples_.sum_up(row, columns, plane_samples(), plane, static_cast<int>(y + i),
                            static_cast<std::size_t>(x));
            samples_.convert(row, columns, plane_samples(), plane,
                             band.data() + stride * static_cast<std::size_t>(i) +
                                 static_cast<std::size_t>(x) * out_pixel());
          }
        }
      }
      put_(static_cast<int>(y), static_cast<int>(rows), band.data());
    }
  }

 private:
  std::size_t planes() const { return separate_ ? samples_.channel_of.size() : 1; }
  std::size_t plane_samples() const { return separate_ ? 1 : samples_.channel_of.size(); }
  bool is_left_out(std::size_t plane) const { return separate_ && samples_.channel_of[plane] < 0; }
  std::size_t out_pixel() const {
    return static_cast<std::size_t>(samples_.channels) * bytes_of(samples_.type);
  }

  TiffHandle& tiff_;
  const TiffSamples& samples_;
  const PutBand& put_;
  std::int64_t width_, height_;
  bool separate_;
};

}  // namespace

bool tiff_planes_apart(const TiffHandle& tiff) {
  return tiff.field<std::uint16_t>(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) ==
         PLANARCONFIG_SEPARATE;
}

void read_tiff_bands(TiffHandle& tiff, const TiffSamples& samples, const PutBand& put) {
  BandReader reader(tiff, samples, put);
  if (TIFFIsTiled(tiff.get()))
    reader.read_tiles();
  else
    reader.read_strips();
}

void read_tiff_as_rgb(TiffHandle& tiff, const PutBand& put) {
  TIFF* t = tiff.get();
  // Its raster is the whole picture; the caller turns it, not libtiff.
  TIFFSetField(t, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  const auto width = tiff.field<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0);
  const auto height = tiff.field<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0);
  std::vector<std::uint32_t> raster(std::size_t{width} * height);
  tiff.check(
      TIFFReadRGBAImageOriented(t, width, height, raster.data(), ORIENTATION_TOPLEFT, 1) != 0,
      "the pixels cannot be read");
  std::vector<std::byte> row(std::size_t{3} * width);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const std::uint32_t abgr = raster[y * width + x];
      row[3 * x] = static_cast<std::byte>(TIFFGetR(abgr));
      row[3 * x + 1] = static_cast<std::byte>(TIFFGetG(abgr));
      row[3 * x + 2] = static_cast<std::byte>(TIFFGetB(abgr));
    }
    put(static_cast<int>(y), 1, row.data());
  }
}

}  // namespace cuimg
