// SPDX-License-Identifier: Apache-2.0
#include "terminal_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/bytes.h"
#include "base/message_text.h"
#include "io/codec.h"

namespace cuimg {
namespace {

using Rgb = std::array<std::uint8_t, 3>;

Rgb pixel(const Image& image, int x, int y) {
  const Rect& r = image.spec().data_window;
  const std::byte* const at = image.row(0, r.y + y) + 3 * x;
  return {std::to_integer<std::uint8_t>(at[0]), std::to_integer<std::uint8_t>(at[1]),
          std::to_integer<std::uint8_t>(at[2])};
}

// Evenly spread levels of each channel.
struct Palette {
  bool grey;

  static constexpr std::array<int, 3> color_levels = {6, 7, 6};
  static constexpr int grey_levels = 64;

  int size() const { return grey ? grey_levels : 6 * 7 * 6; }
  static int nearest(float value, int levels) {
    const float scaled = value * static_cast<float>(levels - 1) / 255.0f;
    return std::clamp(static_cast<int>(scaled + 0.5f), 0, levels - 1);
  }
  int index(const std::array<float, 3>& v) const {
    if (grey) return nearest(v[0], grey_levels);
    int result = 0;
    for (std::size_t c = 0; c < 3; ++c)
      result = result * color_levels[c] + nearest(v[c], color_levels[c]);
    return result;
  }
  // Each channel is from 0 to 1.
  std::array<float, 3> color(int index) const {
    const auto share = [](int i, int levels) {
      return static_cast<float>(i) / static_cast<float>(levels - 1);
    };
    if (grey)
      return {share(index, grey_levels), share(index, grey_levels), share(index, grey_levels)};
    return {share(index / 42, 6), share(index / 6 % 7, 7), share(index % 6, 6)};
  }
};

bool is_grey(const Image& image) {
  const Rect& r = image.spec().data_window;
  for (int y = 0; y < r.height; ++y)
    for (int x = 0; x < r.width; ++x) {
      const Rgb v = pixel(image, x, y);
      if (v[0] != v[1] || v[1] != v[2]) return false;
    }
  return true;
}

std::vector<int> diffused(const Image& image, const Palette& palette) {
  const Rect& r = image.spec().data_window;
  const auto width = static_cast<std::size_t>(r.width);
  using Errors = std::vector<std::array<float, 3>>;
  Errors row(width + 2), next(width + 2);  // pixel x's error is at x + 1
  std::vector<int> indices;
  indices.reserve(width * static_cast<std::size_t>(r.height));
  for (int y = 0; y < r.height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const Rgb stored = pixel(image, static_cast<int>(x), y);
      std::array<float, 3> wanted;
      for (std::size_t c = 0; c < 3; ++c) wanted[c] = stored[c] + row[x + 1][c];
      indices.push_back(palette.index(wanted));
      const std::array<float, 3> got = palette.color(indices.back());
      for (std::size_t c = 0; c < 3; ++c) {
        const float error = std::clamp(wanted[c] - 255 * got[c], -64.0f, 64.0f) / 16;
        row[x + 2][c] += 7 * error;
        next[x][c] += 3 * error;
        next[x + 1][c] += 5 * error;
        next[x + 2][c] += error;
      }
    }
    row.swap(next);
    std::fill(next.begin(), next.end(), std::array<float, 3>{});
  }
  return indices;
}

// Six rows: for each colour that occurs, a run of characters, each a column of dots.
std::string sixel_band(const std::vector<int>& indices, int width, int top, int bottom,
                       int colors) {
  std::vector<std::string> dots(static_cast<std::size_t>(colors));
  const auto columns = static_cast<std::size_t>(width);
  for (int y = top; y < bottom; ++y)
    for (std::size_t x = 0; x < columns; ++x) {
      std::string& row =
          dots[static_cast<std::size_t>(indices[static_cast<std::size_t>(y) * columns + x])];
      if (row.empty()) row.assign(columns, '?');
      row[x] = static_cast<char>(row[x] + (1 << (y - top)));
    }
  std::string text;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    std::string row = dots[i];
    row.resize(row.find_last_not_of('?') + 1);
    if (row.empty()) continue;
    add_item(text, fmt::format("#{}", i), "$");
    for (std::size_t x = 0; x < row.size();) {
      const std::size_t end = std::min(row.find_first_not_of(row[x], x), row.size());
      const std::size_t count = end - x;
      text += count > 3 ? fmt::format("!{}{}", count, row[x]) : std::string(count, row[x]);
      x = end;
    }
  }
  return text + "-";
}

}  // namespace

std::string kitty_text(const Image& image) {
  MemorySink png;
  RowProgress ready;
  ready.finish();
  codec_named("png")->encode(image, {}, ready, png);
  const std::string data = base64(png.bytes());
  constexpr std::size_t chunk = 4096;
  std::string text;
  for (std::size_t at = 0; at < data.size(); at += chunk)
    text += fmt::format("\x1b_G{}m={};{}\x1b\\", at == 0 ? "a=T,f=100,q=2," : "",
                        at + chunk < data.size() ? 1 : 0, data.substr(at, chunk));
  return text + "\n";
}

std::string sixel_text(const Image& image) {
  const Rect& r = image.spec().data_window;
  const Palette palette{is_grey(image)};
  const std::vector<int> indices = diffused(image, palette);
  std::string text = fmt::format("\x1bP0;1q\"1;1;{};{}", r.width, r.height);
  for (int i = 0; i < palette.size(); ++i) {
    const std::array<float, 3> v = palette.color(i);
    const auto percent = [](float share) { return static_cast<int>(100 * share + 0.5f); };
    text += fmt::format("#{};2;{};{};{}", i, percent(v[0]), percent(v[1]), percent(v[2]));
  }
  for (int y = 0; y < r.height; y += 6)
    text += sixel_band(indices, r.width, y, std::min(y + 6, r.height), palette.size());
  return text + "\x1b\\\n";
}

std::string blocks_text(const Image& image) {
  const Rect& r = image.spec().data_window;
  const auto color = [](int layer, const Rgb& v) {
    return fmt::format("\x1b[{};2;{};{};{}m", layer, v[0], v[1], v[2]);
  };
  std::string text;
  for (int y = 0; y < r.height; y += 2) {
    const bool has_lower = y + 1 < r.height;
    Rgb upper{}, lower{};
    for (int x = 0; x < r.width; ++x) {
      const Rgb above = pixel(image, x, y);
      if (x == 0 || above != upper) text += color(38, above);
      upper = above;
      if (has_lower) {
        const Rgb below = pixel(image, x, y + 1);
        if (x == 0 || below != lower) text += color(48, below);
        lower = below;
      }
      text += "\u2580";
    }
    text += "\x1b[0m\n";
  }
  return text;
}

}  // namespace cuimg
