// SPDX-License-Identifier: Apache-2.0
// JPEG files of every kind that libjpeg writes.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
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
  int scans = 0;  ///< Of a progressive file: only so many; 0: all.

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
  info.in_color_space = kind.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
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

}  // namespace cuimg::test
