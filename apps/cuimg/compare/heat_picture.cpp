// SPDX-License-Identifier: Apache-2.0
#include "heat_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "image/row_convert.h"

namespace cuimg {
namespace {

using Rgb = std::array<std::uint8_t, 3>;

// The colours of the HTML report: each lighter than the previous one, so they are also readable in
// grey.
constexpr std::array<std::array<float, 3>, 6> stops = {
    {{6, 4, 20}, {62, 15, 92}, {140, 28, 96}, {212, 62, 60}, {248, 146, 40}, {252, 238, 170}}};
// Blue, which is not among the heat colours; darker for ignored regions.
constexpr Rgb ignored_color = {24, 58, 92}, forgiven_color = {64, 150, 220};
constexpr Rgb beyond_color = {255, 255, 255};
// Even the smallest difference is visible.
constexpr float least_heat = 0.1f;

constexpr float beyond = std::numeric_limits<float>::infinity();

Rgb heat_color(float share) {
  const float place = std::clamp(share, 0.0f, 1.0f) * static_cast<float>(stops.size() - 1);
  const auto from = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  Rgb color;
  for (std::size_t c = 0; c < 3; ++c) {
    const float step = stops[from + 1][c] - stops[from][c];
    color[c] = static_cast<std::uint8_t>(stops[from][c] +
                                         step * (place - static_cast<float>(from)) + 0.5f);
  }
  return color;
}

// A row of one side as floats, with integers relative to their largest value.
class RowReader {
 public:
  RowReader(const Image& image, int layer)
      : image_(image),
        layer_(layer),
        spec_(image.spec().layer(layer)),
        floats_(static_cast<std::size_t>(image.spec().data_window.width) * channels()) {}

  std::size_t channels() const { return spec_.channels.size(); }
  bool holds_ids() const { return spec_.holds_ids(); }
  bool holds_row(int y) const {
    const Rect& window = image_.spec().data_window;
    return y >= window.y && y < window.bottom();
  }
  void read(int y) {
    y_ = y;
    if (!holds_ids() && holds_row(y))
      rows_to_working({spec_.type, spec_.channel_count(), {}}, image_.row(layer_, y),
                      floats_.data(), static_cast<std::size_t>(image_.spec().data_window.width));
  }
  /// A pixel of the row that was read; null outside the picture.
  const float* pixel(int x) const {
    return holds(x) ? floats_.data() + column(x) * channels() : nullptr;
  }
  const std::byte* stored(int x) const {
    return holds(x) ? image_.row(layer_, y_) + column(x) * spec_.pixel_bytes() : nullptr;
  }
  std::size_t stored_bytes() const { return spec_.pixel_bytes(); }

 private:
  std::size_t column(int x) const {
    return static_cast<std::size_t>(x - image_.spec().data_window.x);
  }
  bool holds(int x) const {
    const Rect& window = image_.spec().data_window;
    return holds_row(y_) && x >= window.x && x < window.right();
  }

  const Image& image_;
  const int layer_;
  const LayerSpec& spec_;
  std::vector<float> floats_;
  int y_ = 0;
};

float difference_of(float a, float b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  if (!std::isfinite(a) || !std::isfinite(b)) return beyond;
  return std::abs(a - b);
}

bool holds(const Rect& r, int x, int y) {
  return x >= r.x && y >= r.y && x < r.right() && y < r.bottom();
}

ForgivenBy forgiven_at(const ForgivenMap& map, int x, int y) {
  const Rect& r = map.window;
  if (map.pixels.empty() || !holds(r, x, y)) return ForgivenBy::nothing;
  const auto width = static_cast<std::size_t>(r.width);
  return static_cast<ForgivenBy>(
      map.pixels[static_cast<std::size_t>(y - r.y) * width + static_cast<std::size_t>(x - r.x)]);
}

bool is_black(const std::byte* stored, std::size_t bytes) {
  return std::all_of(stored, stored + bytes, [](std::byte byte) { return byte == std::byte{}; });
}

// The difference of a pixel that the other side lacks, if it is compared with black.
float difference_from_black(const RowReader& side, int x) {
  if (side.holds_ids()) return is_black(side.stored(x), side.stored_bytes()) ? 0 : beyond;
  float largest = 0;
  for (std::size_t c = 0; c < side.channels(); ++c)
    largest = std::max(largest, difference_of(side.pixel(x)[c], 0));
  return largest;
}

float pixel_difference(const RowReader& a, const RowReader& b, int x, ForgivenBy by,
                       bool is_compared) {
  const std::byte *p = a.stored(x), *q = b.stored(x);
  if (p == nullptr && q == nullptr) return 0;
  if (p == nullptr || q == nullptr)
    return is_compared ? difference_from_black(p == nullptr ? b : a, x) : beyond;
  if (a.holds_ids() || b.holds_ids())
    return a.stored_bytes() == b.stored_bytes() && std::memcmp(p, q, a.stored_bytes()) == 0
               ? 0
               : beyond;
  float largest = 0;
  for (std::size_t c = 0; c < a.channels(); ++c) {
    const float difference = difference_of(a.pixel(x)[c], b.pixel(x)[c]);
    if (difference == beyond && by == ForgivenBy::non_finite) continue;
    largest = std::max(largest, difference);
  }
  return largest;
}

// The values below one pixel of the drawing.
struct Below {
  float difference = 0;
  ForgivenBy forgiven = ForgivenBy::nothing;
};

}  // namespace

HeatPicture heat_picture(const ImageLayer& golden, const ImageLayer& result,
                         const ForgivenMap& forgiven, const Rect& window, const Rect& size) {
  HeatPicture heat;
  RowReader a(golden.image, golden.index), b(result.image, result.index);
  const auto width = static_cast<std::size_t>(size.width);
  std::vector<Below> below(width * static_cast<std::size_t>(size.height));
  const auto place = [](int at, int length, int of) {
    return static_cast<std::size_t>(static_cast<std::int64_t>(at) * length / of);
  };
  for (int y = 0; y < window.height; ++y) {
    a.read(window.y + y);
    b.read(window.y + y);
    Below* const row = below.data() + place(y, size.height, window.height) * width;
    for (int x = 0; x < window.width; ++x) {
      Below& to = row[place(x, size.width, window.width)];
      const ForgivenBy by = forgiven_at(forgiven, window.x + x, window.y + y);
      to.forgiven = std::max(to.forgiven, by);
      if (by != ForgivenBy::nothing && by != ForgivenBy::non_finite) continue;
      const bool is_compared = holds(forgiven.window, window.x + x, window.y + y);
      if (!is_compared && !forgiven.window.empty()) continue;
      to.difference =
          std::max(to.difference, pixel_difference(a, b, window.x + x, by, is_compared));
    }
  }
  float largest = 0;
  for (const Below& pixel : below)
    if (pixel.difference != beyond) largest = std::max(largest, pixel.difference);
  heat.largest = static_cast<double>(largest);

  Spec spec;
  spec.data_window = spec.display_window = size;
  spec.layers = {{"", {"R", "G", "B"}, PixelType::u8}};
  spec.color = {Curve::srgb, 1.0f, false, {}};
  heat.image = Image(spec);
  for (std::size_t i = 0; i < below.size(); ++i) {
    const auto& [difference, by] = below[i];
    heat.has_forgiven = heat.has_forgiven || by != ForgivenBy::nothing;
    heat.has_beyond = heat.has_beyond || difference == beyond;
    const Rgb color = difference == beyond ? beyond_color
                      : difference > 0     ? heat_color(std::max(difference / largest, least_heat))
                      : by == ForgivenBy::nothing ? heat_color(0)
                      : by == ForgivenBy::ignored ? ignored_color
                                                  : forgiven_color;
    std::memcpy(heat.image.row(0, static_cast<int>(i / width)) + 3 * (i % width), color.data(), 3);
  }
  return heat;
}

}  // namespace cuimg
