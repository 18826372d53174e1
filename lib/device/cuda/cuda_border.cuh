// SPDX-License-Identifier: Apache-2.0
// The border's rule on a card.
#pragma once

#include "kernels/texture/border.h"

namespace cuimg {

namespace detail {
// Not inlined, because it is rarely needed and its divisions are long.
__device__ __noinline__ inline int index_beyond(BorderAxis axis, int i) { return axis(i); }
}  // namespace detail

/// The pixel to read for index i, or BorderAxis::nothing.
__device__ inline int border_index(const BorderAxis& axis, int i) {
  return i >= axis.low && i < axis.high ? i : detail::index_beyond(axis, i);
}

}  // namespace cuimg
