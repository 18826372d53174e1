// SPDX-License-Identifier: Apache-2.0
// Small medians on the CPU: the networks of kernels/stencil/median_network.h over vectors of
// neighbouring values.

// All functions to which vectors are passed are inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

#include <cstring>

#include "base/instruction_set.h"
#include "image/dispatch.h"
#include "kernels/stencil/median_network.h"
#include "stages/filter/median/median.h"
#include "stages/filter/median/median_rows.h"

namespace cuimg {
namespace {

constexpr int lane_bytes = 32;

template <class Key>
struct LanesOf {
  typedef Key type __attribute__((vector_size(lane_bytes)));
};

// As many neighbouring columns as a vector has values.
template <class T, int size>
void median_lanes(const KeyRows<T>& keys, int begin, const Frame& target) {
  using Key = typename Order<T>::Key;
  using Lanes = typename LanesOf<Key>::type;
  const Rect& t = target.region();
  const int channels = keys.channels(), last_row = keys.rows() - 1;
  const int lanes = std::min<int>(lane_bytes / sizeof(Key), t.width * channels - begin);
  // Row 0 of the keys is `radius` rows above the target; steps may read rows past the last.
  constexpr int radius = size / 2;
  const auto row = [&](int y) {
    Keys<Lanes, size> result;
    const Key* from = keys.row(std::min(y + radius, last_row)) + begin;
    for (int k = 0; k < size; ++k) std::memcpy(&result.v[k], from + k * channels, lane_bytes);
    return result;
  };
  const auto out = [&](int y, const Lanes& median) {
    if (y < t.height)
      std::memcpy(target.pixel_as<Key>(t.x, t.y + y) + begin, &median,
                  static_cast<std::size_t>(lanes) * sizeof(Key));
  };
  MedianColumn<Lanes, size> column;
  column.begin(0, row);
  for (int y = 0; y < t.height; y += column.rows) column.step(y, row, out);

  if (!keys.may_hold_nan(0, keys.rows(), begin, begin + lanes + 2 * radius * channels)) return;
  for (int y = 0; y < t.height; ++y)
    if (keys.may_hold_nan(y, y + size, begin, begin + lanes + 2 * radius * channels))
      for (int i = begin; i < begin + lanes; ++i)
        target.pixel_as<Key>(t.x, t.y + y)[i] = keys.selected(size, y, i);
}

template <class T, int size>
void median_by_network(const KeyRows<T>& keys, const Frame& target) {
  const int values = target.region().width * keys.channels();
  const int lanes = lane_bytes / static_cast<int>(sizeof(typename Order<T>::Key));
  with_best_instructions([&] {
    for (int begin = 0; begin < values; begin += lanes) median_lanes<T, size>(keys, begin, target);
  });
}

template <class T>
void median(const MedianPlan& plan, const Frame& source, const Frame& target) {
  const Rect& t = target.region();
  const int radius = plan.radius();
  const KeyRows<T> keys(plan.borders.padded(source, grown(t, radius, radius)));
  if (plan.size == 3)
    median_by_network<T, 3>(keys, target);
  else if (plan.size == 5)
    median_by_network<T, 5>(keys, target);
  else if (plan.size == 7)
    median_by_network<T, 7>(keys, target);
  else
    count_medians(keys, plan.size, target);
  const int values = t.width * keys.channels();
  for (int y = t.y; y < t.bottom(); ++y) {
    T* row = target.pixel_as<T>(t.x, y);
    for (int i = 0; i < values; ++i) {
      typename Order<T>::Key key;
      std::memcpy(&key, row + i, sizeof key);
      row[i] = Order<T>::value(key);
    }
  }
}

}  // namespace

void median_on_cpu(const MedianPlan& plan, const Frame& source, const Frame& target) {
  with_texel_type(target.format().type,
                  [&](auto type) { median<typename decltype(type)::type>(plan, source, target); });
}

}  // namespace cuimg
