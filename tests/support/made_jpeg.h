// SPDX-License-Identifier: Apache-2.0
// JPEG files of every kind that libjpeg writes.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/jpeg/jpeg_errors.h"

namespace cuimg::test {

struct JpegKind {
  int width = 33, height = 17, channels = 3;
  std::vector<std::pair<int, int>> sampling = {{2, 2}, {1, 1}, {1, 1}};  ///< h, v of each component
  int quality = 90;
  bool progressive = false, optimised = false, arithmetic = false;
  bool rgb = false;  ///< Components are R, G and B.
  int restart_blocks = 0;
  int scans = 0;  ///< The scans of a progressive file to write; 0: all.

  std::string name() const {
    std::string text =
        std::to_string(width) + "x" + std::to_string(height) + " q" + std::to_string(quality);
    for (const auto& [h, v] : sampling) text += " " + std::to_string(h) + "x" + std::to_string(v);
    return text + (progressive ? " progressive" : "") + (optimised ? " optimised" : "") +
           (arithmetic ? " arithmetic" : "") + (rgb ? " rgb" : "") +
           (restart_blocks > 0 ? " restarts" : "") + (scans > 0 ? " cut" : "");
  }
};

/// @param pixels 8-bit rows of the kind's channels, tightly packed.
inline std::vector<std::byte> made_jpeg(const JpegKind& kind, std::vector<unsigned char> pixels) {
  jpeg_compress_struct info = {};
  jpeg_error_mgr errors = {};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &buffer, &size);
  info.image_width = static_cast<JDIMENSION>(kind.width);
  info.image_height = static_cast<JDIMENSION>(kind.height);
  info.input_components = kind.channels;
  info.in_color_space = kind.channels == 1   ? JCS_GRAYSCALE
                        : kind.channels == 4 ? JCS_CMYK
                                             : JCS_RGB;
  jpeg_set_defaults(&info);
  if (kind.rgb) jpeg_set_colorspace(&info, JCS_RGB);
  jpeg_set_quality(&info, kind.quality, TRUE);
  for (std::size_t i = 0; i < static_cast<std::size_t>(info.num_components); ++i) {
    info.comp_info[i].h_samp_factor = kind.sampling[i].first;
    info.comp_info[i].v_samp_factor = kind.sampling[i].second;
  }
  info.optimize_coding = kind.optimised;
  info.arith_code = kind.arithmetic;
  info.restart_interval = static_cast<unsigned>(kind.restart_blocks);
  if (kind.progressive) {
    jpeg_simple_progression(&info);
    if (kind.scans > 0) info.num_scans = kind.scans;
  }
  jpeg_start_compress(&info, TRUE);
  const auto row_bytes = static_cast<std::size_t>(kind.width * kind.channels);
  while (info.next_scanline < info.image_height) {
    unsigned char* row = pixels.data() + row_bytes * info.next_scanline;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  const auto all = std::as_bytes(std::span(buffer, size));
  std::vector<std::byte> file(all.begin(), all.end());
  std::free(buffer);
  return file;
}

using Sampling = std::vector<std::pair<int, int>>;
inline const std::vector<Sampling> jpeg_samplings = {
    {{2, 2}, {1, 1}, {1, 1}}, {{2, 1}, {1, 1}, {1, 1}}, {{1, 1}, {1, 1}, {1, 1}},
    {{1, 2}, {1, 1}, {1, 1}}, {{4, 1}, {1, 1}, {1, 1}}, {{4, 2}, {1, 1}, {1, 1}},
    {{2, 2}, {2, 1}, {1, 1}}, {{1, 1}, {2, 2}, {1, 1}}, {{2, 2}, {1, 2}, {2, 1}},
    {{4, 1}, {2, 1}, {1, 1}}, {{3, 1}, {1, 1}, {1, 1}}, {{1, 4}, {1, 1}, {1, 2}},
    {{2, 1}, {2, 1}, {2, 1}}};

// Noise, slopes, black and white, and edges, which give coefficients of every size.
inline std::vector<unsigned char> made_pixels(int width, int height, int channels,
                                              std::mt19937& random) {
  std::vector<unsigned char> pixels(static_cast<std::size_t>(width * height * channels));
  const unsigned kind = random() % 4;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const auto channel = i % static_cast<std::size_t>(channels), pixel = i / unsigned(channels);
    const auto x = pixel % unsigned(width), y = pixel / unsigned(width);
    const std::size_t value = kind == 0   ? random()
                              : kind == 1 ? 3 * x + 2 * y + 30 * channel
                              : kind == 2 ? (random() % 2 == 0 ? 0 : 255)
                                          : ((x / 3 + y / 5) % 2 == 0 ? 255 : 0) ^ (random() % 7);
    pixels[i] = static_cast<unsigned char>(value);
  }
  return pixels;
}

/// A JPEG file with EXIF after its first marker, whose only entry is the orientation.
inline std::vector<std::byte> with_orientation(const std::vector<std::byte>& file,
                                               int orientation) {
  const unsigned char exif[] = {
      0xff, 0xe1, 0, 34, 'E', 'x', 'i', 'f', 0, 0,
      'M',  'M',  0, 42, 0,   0,   0,   8,   0, 1,
      1,    0x12, 0, 3,  0,   0,   0,   1,   0, static_cast<unsigned char>(orientation),
      0,    0,    0, 0,  0,   0};
  std::vector<std::byte> turned(file.begin(), file.begin() + 2);
  for (const unsigned char byte : exif) turned.push_back(static_cast<std::byte>(byte));
  turned.insert(turned.end(), file.begin() + 2, file.end());
  return turned;
}

inline int random_side(std::mt19937& random) {
  return static_cast<int>(1 + random() % (random() % 4 == 0 ? 6 : 70));
}

inline JpegKind random_kind(std::mt19937& random) {
  JpegKind kind;
  kind.width = random_side(random);
  kind.height = random_side(random);
  kind.channels = random() % 6 == 0 ? 1 : 3;
  kind.sampling = jpeg_samplings[random() % jpeg_samplings.size()];
  kind.quality = static_cast<int>(1 + random() % 100);
  kind.progressive = random() % 3 == 0;
  kind.arithmetic = random() % 5 == 0;
  kind.optimised = !kind.arithmetic && random() % 2 == 0;
  kind.rgb = kind.channels == 3 && random() % 6 == 0;
  kind.restart_blocks = random() % 4 == 0 ? static_cast<int>(1 + random() % 5) : 0;
  return kind;
}

}  // namespace cuimg::test
