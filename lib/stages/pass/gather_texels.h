// SPDX-License-Identifier: Apache-2.0
// Whole texels of any type copied from where a caller says, for every stage that moves pixels or
// reads the nearest ones: payloads of NaN, ids and colours under zero alpha come through.
#pragma once

#include <cstring>
#include <type_traits>

#include "device/frame.h"
#include "stages/pass/border_color.h"

namespace cuimg {

/// What comes from nowhere.
inline constexpr StoredTexel zero_texel = {};

namespace detail {

template <std::size_t bytes, class Where>
void gather_row(const Frame& target, int left, int right, int y, const Where& where) {
  std::byte* to = target.pixel(left, y);
  const std::byte* from = where(left);
  for (int x = left; x < right;) {
    // Neighbours that come from neighbours are copied together.
    std::size_t length = bytes;
    const std::byte* next = nullptr;
    while (++x < right && (next = where(x)) == from + length) length += bytes;
    if (length == bytes)
      std::memcpy(to, from, bytes);
    else
      std::memcpy(to, from, length);
    to += length;
    from = next;
  }
}

}  // namespace detail

/// The pixels [left, right) of row y of a host frame.
/// @param where (x) -> const std::byte*: the texel that goes there, of the target's type.
template <class Where>
void gather_row(const Frame& target, int left, int right, int y, const Where& where) {
  if (left >= right) return;
  const auto of = [&](auto bytes) { detail::gather_row<bytes()>(target, left, right, y, where); };
  switch (target.format().pixel_bytes()) {
    case 1:
      return of(std::integral_constant<std::size_t, 1>{});
    case 2:
      return of(std::integral_constant<std::size_t, 2>{});
    case 3:
      return of(std::integral_constant<std::size_t, 3>{});
    case 4:
      return of(std::integral_constant<std::size_t, 4>{});
    case 6:
      return of(std::integral_constant<std::size_t, 6>{});
    case 8:
      return of(std::integral_constant<std::size_t, 8>{});
    case 12:
      return of(std::integral_constant<std::size_t, 12>{});
    default:
      return of(std::integral_constant<std::size_t, 16>{});
  }
}

}  // namespace cuimg
