// SPDX-License-Identifier: Apache-2.0
// Per-pixel operations over rows: each operation's loop compiled once for plain x86-64 and once for
// AVX2 with FMA, the same bits. Channels lie apart, so that a loop takes eight pixels at a time.
#include <cstddef>

#include "image/instruction_set.h"
#include "stages/pixel_pass.h"

namespace cuimg {
namespace {

struct RowOf {
  float* const (&planes)[4];
  std::size_t count;
  PixelShape* shape;

  template <class Op>
  void operator()(const Op& op) const {
    if constexpr (ValueOp<Op>)
      for_channels(op);
    else
      for_pixels(op);
  }

  template <class Op>
  void for_channels(const Op& op) const {
    for (int c = 0; c < 4; ++c)
      if (has_channel(op.channels, c))
        with_best_instructions([op, values = planes[c], n = count] {
          for (std::size_t i = 0; i < n; ++i) values[i] = op.value(values[i]);
        });
  }

  template <class Op>
  void for_pixels(const Op& op) const {
    PixelShape after = *shape;
    with_best_instructions([&, op, before = *shape, n = count] {
      float* __restrict const r = planes[0];
      float* __restrict const g = planes[1];
      float* __restrict const b = planes[2];
      float* __restrict const a = planes[3];
      for (std::size_t i = 0; i < n; ++i) {
        float v[4] = {r[i], g[i], b[i], a[i]};
        PixelShape each = before;
        op(v, each);
        r[i] = v[0], g[i] = v[1], b[i] = v[2], a[i] = v[3];
        after = each;
      }
    });
    *shape = after;
  }
};

}  // namespace

PixelShape run_pixel_ops(std::span<const PixelOp> ops, float* const (&planes)[4], std::size_t count,
                         PixelShape shape) {
  for (const PixelOp& op : ops) op.visit(RowOf{planes, count, &shape});
  return shape;
}

}  // namespace cuimg
