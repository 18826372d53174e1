// SPDX-License-Identifier: Apache-2.0
// Quotients of sizes, rounded up: the number of parts that cover a size.
#pragma once

#include <type_traits>

#include "kernels/math/platform.h"

namespace cuimg {

/// size / part, rounded up. @param size at least 0. @param part above 0; size + part - 1 must fit
/// T.
template <class T>
CUIMG_HD constexpr T ceil_div(T size, std::type_identity_t<T> part) {
  return (size + part - 1) / part;
}

/// The smallest multiple of `part` that is at least `size`, with the same limits.
template <class T>
CUIMG_HD constexpr T round_up(T size, std::type_identity_t<T> part) {
  return ceil_div(size, part) * part;
}

}  // namespace cuimg
