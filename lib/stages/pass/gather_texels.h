// SPDX-License-Identifier: Apache-2.0
// Copies whole texels of any type from positions that a caller gives, for every stage that moves
// pixels or reads the nearest ones: NaN payloads, ids and colours under zero alpha are preserved.
#pragma once

#include <cstring>

#include "device/frame.h"
#include "image/dispatch.h"
#include "kernels/math/dispatch.h"
#include "stages/pass/border_color.h"

namespace cuimg {

/// The texel for positions without a source.
inline constexpr StoredTexel zero_texel = {};

namespace detail {

template <std::size_t bytes, class Where>
void gather_row(const Frame& target, int left, int right, int y, const Where& where) {
  std::byte* to = target.pixel(left, y);
  const std::byte* from = where(left);
  for (int x = left; x < right;) {
    // Adjacent texels whose sources are adjacent are copied together.
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

/// Copies the pixels [left, right) of row y of a host frame.
/// @param where (x) -> const std::byte*: the source texel, of the target's type.
template <class Where>
void gather_row(const Frame& target, int left, int right, int y, const Where& where) {
  if (left >= right) return;
  with_word_type(target.format().type, [&](auto word) {
    with_channels(target.format().channels, [&](auto n) {
      constexpr std::size_t bytes = n() * sizeof(typename decltype(word)::type);
      detail::gather_row<bytes>(target, left, right, y, where);
    });
  });
}

}  // namespace cuimg
