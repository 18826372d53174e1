// SPDX-License-Identifier: Apache-2.0
// A per-pixel operation is a small functor on the four floats of one pixel, so that any number of
// them run one after the other in registers, in one pass.
#pragma once

#include <cstdint>

#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// Which of a pixel's four values are meaningful: colours come first, followed by alpha.
struct PixelShape {
  std::int8_t channels = 4;
  std::int8_t colors = 3;  ///< R, G and B, or Y: the channels that colour operations change.
  std::int8_t alpha = 3;   ///< Alpha's index, or -1.
};

/// Whether a mask of channels contains c, as bit c.
CUIMG_HD inline bool has_channel(std::uint8_t channels, int c) {
  return ((channels >> c) & 1) != 0;
}

// A per-pixel operation is a trivially copyable struct with
//   CUIMG_HD void operator()(float* v, PixelShape& shape) const;
// v holds four floats; those beyond shape.channels are unspecified. One that changes the number of
// channels changes the shape too. One that reads a table has the members
//   const float* table; int table_size;
// and the table is on the device where the operation runs.
// One that changes each value separately has instead
//   std::uint8_t channels;  // a mask of the changed channels
//   CUIMG_HD float value(float x) const;
// which a CPU applies to many values together, and whose code a card contains only once.
// One whose results depend only on the same channel and alpha declares:
//   static constexpr bool by_channel = true;

template <class Op>
concept TableOp = requires(const Op& op) {
  op.table;
  op.table_size;
};

template <class Op>
concept ValueOp = requires(const Op& op, float x) {
  op.value(x);
  op.channels;
};

template <class Op>
concept ByChannelOp = ValueOp<Op> || requires {
  requires Op::by_channel;
};

}  // namespace cuimg
