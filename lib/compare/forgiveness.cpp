// SPDX-License-Identifier: Apache-2.0
#include "compare/forgiveness.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "compare/metrics/difference_rows.h"
#include "image/dispatch.h"
#include "kernels/color/luminance.h"
#include "kernels/compare/value_difference.h"

namespace cuimg {
namespace {

// A layer's pixels by coordinates relative to the data window's corner.
struct LayerView {
  LayerView(const Image& of, int layer_index)
      : image(of),
        layer(layer_index),
        window(of.spec().data_window),
        spec(of.spec().layer(layer_index)) {}

  const std::byte* pixel(int x, int y) const {
    return image.row(layer, window.y + y) + static_cast<std::size_t>(x) * spec.pixel_bytes();
  }
  bool holds(int x, int y) const {
    return x >= 0 && y >= 0 && x < window.width && y < window.height;
  }

  const Image& image;
  int layer;
  Rect window;
  const LayerSpec& spec;
};

template <class T>
bool pixel_fails(const std::byte* a, const std::byte* b, int channels, const ValueLimits& k) {
  for (int c = 0; c < channels; ++c) {
    T p, q;
    std::memcpy(&p, a + static_cast<std::size_t>(c) * sizeof(T), sizeof(T));
    std::memcpy(&q, b + static_cast<std::size_t>(c) * sizeof(T), sizeof(T));
    if constexpr (std::is_same_v<T, std::uint32_t>) {
      if (p != q) return true;
    } else {
      const ValueDifference d = value_difference(p, q);
      if (d.mismatch != 0 || !(d.absolute <= k.fail) || !(d.relative <= k.fail_relative) ||
          d.steps > k.max_ulp)
        return true;
    }
  }
  return false;
}

// Whether `value` is within limits of a pixel that is at most one pixel away from x, y.
template <class T>
bool is_near(const std::byte* value, const LayerView& in, int x, int y, const ValueLimits& k) {
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (in.holds(x + dx, y + dy) &&
          !pixel_fails<T>(value, in.pixel(x + dx, y + dy), in.spec.channel_count(), k))
        return true;
  return false;
}

struct PixelPosition {
  int x, y;
};

void take_golden(const LayerView& golden, Image& result, const std::vector<PixelPosition>& pixels) {
  const std::size_t bytes = golden.spec.pixel_bytes();
  for (const auto& [x, y] : pixels)
    std::memcpy(result.row(golden.layer, golden.window.y + y) + static_cast<std::size_t>(x) * bytes,
                golden.pixel(x, y), bytes);
}

// Calls work(x, y, fails) for each pixel that differs; if it returns true, the pixel gets the
// golden's value. This includes pixels that do not fail, because PSNR, SSIM and FLIP also depend on
// those.
template <class Work>
std::uint64_t forgive(const LayerView& golden, Image& result, const PixelStateMap& states,
                      ForgivenBy by, ForgivenMap* map, const Work& work) {
  std::vector<PixelPosition> forgiven;
  const auto width = static_cast<std::size_t>(golden.window.width);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if ((states[i] & pixel_state::differs) == 0) continue;
    const auto x = static_cast<int>(i % width), y = static_cast<int>(i / width);
    if (!work(x, y, (states[i] & pixel_state::fails) != 0)) continue;
    forgiven.push_back({x, y});
    if (map != nullptr) map->mark(i, by);
  }
  // Only now, because the search needs the original result.
  take_golden(golden, result, forgiven);
  return forgiven.size();
}

float brightness(const LayerView& in, int x, int y) {
  return with_stored_type(in.spec.type, [&](auto t) {
    using T = typename decltype(t)::type;
    float values[4] = {0, 0, 0, 0};
    for (int c = 0; c < in.spec.channel_count(); ++c) {
      T stored;
      std::memcpy(&stored, in.pixel(x, y) + static_cast<std::size_t>(c) * sizeof(T), sizeof(T));
      values[c] = stored_to_float(stored);
    }
    if (in.spec.channel_count() < 3) return values[0];
    return rec709_luminance(values[0], values[1], values[2]);
  });
}

bool same_pixel(const LayerView& in, const PixelPosition& a, const PixelPosition& b) {
  return std::memcmp(in.pixel(a.x, a.y), in.pixel(b.x, b.y), in.spec.pixel_bytes()) == 0;
}

// Whether a pixel belongs to an area of one colour: at least three neighbours are equal to it.
// Positions beyond the edge count as equal.
bool lies_in_area(const LayerView& in, const PixelPosition& p) {
  int equal = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      const bool outside = !in.holds(p.x + dx, p.y + dy);
      equal += outside || same_pixel(in, p, {p.x + dx, p.y + dy});
    }
  return equal >= 3;
}

// Detects a smoothed edge: few neighbours are equal, some are darker and some brighter, and the
// darkest or the brightest belongs to an area in both pictures.
bool smooths_edge(const LayerView& in, const LayerView& other, int x, int y) {
  const float own = brightness(in, x, y);
  PixelPosition darkest{x, y}, brightest{x, y};
  float low = 0, high = 0;
  int equal = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      if ((dx == 0 && dy == 0) || !in.holds(x + dx, y + dy)) continue;
      const float step = brightness(in, x + dx, y + dy) - own;
      if (step == 0) {
        ++equal;
      } else if (step < low) {
        low = step, darkest = {x + dx, y + dy};
      } else if (step > high) {
        high = step, brightest = {x + dx, y + dy};
      }
    }
  if (equal > 2 || low == 0 || high == 0) return false;
  return (lies_in_area(in, darkest) && lies_in_area(other, darkest)) ||
         (lies_in_area(in, brightest) && lies_in_area(other, brightest));
}

}  // namespace

std::uint64_t forgive_shifts(const Image& golden, Image& result, int layer,
                             const PixelStateMap& states, const Limits& limits, ForgivenMap* map) {
  const LayerView a(golden, layer), b(result, layer);
  ValueLimits equal;
  equal.fail = equal.fail_relative = std::numeric_limits<float>::infinity();
  equal.max_ulp = 0;
  const bool limits_values = limits.fail || limits.fail_relative || limits.max_ulp;
  const ValueLimits of_failing = limits_values ? value_limits(limits) : equal;
  return with_stored_type(a.spec.type, [&](auto t) {
    using T = typename decltype(t)::type;
    return forgive(a, result, states, ForgivenBy::shifted, map, [&](int x, int y, bool fails) {
      // A pixel that is within the limits at its own position is not shifted.
      const ValueLimits& k = fails ? of_failing : equal;
      return is_near<T>(a.pixel(x, y), b, x, y, k) && is_near<T>(b.pixel(x, y), a, x, y, k);
    });
  });
}

std::uint64_t forgive_antialiasing(const Image& golden, Image& result, int layer,
                                   const PixelStateMap& states, ForgivenMap* map) {
  const LayerView a(golden, layer), b(result, layer);
  if (!a.spec.is_color()) return 0;
  return forgive(a, result, states, ForgivenBy::antialiased, map, [&](int x, int y, bool) {
    return smooths_edge(a, b, x, y) || smooths_edge(b, a, x, y);
  });
}

std::uint64_t forgive_non_finite(const Image& golden, Image& result, int layer, ForgivenMap* map) {
  const LayerView a(golden, layer);
  std::uint64_t forgiven = 0;
  with_stored_type(a.spec.type, [&](auto t) {
    using T = typename decltype(t)::type;
    if constexpr (!std::is_same_v<T, std::uint32_t>) {
      for (int y = 0; y < a.window.height; ++y) {
        const T* from = reinterpret_cast<const T*>(golden.row(layer, a.window.y + y));
        T* to = reinterpret_cast<T*>(result.row(layer, a.window.y + y));
        const std::size_t count = golden.row_bytes(layer) / sizeof(T);
        for (std::size_t i = 0; i < count; ++i) {
          if (value_difference(from[i], to[i]).mismatch == 0) continue;
          to[i] = from[i];
          ++forgiven;
          if (map == nullptr) continue;
          const std::size_t pixel = i / static_cast<std::size_t>(a.spec.channel_count());
          map->mark(static_cast<std::size_t>(y) * static_cast<std::size_t>(a.window.width) + pixel,
                    ForgivenBy::non_finite);
        }
      }
    }
  });
  return forgiven;
}

double largest_density(const PixelStateMap& states, int width, int height, int side) {
  const int w = std::min(side, width), h = std::min(side, height);
  if (w < 1 || h < 1) return 0;
  std::vector<std::int64_t> columns(static_cast<std::size_t>(width));
  const auto fails = [&](int x, int y) {
    return static_cast<std::int64_t>(
        (states[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                static_cast<std::size_t>(x)] &
         pixel_state::fails) != 0);
  };
  std::int64_t most = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      columns[static_cast<std::size_t>(x)] += fails(x, y) - (y >= h ? fails(x, y - h) : 0);
    if (y + 1 < h) continue;
    std::int64_t sum = 0;
    for (int x = 0; x < width; ++x) {
      sum += columns[static_cast<std::size_t>(x)];
      if (x >= w) sum -= columns[static_cast<std::size_t>(x - w)];
      if (x + 1 >= w) most = std::max(most, sum);
    }
  }
  return 100.0 * static_cast<double>(most) / (static_cast<double>(w) * h);
}

}  // namespace cuimg
