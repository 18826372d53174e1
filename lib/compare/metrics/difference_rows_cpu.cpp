// SPDX-License-Identifier: Apache-2.0
// Blocks of values: a loop that the compiler vectorises writes differences to small arrays, and
// then maxima and counts are taken over those arrays. Rows that are equal in every byte are
// skipped.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "base/instruction_set.h"
#include "compare/metrics/difference_rows.h"
#include "compare/metrics/row_sums.h"
#include "image/dispatch.h"
#include "image/row_convert.h"
#include "kernels/compare/value_difference.h"
#include "kernels/math/ceil_div.h"
#include "kernels/math/dispatch.h"
#include "kernels/math/order.h"

namespace cuimg {
namespace {

constexpr int block_pixels = row_lanes;  // one for each lane
constexpr int rows_per_item = 16;

// For a block, as bits for floats, since the integer maximum vectorises.
template <class T>
struct Arrays {
  std::array<std::uint32_t, 4 * block_pixels> absolute, relative, steps, states;
};

// A block's halves as floats. Separate from Arrays, because a loop that reads one and writes the
// other is only vectorised if the compiler sees that they do not overlap.
struct Floats {
  std::array<float, 4 * block_pixels> a, b;
};

// The sums of a row's squares. Few rows differ, so these are only cleared when they are first
// needed.
struct Lanes {
  std::array<double, 4 * block_pixels> sums;
  bool used = false;
};

std::uint32_t largest(const std::uint32_t* values, std::size_t count) {
  std::uint32_t result = 0;
  for (std::size_t i = 0; i < count; ++i) result = values[i] > result ? values[i] : result;
  return result;
}

// Values that are not finite are also counted in equal blocks.
template <class T>
bool holds_non_finite(const T* values, std::size_t count) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>;
    constexpr auto infinity = static_cast<Bits>(sizeof(T) == 2 ? 0x7c00u : 0x7f800000u);
    Bits largest_size = 0;
    with_best_instructions([&] {
      for (std::size_t i = 0; i < count; ++i) {
        const auto size = static_cast<Bits>(std::bit_cast<Bits>(values[i]) << 1);
        largest_size = size > largest_size ? size : largest_size;
      }
    });
    return largest_size >= static_cast<Bits>(infinity << 1);
  }
}

template <class T>
void differences_of(const T* a, const T* b, const Floats& floats, std::size_t count,
                    Arrays<T>& out) {
  for (std::size_t i = 0; i < count; ++i) {
    const ValueDifference d = [&] {
      if constexpr (std::is_same_v<T, Half>)
        return value_difference(floats.a[i], floats.b[i], a[i], b[i]);
      else
        return value_difference(a[i], b[i]);
    }();
    out.absolute[i] = bits_of(d.absolute);
    out.relative[i] = bits_of(d.relative);
    out.steps[i] = d.steps;
    out.states[i] = d.mismatch | d.left_out << 1;  // used by states_of()
  }
}

template <class T>
void states_of(std::size_t count, const StateLimits& given, Arrays<T>& out) {
  const StateLimits limits = given;  // a local copy, so that loops keep it in registers
  for (std::size_t i = 0; i < count; ++i)
    out.states[i] =
        value_state(out.absolute[i], out.relative[i], out.steps[i], out.states[i] & 1u, limits) |
        left_out_state(out.states[i] >> 1);
}

void id_differences_of(const std::uint32_t* a, const std::uint32_t* b, std::size_t count,
                       Arrays<std::uint32_t>& out) {
  for (std::size_t i = 0; i < count; ++i) {
    out.absolute[i] = out.relative[i] = out.steps[i] = 0;
    out.states[i] = id_state(a[i], b[i]);
  }
}

template <class T>
void add_squares(const T* a, const T* b, const Floats& floats, std::size_t count,
                 const Arrays<T>& d, double* __restrict sums) {
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<T, float>) {
      const double difference = finite_difference(a[i], b[i]);
      sums[i] += difference * difference;
    } else if constexpr (std::is_same_v<T, Half>) {
      const double difference = finite_difference(floats.a[i], floats.b[i]);
      sums[i] += difference * difference;
    } else {
      const auto difference = static_cast<double>(static_cast<std::int32_t>(d.steps[i]));
      sums[i] += difference * difference;
    }
  }
}

using PixelStates = std::array<std::uint32_t, block_pixels>;

// The state of each pixel: the union of its values' states.
template <int channels>
PixelStates pixel_states(const std::uint32_t* values, int pixels, const std::uint8_t* ignored) {
  PixelStates states;
  with_best_instructions([&] {
    for (int p = 0; p < pixels; ++p) {
      std::uint32_t state = 0;
      for (int c = 0; c < channels; ++c) state |= values[p * channels + c];
      states[static_cast<std::size_t>(p)] = state;
    }
  });
  for (int p = 0; ignored != nullptr && p < pixels; ++p)
    if (ignored[p] != 0) states[static_cast<std::size_t>(p)] = 0;
  return states;
}

// Adds up pixels by the bits of their states, except the last three bits, which count values.
void count_states(const PixelStates& states, int pixels, std::uint32_t any, std::uint32_t* counts) {
  for (std::size_t bit = 0; bit < 5; ++bit) {
    if ((any >> bit & 1u) == 0) continue;
    std::uint32_t sum = 0;
    for (int p = 0; p < pixels; ++p) sum += states[static_cast<std::size_t>(p)] >> bit & 1u;
    counts[bit] += sum;
  }
}

template <int channels>
void count_values(const std::uint32_t* values, int pixels, const std::uint8_t* ignored,
                  std::uint32_t any, std::uint32_t* counts) {
  if ((any & (pixel_state::mismatch | pixel_state::nan | pixel_state::left_out)) == 0) return;
  for (int p = 0; p < pixels; ++p) {
    if (ignored != nullptr && ignored[p] != 0) continue;
    for (int c = 0; c < channels; ++c) {
      counts[5] += values[p * channels + c] >> 5 & 1u;
      counts[6] += values[p * channels + c] >> 6 & 1u;
      counts[7] += values[p * channels + c] >> 7 & 1u;
    }
  }
}

template <class T, int channels>
void compare_row(const T* a, const T* b, int width, const DifferencePass& pass,
                 const std::uint8_t* ignored, std::uint8_t* states, RowFigures& row) {
  Arrays<T> d;
  Floats floats;
  Lanes lanes;
  const int lane_count = lanes_of_row(width);
  for (int x0 = 0; x0 < width; x0 += block_pixels) {
    const int pixels = std::min(block_pixels, width - x0);
    const auto count = static_cast<std::size_t>(pixels) * channels;
    const T *block_a = a + static_cast<std::size_t>(x0) * channels,
            *block_b = b + static_cast<std::size_t>(x0) * channels;
    const bool equal = std::memcmp(block_a, block_b, count * sizeof(T)) == 0;
    if (equal && !pass.counts_nans && !holds_non_finite(block_a, count)) continue;
    if constexpr (std::is_same_v<T, std::uint32_t>) {
      id_differences_of(block_a, block_b, count, d);
    } else {
      if constexpr (std::is_same_v<T, Half>) {
        const RowFormat halves = {PixelType::half, 1, {}};
        rows_to_working(halves, block_a, floats.a.data(), count);
        rows_to_working(halves, block_b, floats.b.data(), count);
      }
      with_best_instructions([&] {
        differences_of(block_a, block_b, floats, count, d);
        states_of(count, pass.limits, d);
        if (!lanes.used) std::fill_n(lanes.sums.begin(), lane_count * channels, 0.0);
        add_squares(block_a, block_b, floats, count, d, lanes.sums.data());
      });
      lanes.used = true;
      if constexpr (std::is_same_v<T, float>) {
        for (std::size_t i = 0; pass.is_matte && i < count; ++i) {
          if (i % channels % 2 != 0) continue;
          d.absolute[i] = d.relative[i] = d.steps[i] = 0;
          d.states[i] = matte_id_state(bits_of(block_a[i]), bits_of(block_b[i]));
        }
      }
      if constexpr (Order<T>::has_nan) {
        for (std::size_t i = 0; pass.counts_nans && i < count; ++i)
          if (Order<T>::is_nan(block_a[i]) && Order<T>::is_nan(block_b[i]))
            d.states[i] |= pixel_state::nan;
      }
    }
    std::uint32_t any = 0;
    with_best_instructions([&] {
      for (std::size_t i = 0; i < count; ++i) any |= d.states[i];
      row.relative = std::max(row.relative, largest(d.relative.data(), count));
      row.steps = std::max(row.steps, largest(d.steps.data(), count));
    });
    if (any == 0) continue;
    std::uint32_t top = 0;
    with_best_instructions([&] { top = largest(d.absolute.data(), count); });
    row.absolute = std::max(row.absolute, top);
    const std::uint32_t badness = badness_of(top, any);
    if (badness > row.badness) {
      row.badness = badness;
      std::size_t i = 0;
      while (badness_of(d.absolute[i], d.states[i]) != badness) ++i;
      row.worst = static_cast<std::uint32_t>(x0) * channels + static_cast<std::uint32_t>(i);
    }
    const std::uint8_t* block_ignored = ignored == nullptr ? nullptr : ignored + x0;
    const PixelStates found = pixel_states<channels>(d.states.data(), pixels, block_ignored);
    with_best_instructions([&] { count_states(found, pixels, any, row.counts); });
    count_values<channels>(d.states.data(), pixels, block_ignored, any, row.counts);
    for (int p = 0; row.first_x == RowFigures::none && p < pixels; ++p)
      if ((found[static_cast<std::size_t>(p)] & pixel_state::differs) != 0)
        row.first_x = static_cast<std::uint32_t>(x0 + p);
    for (int p = 0; states != nullptr && p < pixels; ++p)
      states[x0 + p] = static_cast<std::uint8_t>(found[static_cast<std::size_t>(p)]);
  }
  if (lanes.used) row.squares = sum_of_lanes(lanes.sums.data(), lane_count, channels);
}

}  // namespace

void find_row_figures_on_cpu(const ComparedLayers& layers, const DifferencePass& pass,
                             std::span<RowFigures> rows) {
  const Rect& window = layers.window();
  const LayerSpec& about = layers.spec();
  const auto width = static_cast<std::size_t>(window.width);
  const int items = ceil_div(window.height, rows_per_item);
  layers.queue().for_each(items, [&](int item) {
    const int end = std::min(window.height, (item + 1) * rows_per_item);
    for (int y = item * rows_per_item; y < end; ++y) {
      const std::size_t start = static_cast<std::size_t>(y) * width;
      const std::byte *a = layers.golden().row(layers.layer(), window.y + y),
                      *b = layers.result().row(layers.layer(), window.y + y);
      with_stored_type(about.type, [&](auto t) {
        using T = typename decltype(t)::type;
        with_channels(about.channel_count(), [&](auto n) {
          compare_row<T, n()>(reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b),
                              window.width, pass,
                              pass.ignored.empty() ? nullptr : pass.ignored.data() + start,
                              pass.states == nullptr ? nullptr : pass.states->data() + start,
                              rows[static_cast<std::size_t>(y)]);
        });
      });
    }
  });
}

}  // namespace cuimg
