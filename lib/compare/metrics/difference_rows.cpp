// SPDX-License-Identifier: Apache-2.0
// Blocks of values: differences into small arrays by a loop that the compiler vectorises, then
// maxima and counts over those arrays. Rows that are equal in every byte are skipped.
#include "compare/metrics/difference_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/instruction_set.h"
#include "image/dispatch.h"
#include "image/row_convert.h"
#include "kernels/compare/value_difference.h"
#include "kernels/math/dispatch.h"
#include "kernels/math/order.h"

namespace cuimg {
namespace {

constexpr int block_pixels = 256;
constexpr int rows_per_item = 16;
constexpr std::size_t lanes = 8;

// Of one row.
struct RowTotals {
  std::array<double, lanes> squares{};
  std::array<std::uint64_t, 7> counts{};  // by bit of pixel_state; the last two count values
  std::uint32_t absolute = 0, relative = 0, steps = 0;  // floats by their bits
  int first_x = -1, worst_x = -1, worst_channel = 0;
  std::uint32_t worst = 0;  // bits of the largest difference; infinity for a mismatch
};

struct RowsTotals {
  Differences sums;
  std::uint32_t worst = 0;
  int first_x = -1, first_y = 0, worst_x = -1, worst_y = 0, worst_channel = 0;
};

constexpr std::uint32_t infinity_bits = 0x7f800000u;

// Of a block, as bits where they are floats: integers have a maximum that vectorises.
template <class T>
struct Arrays {
  std::array<std::uint32_t, 4 * block_pixels> absolute, relative, steps, states;
};

// A block's halves as floats. Apart from Arrays: a loop that reads the one and writes the other is
// vectorised where the compiler sees that they do not overlap.
struct Floats {
  std::array<float, 4 * block_pixels> a, b;
};

std::uint32_t largest(const std::uint32_t* values, std::size_t count) {
  std::uint32_t result = 0;
  for (std::size_t i = 0; i < count; ++i) result = values[i] > result ? values[i] : result;
  return result;
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
    out.states[i] = d.mismatch * pixel_state::mismatch;
  }
}

// Differences are 0 or more and no NaN, so that their bits have their order. A limit that is below
// 0 or no number holds nothing.
std::int32_t limit_bits(float limit) {
  return limit >= 0 ? static_cast<std::int32_t>(bits_of(abs(limit))) : -1;
}

// All in integers, which compilers vectorise.
template <class T>
void states_of(std::size_t count, const ValueLimits& limits, Arrays<T>& out) {
  using namespace pixel_state;
  const std::int32_t fail = limit_bits(limits.fail), relative = limit_bits(limits.fail_relative);
  const std::int32_t warn = limit_bits(limits.warn), warn_more = limit_bits(limits.warn_relative);
  const std::int32_t hard = limit_bits(limits.hard_fail), hard_warn = limit_bits(limits.hard_warn);
  const std::uint32_t ulp = limits.max_ulp;
  const auto bit = [](bool is, std::uint32_t state) {
    return (0u - static_cast<std::uint32_t>(is)) & state;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto distance = static_cast<std::int32_t>(out.absolute[i]);
    const auto share = static_cast<std::int32_t>(out.relative[i]);
    const std::uint32_t steps = out.steps[i];
    // What does not match breaks every limit of failing.
    const std::uint32_t none = 0u - (out.states[i] >> 5);
    out.states[i] |= bit(steps != 0, differs) | bit(distance > fail, fails) |
                     bit(share > relative, fails) | bit(steps > ulp, fails) |
                     bit(distance > warn, warns) | bit(share > warn_more, warns) |
                     bit(distance > hard, fails_hard) | bit(distance > hard_warn, warns_hard) |
                     (none & (differs | fails | fails_hard));
  }
}
static_assert(pixel_state::mismatch == 1 << 5);

// Ids have no distance: they are equal or not, and no limit allows the latter.
void id_differences_of(const std::uint32_t* a, const std::uint32_t* b, std::size_t count,
                       Arrays<std::uint32_t>& out) {
  using namespace pixel_state;
  for (std::size_t i = 0; i < count; ++i) {
    out.absolute[i] = out.relative[i] = out.steps[i] = 0;
    out.states[i] = select(a[i] != b[i], std::uint32_t{differs | fails | fails_hard}, 0u);
  }
}

template <class T>
void add_squares(const T* a, const T* b, const Floats& floats, std::size_t count,
                 const Arrays<T>& d, std::array<double, lanes>& to) {
  std::array<double, lanes> sums = to;
  const auto square = [&](std::size_t i) {
    if constexpr (std::is_same_v<T, float>) {
      const double difference = finite_difference(a[i], b[i]);
      return difference * difference;
    } else if constexpr (std::is_same_v<T, Half>) {
      const double difference = finite_difference(floats.a[i], floats.b[i]);
      return difference * difference;
    } else {
      const auto difference = static_cast<double>(static_cast<std::int32_t>(d.steps[i]));
      return difference * difference;
    }
  };
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t j = 0; j < lanes; ++j) sums[j] += square(i + j);
  for (std::size_t j = 0; i < count; ++i, ++j) sums[j] += square(i);
  to = sums;
}

using PixelStates = std::array<std::uint32_t, block_pixels>;

// What each pixel is: all that its values are.
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

// Adds up pixels by the bits of their states, but for the last two bits, which count values.
void count_states(const PixelStates& states, int pixels, std::uint32_t any,
                  std::array<std::uint64_t, 7>& counts) {
  for (std::size_t bit = 0; bit < 5; ++bit) {
    if ((any >> bit & 1u) == 0) continue;
    std::uint32_t sum = 0;
    for (int p = 0; p < pixels; ++p) sum += states[static_cast<std::size_t>(p)] >> bit & 1u;
    counts[bit] += sum;
  }
}

template <int channels>
void count_values(const std::uint32_t* values, int pixels, const std::uint8_t* ignored,
                  std::uint32_t any, std::array<std::uint64_t, 7>& counts) {
  if ((any & (pixel_state::mismatch | pixel_state::nan)) == 0) return;
  for (int p = 0; p < pixels; ++p) {
    if (ignored != nullptr && ignored[p] != 0) continue;
    for (int c = 0; c < channels; ++c) {
      counts[5] += values[p * channels + c] >> 5 & 1u;
      counts[6] += values[p * channels + c] >> 6 & 1u;
    }
  }
}

template <class T, int channels>
void compare_row(const T* a, const T* b, int width, bool matte, const ValueLimits& limits,
                 const std::uint8_t* ignored, std::uint8_t* states, RowTotals& row) {
  Arrays<T> d;
  Floats floats;
  for (int x0 = 0; x0 < width; x0 += block_pixels) {
    const int pixels = std::min(block_pixels, width - x0);
    const auto count = static_cast<std::size_t>(pixels) * channels;
    const T *block_a = a + static_cast<std::size_t>(x0) * channels,
            *block_b = b + static_cast<std::size_t>(x0) * channels;
    const bool equal = std::memcmp(block_a, block_b, count * sizeof(T)) == 0;
    if (equal && !limits.counts_nans) continue;
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
        states_of(count, limits, d);
        add_squares(block_a, block_b, floats, count, d, row.squares);
      });
      if constexpr (std::is_same_v<T, float>) {
        for (std::size_t i = 0; matte && i < count; ++i) {
          if (i % channels % 2 != 0) continue;
          const bool same = bits_of(block_a[i]) == bits_of(block_b[i]);
          d.absolute[i] = d.relative[i] = d.steps[i] = 0;
          d.states[i] = same ? 0 : pixel_state::differs | pixel_state::fails;
        }
      }
      if constexpr (Order<T>::has_nan) {
        for (std::size_t i = 0; limits.counts_nans && i < count; ++i)
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
    const bool has_mismatch = (any & pixel_state::mismatch) != 0;
    // Ids that differ are as far apart as can be.
    const bool has_id = (any & pixel_state::differs) != 0 && top == 0 && !has_mismatch;
    const std::uint32_t key = has_mismatch ? infinity_bits : (has_id ? 1u : top);
    if (key > row.worst) {
      row.worst = key;
      for (std::size_t i = 0; i < count; ++i) {
        const bool here = has_mismatch ? (d.states[i] & pixel_state::mismatch) != 0
                          : has_id     ? (d.states[i] & pixel_state::differs) != 0
                                       : d.absolute[i] == top;
        if (!here) continue;
        row.worst_x = x0 + static_cast<int>(i) / channels;
        row.worst_channel = static_cast<int>(i) % channels;
        break;
      }
    }
    const std::uint8_t* block_ignored = ignored == nullptr ? nullptr : ignored + x0;
    const PixelStates found = pixel_states<channels>(d.states.data(), pixels, block_ignored);
    with_best_instructions([&] { count_states(found, pixels, any, row.counts); });
    count_values<channels>(d.states.data(), pixels, block_ignored, any, row.counts);
    for (int p = 0; row.first_x < 0 && p < pixels; ++p)
      if ((found[static_cast<std::size_t>(p)] & pixel_state::differs) != 0) row.first_x = x0 + p;
    for (int p = 0; states != nullptr && p < pixels; ++p)
      states[x0 + p] = static_cast<std::uint8_t>(found[static_cast<std::size_t>(p)]);
  }
}

double tree_sum(const std::array<double, lanes>& s) {
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

void add_row(const RowTotals& row, int y, RowsTotals& to) {
  Differences& d = to.sums;
  d.sum_of_squares += tree_sum(row.squares);
  d.differing += row.counts[0];
  d.failing += row.counts[1];
  d.warning += row.counts[2];
  d.hard_failing += row.counts[3];
  d.hard_warning += row.counts[4];
  d.mismatches += row.counts[5];
  d.nans += row.counts[6];
  d.max_absolute = std::max(d.max_absolute, static_cast<double>(float_from_bits(row.absolute)));
  d.max_relative = std::max(d.max_relative, static_cast<double>(float_from_bits(row.relative)));
  d.max_ulp = std::max(d.max_ulp, row.steps);
  if (to.first_x < 0 && row.first_x >= 0) to.first_x = row.first_x, to.first_y = y;
  if (row.worst > to.worst) {
    to.worst = row.worst;
    to.worst_x = row.worst_x, to.worst_y = y, to.worst_channel = row.worst_channel;
  }
}

void add_rows(const RowsTotals& rows, RowsTotals& to) {
  Differences& d = to.sums;
  const Differences& r = rows.sums;
  d.sum_of_squares += r.sum_of_squares;
  d.differing += r.differing, d.failing += r.failing, d.warning += r.warning;
  d.hard_failing += r.hard_failing, d.hard_warning += r.hard_warning;
  d.mismatches += r.mismatches, d.nans += r.nans;
  d.max_absolute = std::max(d.max_absolute, r.max_absolute);
  d.max_relative = std::max(d.max_relative, r.max_relative);
  d.max_ulp = std::max(d.max_ulp, r.max_ulp);
  if (to.first_x < 0 && rows.first_x >= 0) to.first_x = rows.first_x, to.first_y = rows.first_y;
  if (rows.worst > to.worst) {
    to.worst = rows.worst;
    to.worst_x = rows.worst_x, to.worst_y = rows.worst_y, to.worst_channel = rows.worst_channel;
  }
}

double stored_value(const Image& image, int layer, int x, int y, int channel) {
  const LayerSpec& about = image.spec().layers[static_cast<std::size_t>(layer)];
  const std::byte* at =
      image.row(layer, y) +
      static_cast<std::size_t>(x - image.spec().data_window.x) * about.pixel_bytes() +
      static_cast<std::size_t>(channel) * bytes_of(about.type);
  return with_stored_type(about.type, [&](auto t) {
    using T = typename decltype(t)::type;
    T stored;
    std::memcpy(&stored, at, sizeof stored);
    if constexpr (std::is_same_v<T, std::uint32_t>)
      return static_cast<double>(stored);
    else
      return static_cast<double>(stored_to_float(stored));
  });
}

}  // namespace

ValuePlace place_of(const Image& golden, const Image& result, int layer, int x, int y,
                    int channel) {
  const LayerSpec& about = golden.spec().layers[static_cast<std::size_t>(layer)];
  ValuePlace place{0, layer, channel, about.full_name(channel), x, y};
  for (int c = 0; c < about.channel_count(); ++c) {
    place.golden_pixel.push_back(stored_value(golden, layer, x, y, c));
    place.result_pixel.push_back(stored_value(result, layer, x, y, c));
  }
  place.golden = place.golden_pixel[static_cast<std::size_t>(channel)];
  place.result = place.result_pixel[static_cast<std::size_t>(channel)];
  return place;
}

Differences find_differences(const Image& golden, const Image& result, int layer,
                             const ValueLimits& limits, const std::vector<std::uint8_t>& ignored,
                             const Queue& queue, std::vector<std::uint8_t>* states) {
  const Rect& window = golden.spec().data_window;
  const LayerSpec& about = golden.spec().layers[static_cast<std::size_t>(layer)];
  const auto width = static_cast<std::size_t>(window.width);
  if (states != nullptr) states->assign(width * static_cast<std::size_t>(window.height), 0);
  const int items = (window.height + rows_per_item - 1) / rows_per_item;
  std::vector<RowsTotals> parts(static_cast<std::size_t>(items));
  queue.for_each(items, [&](int item) {
    RowsTotals& part = parts[static_cast<std::size_t>(item)];
    const int end = std::min(window.height, (item + 1) * rows_per_item);
    for (int y = item * rows_per_item; y < end; ++y) {
      const std::size_t start = static_cast<std::size_t>(y) * width;
      const std::byte *a = golden.row(layer, window.y + y), *b = result.row(layer, window.y + y);
      RowTotals row;
      with_stored_type(about.type, [&](auto t) {
        using T = typename decltype(t)::type;
        with_channels(about.channel_count(), [&](auto n) {
          compare_row<T, n()>(reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b),
                              window.width, about.is_matte, limits,
                              ignored.empty() ? nullptr : ignored.data() + start,
                              states == nullptr ? nullptr : states->data() + start, row);
        });
      });
      add_row(row, window.y + y, part);
    }
  });
  RowsTotals all;
  for (const RowsTotals& part : parts) add_rows(part, all);
  Differences& d = all.sums;
  d.pixels = static_cast<std::uint64_t>(window.pixels()) -
             static_cast<std::uint64_t>(std::count_if(ignored.begin(), ignored.end(),
                                                      [](std::uint8_t i) { return i != 0; }));
  d.values = d.pixels * about.channels.size();
  if (about.type == PixelType::u8) d.sum_of_squares /= 255.0 * 255.0;
  if (about.type == PixelType::u16) d.sum_of_squares /= 65535.0 * 65535.0;
  if (all.first_x >= 0) {
    // Of the first pixel the first channel that differs.
    d.first = place_of(golden, result, layer, window.x + all.first_x, all.first_y, 0);
    for (std::size_t c = 0; c < d.first->golden_pixel.size(); ++c)
      if (const double a = d.first->golden_pixel[c], b = d.first->result_pixel[c];
          !(a == b) && (a == a || b == b)) {
        d.first = place_of(golden, result, layer, d.first->x, d.first->y, static_cast<int>(c));
        break;
      }
  }
  if (all.worst_x >= 0)
    d.worst =
        place_of(golden, result, layer, window.x + all.worst_x, all.worst_y, all.worst_channel);
  return d;
}

}  // namespace cuimg
