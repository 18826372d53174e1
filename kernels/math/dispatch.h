// SPDX-License-Identifier: Apache-2.0
// Turns a number of channels that is known at run time into a compile-time constant.
#pragma once

#include <type_traits>

namespace cuimg {

/// use(N) with N = `channels` as a std::integral_constant: `[&](auto n) { run_with<n()>(...); }`.
/// @param channels 1 to 4.
template <class Use>
decltype(auto) with_channels(int channels, const Use& use) {
  switch (channels) {
    case 1:
      return use(std::integral_constant<int, 1>{});
    case 2:
      return use(std::integral_constant<int, 2>{});
    case 3:
      return use(std::integral_constant<int, 3>{});
    default:
      return use(std::integral_constant<int, 4>{});
  }
}

/// The same on a card, where three channels are stored as four.
/// @param channels 1, 2 or 4.
template <class Use>
decltype(auto) with_stored_channels(int channels, const Use& use) {
  switch (channels) {
    case 1:
      return use(std::integral_constant<int, 1>{});
    case 2:
      return use(std::integral_constant<int, 2>{});
    default:
      return use(std::integral_constant<int, 4>{});
  }
}

}  // namespace cuimg
