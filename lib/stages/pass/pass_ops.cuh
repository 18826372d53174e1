// SPDX-License-Identifier: Apache-2.0
// A pass's operations on a card: selected one after the other in one kernel, on values in
// registers.
#pragma once

#include "stages/pass/grid_cells.cuh"
#include "stages/pass/pixel_pass.h"
#include "stages/pass/whole_texels.cuh"

namespace cuimg {

/// What tables a list's operations read. Reading tables needs registers, so that fewer threads
/// would run in every other kernel: each of these is a separate kernel. The same is true of
/// operations with many numbers.
enum class PassTables : std::uint8_t {
  none,
  small,         ///< Together at most most_small_floats: every block keeps them in shared memory.
  many_numbers,  ///< No tables; also the kernel of AgX for four floats.
  any,           ///< And many numbers.
};
constexpr int most_small_floats = 1024;

template <class Op>
constexpr bool is_grid = false;
template <class How>
constexpr bool is_grid<GridTable<How>> = true;

/// Operations of a dozen numbers. When they were in every kernel, they slowed down operations of
/// two or three numbers, half exposure by 6 %: card_chains, an H200, 2026-11-30.
template <class Op>
constexpr bool has_many_numbers = false;
template <>
inline constexpr bool has_many_numbers<LogDecode> = true;
template <>
inline constexpr bool has_many_numbers<LogEncode> = true;

/// A kernel that contains AgX runs powers more slowly: gamma of four floats takes 0.319 ms without
/// it and 0.331 with it (card_chains, an H200, 2026-12-01). Of the kernels of four floats only
/// those of many numbers and of any tables contain it.
template <class Op>
constexpr bool is_agx = std::is_same_v<Op, ToneMap<AgxCurve>>;

/// @tparam four_floats whether it is a kernel of texels of four floats.
template <PassTables tables, int pixels, bool four_floats>
struct ApplyToAll {
  float (*v)[4];
  PixelShape* shape;
  const float* device_table;  ///< Small tables, at the operations' addresses,
  const float* shared_table;  ///< and at the address of the copy.

  template <class Op>
  __device__ void operator()(const Op& op) const {
    constexpr bool has_room = tables == PassTables::many_numbers ||
                              !(has_many_numbers<Op> || (four_floats && is_agx<Op>));
    if constexpr (tables == PassTables::any || (!TableOp<Op> && has_room)) {
      apply(op);
    } else if constexpr (TableOp<Op> && tables == PassTables::small && !is_grid<Op>) {
      Op placed = op;
      placed.table = shared_table + (op.table - device_table);
      apply(placed);
    }
  }

 private:
  template <class Op>
  __device__ void apply(const Op& op) const {
    if constexpr (ValueOp<Op>) {
      to_values(op);
    } else {
      if constexpr (is_grid<Op>)
        if (op.in_cells) return to_cells(op);
      to_pixels(op);
    }
  }

  // Values are rotated instead of indexed: they stay in registers, although the code contains the
  // loop's long body only once. An operation that changes only the first value needs no rotation.
  // In kernels of four floats one that changes the colours leaves alpha out, and operations of many
  // numbers are repeated instead, since their kernel has few others. Other kernels, which have no
  // registers left, become slower by both: half AgX takes 0.386 ms instead of 0.370 (card_chains,
  // an H200, 2026-12-01).
  template <class Op>
  __device__ void to_values(const Op& op) const {
    const bool first_alone = op.channels == 1, colors = four_floats && op.channels == 7;
    if constexpr (four_floats && has_many_numbers<Op>)
      if (colors) {
#pragma unroll
        for (int i = 0; i < pixels; ++i)
#pragma unroll
          for (int c = 0; c < 3; ++c) v[i][c] = op.value(v[i][c]);
        return;
      }
#pragma unroll 1
    for (int c = 0; c < (colors ? 3 : 4); ++c) {
      const bool changes = has_channel(op.channels, c);
      float x[pixels];
#pragma unroll
      for (int i = 0; i < pixels; ++i) x[i] = v[i][0];
      if (changes) {
#pragma unroll
        for (int i = 0; i < pixels; ++i) x[i] = op.value(x[i]);
      }
      if (first_alone) {
#pragma unroll
        for (int i = 0; i < pixels; ++i) v[i][0] = x[i];
        return;
      }
#pragma unroll
      for (int i = 0; i < pixels; ++i) {
        v[i][0] = v[i][1];
        v[i][1] = v[i][2];
        v[i][2] = colors ? x[i] : v[i][3];
        v[i][3] = colors ? v[i][3] : x[i];
      }
    }
  }

  // Alpha separate from the colours, without the checks that other shapes need.
  bool __device__ is_rgba() const { return shape->channels == 4 && shape->alpha == 3; }
  __device__ void to_pixels(const Premultiply& op) const {
    if (!is_rgba()) return to_pixels<Premultiply>(op);
#pragma unroll
    for (int i = 0; i < pixels; ++i) {
      if (v[i][3] != 0 || !op.keeps_uncovered) {
        premultiply_colors(v[i]);
      } else {
        PixelShape same = *shape;
        op(v[i], same);
      }
    }
  }
  __device__ void to_pixels(const Unpremultiply& op) const {
    if (!is_rgba()) return to_pixels<Unpremultiply>(op);
#pragma unroll
    for (int i = 0; i < pixels; ++i) {
      if (unpremultiply_colors(v[i])) continue;
      PixelShape same = *shape;
      op(v[i], same);
    }
  }

  template <class Op>
  __device__ void to_pixels(const Op& op) const {
    PixelShape after = *shape;
#pragma unroll
    for (int i = 0; i < pixels; ++i) {
      PixelShape each = *shape;
      op(v[i], each);
      after = each;
    }
    *shape = after;
  }

  template <class Op>
  __device__ void to_cells(const Op& op) const {
#pragma unroll
    for (int i = 0; i < pixels; ++i) apply_cells(op, v[i], *shape);
  }
};

/// The operations of a pass as one kernel argument.
struct OpList {
  PixelOp ops[most_pixel_ops + 4];  ///< the pass's operations, and its decoding and encoding
  int count = 0;
  PassTables tables = PassTables::none;
  PassTables tables_of_four_floats = PassTables::none;  ///< The same for kernels of four floats.
  const float* small_tables = nullptr;                  ///< One after the other in device memory.
  int small_floats = 0;

  template <PassTables kind, int pixels, bool four_floats = false>
  __device__ void run(float (*v)[4], PixelShape shape, const float* shared_table) const {
#pragma unroll 1
    for (int i = 0; i < count; ++i)
      ops[i].visit(ApplyToAll<kind, pixels, four_floats>{v, &shape, small_tables, shared_table});
  }
};

}  // namespace cuimg
