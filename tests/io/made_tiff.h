// SPDX-License-Identifier: Apache-2.0
// TIFF files made by libtiff itself, as other programs write them.
#pragma once

#include <tiffio.h>

#include <cstdio>
#include <functional>
#include <stdexcept>

#include "io/codec_helpers.h"

namespace cuimg::test {

// A TIFF file made by `fill` with libtiff alone.
inline Bytes made(const std::function<void(TIFF*)>& fill, const char* mode = "wl") {
  const std::string path = testing::TempDir() + "cuimg_made_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".tif";
  TIFF* tiff = TIFFOpen(path.c_str(), mode);
  if (tiff == nullptr) throw std::runtime_error("cannot write " + path);
  fill(tiff);
  TIFFClose(tiff);
  Bytes bytes = bytes_of_file(path);
  std::remove(path.c_str());
  return bytes;
}

inline void describe(TIFF* t, int width, int height, int bits, int samples, int photometric) {
  TIFFSetField(t, TIFFTAG_IMAGEWIDTH, width);
  TIFFSetField(t, TIFFTAG_IMAGELENGTH, height);
  TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, bits);
  TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, samples);
  TIFFSetField(t, TIFFTAG_PHOTOMETRIC, photometric);
  TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, 2);
}

inline void write_rows(TIFF* t, std::vector<std::vector<unsigned char>> rows) {
  for (std::uint32_t y = 0; y < rows.size(); ++y)
    ASSERT_EQ(1, TIFFWriteScanline(t, rows[y].data(), y, 0));
}

inline std::vector<int> values(const Image& image) {
  std::vector<int> result;
  const PixelType type = image.spec().layers[0].type;
  for (std::size_t i = 0; i < image.spec().pixel_bytes() / bytes_of(type); ++i)
    result.push_back(type == PixelType::u8 ? pixels<std::uint8_t>(image)[i]
                                           : pixels<std::uint16_t>(image)[i]);
  return result;
}

}  // namespace cuimg::test
