// SPDX-License-Identifier: Apache-2.0
// std::ranges::contains of C++23.
#pragma once

#include <algorithm>
#include <functional>

namespace cuimg {

/// Whether an element of the range, or the projection of one, is equal to the value.
template <class Range, class Value, class Projection = std::identity>
constexpr bool contains(const Range& range, const Value& value, Projection projection = {}) {
  return std::ranges::find(range, value, projection) != std::ranges::end(range);
}

}  // namespace cuimg
