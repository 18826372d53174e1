// SPDX-License-Identifier: Apache-2.0
// The light of tiles of narrow pixels of four channels, folded down the columns
// and along the rows of small boxes, and made pixels of the target's form.
#pragma once

#include "stages/window/form_values.cuh"
#include "stages/window/narrow_tiles.cuh"

namespace cuimg::detail {

struct LightForms {
  FormRows<4> source;
  FormTarget<4> target;
  bool keeps_type;  ///< The target is of the source's type.
};

inline LightForms light_forms(CudaQueue& card, const Frame& source, const Frame& target) {
  return {form_rows<4>(card, source), form_target<4>(card, target),
          source.as_stored().format().type == target.as_stored().format().type};
}

template <class T>
struct LightTables {
  float light[light_of_codes];
  std::uint32_t codes[std::is_same_v<T, std::uint8_t> ? Srgb8Tables::buckets : 1];
};

/// Of each channel, what is made of the columns.
using LightTile = float[4][tile_rows][tile_threads];

/// All threads of a block call it before they read light or store codes, and
/// meet after it.
template <class T>
__device__ inline void ready_tables(LightForms& forms, LightTables<T>& tables) {
  ready_loads(forms.source, tables.light, static_cast<int>(threadIdx.x), tile_threads);
  if constexpr (std::is_same_v<T, std::uint8_t>)
    ready_stores(forms.target, tables.codes, static_cast<int>(threadIdx.x), tile_threads);
}

/// @param fold of float values to a State, as kernels/stencil/window.h has it.
template <class T, class Fold>
__device__ inline void fold_light_down(const Fold& fold, const FormRows<4>& form, int width,
                                       const Quad<T> (&rows)[most_rows], LightTile& made) {
  using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
  using State = typename Fold::State;
  const auto light = [&](int k, int c, bool is_alpha) {
    constexpr int each = 4 / sizeof(T);
    const auto bits = static_cast<Bits>(rows[k].v[c / each] >> (8 * sizeof(T) * (c % each)));
    return light_of(form, __builtin_bit_cast(T, bits), is_alpha);
  };
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    State values[most_rows], sums[tile_rows];
#pragma unroll
    for (int k = 0; k < most_rows; ++k) {
      values[k] = State{};
      if (k < tile_rows + width - 1) {
        float v = light(k, c, c == 3 && form.form.has_alpha);
        if (c < 3 && form.form.is_straight) v *= light(k, 3, true);
        values[k] = fold.load(v);
      }
    }
    fold_windows<tile_rows>(width, values, sums,
                            [&](const State& a, const State& b) { return fold.join(a, b); });
#pragma unroll
    for (int j = 0; j < tile_rows; ++j) made[c][j][threadIdx.x] = fold.store(sums[j]);
  }
}

/// The values of `item` pixels of a row, from the one on at which the first
/// window begins.
template <class Fold>
__device__ inline void fold_light_across(const Fold& fold, int width, const float* row,
                                         float (&made)[item]) {
  using State = typename Fold::State;
  constexpr int most_values = item + widest - 1;
  State values[most_values], sums[item];
#pragma unroll
  for (int i = 0; i < most_values; i += 4) {
    float4 four = {};
    if (i < item + width - 1) four = *reinterpret_cast<const float4*>(row + i);
    const float v[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (i + k < most_values) values[i + k] = fold.load(v[k]);
  }
  fold_windows<item>(width, values, sums,
                     [&](const State& a, const State& b) { return fold.join(a, b); });
#pragma unroll
  for (int q = 0; q < item; ++q) made[q] = fold.store(sums[q]);
}

/// Makes and stores `item` pixels. @param x, y of the first, from the target's
/// corner. @param row, column of the tile at which its window begins.
template <class T, class Fold>
__device__ inline void finish_light(const Fold& fold, const TilePass<T>& p, const LightForms& forms,
                                    const LightTile& light, int row, int column, int x, int y) {
  Pixel<4> pixels[item];
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    float made[item];
    fold_light_across(fold, 2 * p.rx + 1, &light[c][row][column], made);
#pragma unroll
    for (int q = 0; q < item; ++q) pixels[q].v[c] = made[q];
  }
  if (!forms.keeps_type) {
#pragma unroll
    for (int q = 0; q < item; ++q)
      if (x + q < p.target.width) forms.target.store(p.target.x + x + q, p.target.y + y, pixels[q]);
    return;
  }
  const FormTarget<4>& target = forms.target;
  Quad<T> quads[item];
#pragma unroll
  for (int q = 0; q < item; ++q) {
    const float alpha = pixels[q].v[3];
    if (std::is_integral_v<T> && target.form.is_straight) {
      const float reciprocal = reciprocal_of(alpha);
#pragma unroll
      for (int c = 0; c < 3; ++c)
        pixels[q].v[c] = color_over_alpha(pixels[q].v[c], alpha, reciprocal);
    }
    PackedTexel<T, 4> texel;
#pragma unroll
    for (int c = 0; c < 4; ++c)
      texel.v[c] = stored_as<T>(target, pixels[q].v[c], c == 3 && target.form.has_alpha);
    quads[q] = __builtin_bit_cast(Quad<T>, texel);
  }
  store_quads<T, 4>(p, 4 * x, y, quads);
}

}  // namespace cuimg::detail
