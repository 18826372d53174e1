// SPDX-License-Identifier: Apache-2.0
// Softimage pictures with RGB packets and, with alpha, one packet for it.
#pragma once

#include "io/made_bytes.h"

namespace cuimg::test {

enum class PicCode : unsigned { none = 0, pure = 1, mixed = 2 };

/// @param rgba 4 bytes a pixel.
inline MadeBytes made_pic(int width, int height, bool alpha, PicCode code, const MadeBytes& rgba) {
  MadeBytes out;
  put_be(out, 0x5380f634, 4), put_be(out, 0x40600000, 4);  // version 3.5
  put_text(out, "made by a test"), out.resize(88);
  put_text(out, "PICT");
  put_be(out, static_cast<unsigned>(width), 2), put_be(out, static_cast<unsigned>(height), 2);
  put_be(out, 0x40000000, 4), put_be(out, 3, 2), put_be(out, 0, 2);  // 2: pixels twice as wide
  const auto packet = [&](bool more, unsigned channels) {
    put_be(out, more ? 1 : 0, 1), put_be(out, 8, 1);
    put_be(out, static_cast<unsigned>(code), 1), put_be(out, channels, 1);
  };
  packet(alpha, 0xe0);
  if (alpha) packet(false, 0x10);
  const auto put_channels = [&](int y, std::size_t first, std::size_t count) {
    const std::byte* row = &rgba[static_cast<std::size_t>(4 * y * width)];
    const auto pixel = [&](int x) { return row + 4 * x + first; };
    for (int x = 0; x < width;) {
      int end = x + 1;
      while (code != PicCode::none && end < width && end - x < 120 &&
             std::memcmp(pixel(end), pixel(x), count) == 0)
        ++end;
      const auto run = static_cast<unsigned>(end - x);
      if (code == PicCode::pure) put_be(out, run, 1);
      if (code == PicCode::mixed && run == 1) put_be(out, 0, 1);
      if (code == PicCode::mixed && run > 1 && run < 4) put_be(out, run + 127, 1);
      if (code == PicCode::mixed && run >= 4) put_be(out, 128, 1), put_be(out, run, 2);
      out.insert(out.end(), pixel(x), pixel(x) + count);
      x = end;
    }
  };
  for (int y = 0; y < height; ++y) {
    put_channels(y, 0, 3);
    if (alpha) put_channels(y, 3, 1);
  }
  return out;
}

inline MadeBytes pic_pixels(int width, int height) {
  MadeBytes rgba;
  for (int i = 0; i < width * height; ++i)
    for (int c = 0; c < 4; ++c) put_be(rgba, static_cast<unsigned>(i / 3 * 37 + c * 50), 1);
  return rgba;
}

}  // namespace cuimg::test
