// SPDX-License-Identifier: Apache-2.0
// Per-pixel operations on rows: each operation's loop is compiled once for plain x86-64 and once
// for AVX2 with FMA, with the same bits. Channels are separate, so a loop processes eight pixels at
// a time.
#include <algorithm>
#include <cstddef>

#include "base/instruction_set.h"
#include "stages/pass/pixel_pass.h"

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
        with_best_instructions([op, values = planes[c], n = count] { to_values(op, values, n); });
  }

  template <class Op>
  static void to_values(const Op& op, float* values, std::size_t n) {
    one_by_one(op, values, n);
  }
  template <class Op>
  static void one_by_one(const Op& op, float* values, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) values[i] = op.value(values[i]);
  }
  // With few pieces, evaluating each one for all values is faster than a search for every value:
  // these loops vectorise.
  static void to_values(const Spline& op, float* values, std::size_t n) {
    constexpr int few = 16;
    if (op.first_step > few) return one_by_one(op, values, n);
    constexpr std::size_t block = 512;
    float made[block];
    while (n > 0) {
      const std::size_t count = std::min(n, block);
      for (std::size_t i = 0; i < count; ++i) made[i] = op.on_piece(values[i], 0);
      for (int k = 0; k < 2 * op.first_step - 1 && !is_nan(op.table[k]); ++k)
        for (std::size_t i = 0; i < count; ++i)
          made[i] = select(op.table[k] <= values[i], op.on_piece(values[i], k + 1), made[i]);
      std::copy_n(made, count, values);
      values += count;
      n -= count;
    }
  }

  // Colour and alpha over a background, for every format without alpha: without the branches of
  // map_light(), which would prevent vectorisation.
  void for_pixels(const MapLight& op) const {
    const LightMap& m = op.map;
    const bool keeps_order = m.to_channels == 3 && m.source_channel[0] == 0 &&
                             m.source_channel[1] == 1 && m.source_channel[2] == 2;
    if (!m.composite || m.change_primaries || m.from_channels != 4 || m.from_alpha != 3 ||
        !keeps_order)
      return for_pixels<MapLight>(op);
    with_best_instructions([this, map = m, n = count] {
      float* __restrict const r = planes[0];
      float* __restrict const g = planes[1];
      float* __restrict const b = planes[2];
      float* __restrict const a = planes[3];
      const float red = map.background[0], green = map.background[1], blue = map.background[2];
      for (std::size_t i = 0; i < n; ++i) {
        const float through = 1.0f - a[i];
        r[i] = canonical_nan(fma(through, red, r[i]));
        g[i] = canonical_nan(fma(through, green, g[i]));
        b[i] = canonical_nan(fma(through, blue, b[i]));
        a[i] = 0;
      }
    });
    *shape = op.to;
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
