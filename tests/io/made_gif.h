// SPDX-License-Identifier: Apache-2.0
// GIFs, assembled frame by frame. Their LZW codes all have the same length: the table is cleared
// before it grows.
#pragma once

#include <array>
#include <optional>

#include "io/made_bytes.h"

namespace cuimg::test {

using GifColors = std::vector<std::array<std::uint8_t, 3>>;  // 2, 4, ... 256 of them

struct MadeGifFrame {
  int x = 0, y = 0, width = 1, height = 1;
  unsigned disposal = 0;
  std::optional<unsigned> transparent = {};
  bool interlaced = false;
  unsigned delay = 0;  // in hundredths of a second
  GifColors colors = {};
  std::vector<std::uint8_t> indices = {};  // top row first, interlaced or not
};

inline int gif_bits(const GifColors& colors) {
  int bits = 1;
  while (std::size_t{1} << bits < colors.size()) ++bits;
  return bits;
}

inline void put_gif_colors(MadeBytes& out, const GifColors& colors) {
  for (const auto& color : colors)
    for (const std::uint8_t value : color) put_le(out, value, 1);
}

inline void put_gif_blocks(MadeBytes& out, const MadeBytes& bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += 255) {
    const std::size_t count = std::min<std::size_t>(255, bytes.size() - i);
    put_le(out, count, 1);
    out.insert(out.end(), &bytes[i], &bytes[i] + count);
  }
  put_le(out, 0, 1);
}

inline void put_gif_codes(MadeBytes& out, const std::vector<std::uint8_t>& indices, int bits) {
  bits = std::max(bits, 2);
  MadeBytes codes;
  std::uint32_t waiting = 0;
  int held = 0;
  const auto put = [&](std::uint32_t code) {
    waiting |= code << held;
    for (held += bits + 1; held >= 8; held -= 8, waiting >>= 8) put_le(codes, waiting & 255, 1);
  };
  const std::size_t before_growth = (std::size_t{1} << bits) - 2;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (i % before_growth == 0) put(1u << bits);
    put(indices[i]);
  }
  put((1u << bits) + 1);
  if (held > 0) put_le(codes, waiting & 255, 1);
  put_le(out, static_cast<unsigned>(bits), 1);
  put_gif_blocks(out, codes);
}

inline void put_gif_frame(MadeBytes& out, const MadeGifFrame& frame, const GifColors& shared) {
  put_le(out, 0xf921, 2), put_le(out, 4, 1);
  put_le(out, frame.disposal << 2 | (frame.transparent ? 1 : 0), 1), put_le(out, frame.delay, 2);
  put_le(out, frame.transparent.value_or(0), 1), put_le(out, 0, 1);
  put_text(out, ",");
  for (const int value : {frame.x, frame.y, frame.width, frame.height})
    put_le(out, static_cast<unsigned>(value), 2);
  const bool own = !frame.colors.empty();
  const GifColors& colors = own ? frame.colors : shared;
  put_le(out,
         (own ? 0x80u | static_cast<unsigned>(gif_bits(colors) - 1) : 0u) |
             (frame.interlaced ? 0x40u : 0u),
         1);
  if (own) put_gif_colors(out, colors);
  std::vector<std::uint8_t> rows;
  const auto add = [&](int first, int step) {
    for (int y = first; y < frame.height; y += step)
      rows.insert(rows.end(), frame.indices.begin() + y * frame.width,
                  frame.indices.begin() + (y + 1) * frame.width);
  };
  if (frame.interlaced)
    add(0, 8), add(4, 8), add(2, 4), add(1, 2);
  else
    add(0, 1);
  put_gif_codes(out, rows, gif_bits(colors));
}

struct MadeGif {
  int width = 0, height = 0;
  GifColors colors = {};  // for frames without their own
  std::optional<unsigned> loop = {};
  std::string_view comment = {};
  MadeBytes icc_profile = {};
  std::string_view xmp = {};
  std::vector<MadeGifFrame> frames = {};
  unsigned background = 1;  // one of the shared colours

  MadeBytes bytes() const {
    MadeBytes out;
    put_text(out, "GIF89a");
    put_le(out, static_cast<unsigned>(width), 2), put_le(out, static_cast<unsigned>(height), 2);
    put_le(out, colors.empty() ? 0 : 0x80 | static_cast<unsigned>(gif_bits(colors) - 1), 1);
    put_le(out, background, 1), put_le(out, 0, 1);
    put_gif_colors(out, colors);
    if (loop) {
      put_le(out, 0xff21, 2), put_le(out, 11, 1), put_text(out, "NETSCAPE2.0");
      put_le(out, 3, 1), put_le(out, 1, 1), put_le(out, *loop, 2), put_le(out, 0, 1);
    }
    if (!comment.empty()) {
      MadeBytes text;
      put_text(text, comment);
      put_le(out, 0xfe21, 2), put_gif_blocks(out, text);
    }
    if (!icc_profile.empty()) {
      put_le(out, 0xff21, 2), put_le(out, 11, 1), put_text(out, "ICCRGBG1012");
      put_gif_blocks(out, icc_profile);
    }
    if (!xmp.empty()) {
      put_le(out, 0xff21, 2), put_le(out, 11, 1), put_text(out, "XMP DataXMP"), put_text(out, xmp);
      // With any length of the last code, these bits lead to the end.
      put_le(out, 1, 1);
      for (int i = 255; i >= 0; --i) put_le(out, static_cast<unsigned>(i), 1);
      put_le(out, 0, 1);
    }
    for (const MadeGifFrame& frame : frames) put_gif_frame(out, frame, colors);
    put_text(out, ";");
    return out;
  }
};

/// `1 << bits` colours, all different.
inline GifColors gif_colors(int bits, unsigned seed) {
  GifColors colors(std::size_t{1} << bits);
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const auto value = [&](unsigned factor) {
      return static_cast<std::uint8_t>((i + seed) * factor + seed);
    };
    colors[i] = {value(1), value(77), value(151)};
  }
  return colors;
}

}  // namespace cuimg::test
