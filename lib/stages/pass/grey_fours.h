// SPDX-License-Identifier: Apache-2.0
// Rewrites operations on pixels with one channel as operations on texels of four such pixels. Then
// a card moves floats in words of 16 bytes and selects an operation once for four of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "kernels/color/pixel_ops.h"

namespace cuimg {

/// The shape of a texel of four grey pixels for operations: four colours without alpha.
inline constexpr PixelShape grey_fours{4, 4, -1};

inline bool is_grey(const PixelShape& shape) {
  return shape.channels == 1 && shape.colors == 1 && shape.alpha == -1;
}

namespace detail {

inline std::uint8_t mask_of_fours(std::uint8_t channels) {
  return has_channel(channels, 0) ? 15 : 0;
}
inline void repeat_first(float (&values)[4]) { std::fill_n(values + 1, 3, values[0]); }

template <class Op>
std::optional<PixelOp> op_of_fours(Op op) {
  if constexpr (!ValueOp<Op>)
    return std::nullopt;
  else {
    op.channels = mask_of_fours(op.channels);
    return op;
  }
}
inline std::optional<PixelOp> op_of_fours(Scale op) {
  repeat_first(op.factor);
  return op;
}
template <class Rule>
std::optional<PixelOp> op_of_fours(WithValue<Rule> op) {
  repeat_first(op.value);
  return op;
}
inline std::optional<PixelOp> op_of_fours(Line op) {
  repeat_first(op.from);
  repeat_first(op.slope);
  repeat_first(op.slope_low);
  repeat_first(op.to);
  op.channels = mask_of_fours(op.channels);
  return op;
}
inline std::optional<PixelOp> op_of_fours(Limit op) {
  if (op.by_alpha != -1) return std::nullopt;
  repeat_first(op.low);
  repeat_first(op.high);
  op.channels = mask_of_fours(op.channels);
  return op;
}

}  // namespace detail

/// The operation on a texel of grey_fours that does the same as `any` on each grey pixel. @returns
/// nothing if `any` mixes channels or changes their number.
inline std::optional<PixelOp> op_of_grey_fours(const PixelOp& any) {
  std::optional<PixelOp> made;
  any.visit([&](const auto& op) { made = detail::op_of_fours(op); });
  return made;
}

}  // namespace cuimg
