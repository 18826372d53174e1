// SPDX-License-Identifier: Apache-2.0
// Code that both of the CPU's algorithms for medians use: a region's keys with its surroundings,
// and the positions of NaNs among them.
#pragma once

#include <algorithm>
#include <vector>

#include "device/frame.h"
#include "kernels/math/order.h"

namespace cuimg {

/// Rows of keys, with channels interleaved. NaNs have no order; is_nan() finds them.
template <class T>
class KeyRows {
 public:
  using Key = typename Order<T>::Key;
  static constexpr int chunk = 64;  ///< One flag says whether any of this many values is a NaN.

  /// @param frame host rows of T.
  explicit KeyRows(const Frame& frame)
      : channels_(frame.format().channels),
        rows_(frame.region().height),
        values_(frame.region().width * channels_),
        pitch_((values_ + 2 * chunk) / chunk * chunk),
        keys_(static_cast<std::size_t>(pitch_) * static_cast<std::size_t>(rows_)),
        nan_(Order<T>::has_nan ? keys_.size() / chunk : 0) {
    for (int y = 0; y < rows_; ++y) {
      const T* from = frame.pixel_as<T>(frame.region().x, frame.region().y + y);
      Key* to = row(y);
      for (int i = 0; i < values_; ++i) to[i] = Order<T>::key(from[i]);
      if constexpr (Order<T>::has_nan)
        for (int begin = 0; begin < values_; begin += chunk) {
          unsigned any = 0;
          for (int i = begin; i < std::min(begin + chunk, values_); ++i)
            any |= static_cast<unsigned>(Order<T>::is_nan(from[i]));
          nan_[flag(y, begin)] = static_cast<std::uint8_t>(any);
        }
    }
  }

  int channels() const { return channels_; }
  int rows() const { return rows_; }
  int values() const { return values_; }
  /// Rows may be read `chunk` values past their end.
  Key* row(int y) { return keys_.data() + static_cast<std::ptrdiff_t>(y) * pitch_; }
  const Key* row(int y) const { return keys_.data() + static_cast<std::ptrdiff_t>(y) * pitch_; }

  /// Whether there may be a NaN in these rows and values.
  bool may_hold_nan(int top, int bottom, int begin, int end) const {
    if constexpr (Order<T>::has_nan)
      for (int y = top; y < bottom; ++y)
        for (int i = begin / chunk * chunk; i < std::min(end, values_); i += chunk)
          if (nan_[flag(y, i)] != 0) return true;
    return false;
  }

  static bool is_nan(Key key) {
    if constexpr (Order<T>::has_nan)
      return Order<T>::is_nan(Order<T>::value(key));
    else
      return false;
  }

  /// The median of a window, selected by its definition. @param top, begin the window's first row
  /// and value.
  Key selected(int size, int top, int begin) const {
    Key found[31 * 31];
    int count = 0;
    for (int y = top; y < top + size; ++y)
      for (int k = 0; k < size; ++k) {
        const Key key = row(y)[begin + k * channels_];
        if (!is_nan(key)) found[count++] = key;
      }
    if (count == 0) return Order<T>::key(Order<T>::nan());
    std::nth_element(found, found + (count - 1) / 2, found + count);
    return found[(count - 1) / 2];
  }

 private:
  std::size_t flag(int y, int value) const {
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(pitch_) +
            static_cast<std::size_t>(value)) /
           chunk;
  }

  int channels_, rows_, values_, pitch_;
  std::vector<Key> keys_;
  std::vector<std::uint8_t> nan_;
};

/// For windows larger than 7 pixels. Stores keys instead of the target's values.
template <class T>
void count_medians(const KeyRows<T>& keys, int size, const Frame& target);

}  // namespace cuimg
