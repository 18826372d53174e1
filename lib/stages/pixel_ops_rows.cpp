// SPDX-License-Identifier: Apache-2.0
// Per-pixel operations over rows: each operation's loop compiled once for plain x86-64 and once for
// AVX2 with FMA, the same bits.
#include <cstddef>

#include "image/instruction_set.h"
#include "stages/pixel_pass.h"

namespace cuimg {
namespace {

struct RowOf {
  float* pixels;
  std::size_t count;
  PixelShape* shape;

  template <class Op>
  void operator()(const Op& op) const {
    PixelShape after = *shape;
    with_best_instructions([&, op, before = *shape] {
      for (std::size_t i = 0; i < count; ++i) {
        PixelShape each = before;
        op(pixels + 4 * i, each);
        after = each;
      }
    });
    *shape = after;
  }
};

}  // namespace

PixelShape run_pixel_ops(std::span<const PixelOp> ops, float* pixels, std::size_t count,
                         PixelShape shape) {
  for (const PixelOp& op : ops) op.visit(RowOf{pixels, count, &shape});
  return shape;
}

}  // namespace cuimg
