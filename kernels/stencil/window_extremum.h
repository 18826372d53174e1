// SPDX-License-Identifier: Apache-2.0
// The least or greatest value of a window, and the shape of round windows.
#pragma once

#include <cstdint>

#include "kernels/math/order.h"
#include "kernels/stencil/window.h"

namespace cuimg {

/// The least value; with flipped keys, the greatest. NaN is ignored unless there is nothing else,
/// which gives the canonical NaN.
/// @tparam Wide an integer that can hold the keys.
template <class T, class Wide = typename Order<T>::Key>
struct LeastFold {
  using Stored = T;
  using State = Wide;
  using Key = typename Order<T>::Key;
  Wide flip = 0;  ///< All bits of a key for the greatest value, otherwise 0.

  CUIMG_HD static LeastFold least() { return {}; }
  CUIMG_HD static LeastFold greatest() { return {static_cast<Wide>(static_cast<Key>(~Key{}))}; }

  CUIMG_HD static constexpr State neutral() { return Order<T>::highest; }
  CUIMG_HD State load(Stored value) const {
    const auto key = static_cast<State>(Order<T>::key(value) ^ flip);
    return Order<T>::is_nan(value) ? neutral() : key;
  }
  CUIMG_HD static State join(State a, State b) { return b < a ? b : a; }
  CUIMG_HD Stored store(State key) const {
    if (Order<T>::has_nan && key == neutral()) return Order<T>::nan();
    return Order<T>::value(static_cast<Key>(key ^ flip));
  }
};

/// How far an ellipse reaches to each side, `dy` rows from its centre: the largest dx with
/// (dx / rx)^2 + (dy / ry)^2 <= 1, in integers. @param dy at most ry away from 0.
constexpr int ellipse_reach(int rx, int ry, int dy) {
  if (ry == 0) return rx;
  const auto square = [](std::int64_t v) { return v * v; };
  const std::int64_t room = square(rx) * (square(ry) - square(dy));
  // By bisection: dx fits if dx^2 * ry^2 <= rx^2 * (ry^2 - dy^2).
  int low = 0, high = rx;
  while (low < high) {
    const int dx = (low + high + 1) / 2;
    if (square(dx) * square(ry) <= room)
      low = dx;
    else
      high = dx - 1;
  }
  return low;
}

}  // namespace cuimg
