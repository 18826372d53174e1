// SPDX-License-Identifier: Apache-2.0
// Order is the same in codes and in light. Where colours have straight alpha,
// they are made light times alpha first; but where a whole tile is opaque, that
// is light itself, and the code of the least light is the least code: such
// tiles are taken as they are stored.
#include "stages/filter/extremum_tiles.h"

#include "image/dispatch.h"
#include "kernels/math/dispatch.h"
#include "stages/window/light_tiles.cuh"
#include "stages/window/narrow_tiles.cuh"
#include "stages/window/straight_forms.h"

namespace cuimg {
namespace detail {
namespace {

/// Of numbers, none of them NaN.
template <bool greatest>
struct LightExtremum {
  using State = float;
  __device__ static float load(float v) { return v; }
  __device__ static float join(float a, float b) { return greatest ? fmaxf(a, b) : fminf(a, b); }
  __device__ static float store(float v) { return v; }
};

template <class T, bool has_form>
struct TileMemory {
  Quad<T> made[tile_rows][tile_threads];
  RowPlaces row_at;
};
template <class T>
struct TileMemory<T, true> {
  union {
    Quad<T> made[tile_rows][tile_threads];
    LightTile light;
  };
  RowPlaces row_at;
  LightTables<T> tables;
};

/// Four values from `byte` on, of quads side by side.
template <class T, int words>
__device__ inline Quad<T> quad_at(const unsigned (&row)[words], int byte) {
  Quad<T> quad;
#pragma unroll
  for (int i = 0; i < Quad<T>::words; ++i) {
    const int at = byte / 4 + i, shift = 8 * (byte % 4);
    quad.v[i] = shift == 0 ? row[at] : row[at] >> shift | row[at + 1] << (32 - shift);
  }
  return quad;
}

template <class T, bool greatest>
__device__ inline void fold_quads_down(int width, const Quad<T> (&rows)[most_rows],
                                       Quad<T> (&made)[tile_rows][tile_threads]) {
  using Fold = QuadExtremum<T, greatest>;
  using State = typename Fold::State;
  State sums[2][tile_rows];
#pragma unroll
  for (int part = 0; part < 2; ++part) {
    State values[most_rows];
#pragma unroll
    for (int k = 0; k < most_rows; ++k) values[k] = Fold::load(rows[k], part);
    fold_windows<tile_rows>(width, values, sums[part], &Fold::join);
  }
#pragma unroll
  for (int j = 0; j < tile_rows; ++j) made[j][threadIdx.x] = Fold::store({sums[0][j], sums[1][j]});
}

template <class T, int N, bool greatest>
__device__ inline void fold_quads_across(int rx, const Quad<T>* row, Quad<T> (&made)[item]) {
  using Fold = QuadExtremum<T, greatest>;
  using State = typename Fold::State;
  constexpr int each = Quad<T>::words;
  constexpr int most_quads = item + (N * (widest - 1) + 3) / 4;
  // A word of room, for quads that begin within one.
  unsigned words[most_quads * each + 1];
#pragma unroll
  for (int i = 0; i < most_quads; ++i)
    if (i < item + (2 * rx * N + 3) / 4) {
#pragma unroll
      for (int w = 0; w < each; ++w) words[i * each + w] = row[i].v[w];
    } else {
#pragma unroll
      for (int w = 0; w < each; ++w) words[i * each + w] = 0;
    }
  words[most_quads * each] = 0;
  State sums[item][2];
#pragma unroll
  for (int k = 0; k < widest; ++k)
    if (k <= 2 * rx) {
#pragma unroll
      for (int q = 0; q < item; ++q) {
        const Quad<T> quad = quad_at<T>(words, static_cast<int>(sizeof(T)) * (4 * q + k * N));
#pragma unroll
        for (int part = 0; part < 2; ++part) {
          const State value = Fold::load(quad, part);
          sums[q][part] = k == 0 ? value : Fold::join(sums[q][part], value);
        }
      }
    }
#pragma unroll
  for (int q = 0; q < item; ++q) made[q] = Fold::store(sums[q]);
}

template <class T, int N, bool greatest, bool has_form>
__global__ void __launch_bounds__(tile_threads, sizeof(T) > 1 ? 4
                                                : has_form    ? 5
                                                              : 6)
    extremum_tiles(TilePass<T> p, LightForms forms) {
  __shared__ TileMemory<T, has_form> memory;
  if constexpr (has_form) ready_tables(forms, memory.tables);
  place_rows(p, memory.row_at);
  __syncthreads();
  const int wide = tile_values<N>(p.rx), width = 2 * p.ry + 1;
  const int first = static_cast<int>(blockIdx.x) * wide;
  const QuadColumn<T, N> column(p, first - p.rx * N + 4 * static_cast<int>(threadIdx.x));
  const int quads = (min(wide, p.target.width * N - first) + 3) / 4;
#pragma unroll 1
  for (int tile = 0; tile < tiles_down; ++tile) {
    const int top = (static_cast<int>(blockIdx.y) * tiles_down + tile) * tile_rows;
    const int height = p.target.height - top;
    if (height <= 0) return;
    Quad<T> rows[most_rows];
    column.load(memory.row_at + tile * tile_rows, tile_rows + width - 1, rows);
    bool in_codes = true;
    if constexpr (has_form) {
      bool is_opaque = forms.target.form.is_straight && forms.keeps_type;
#pragma unroll
      for (int k = 0; k < most_rows; ++k)
        if (k < tile_rows + width - 1)
          is_opaque = is_opaque && static_cast<T>(rows[k].v[sizeof(T) - 1] >>
                                                  (32 - 8 * sizeof(T))) == static_cast<T>(~T{});
      in_codes = __syncthreads_or(!is_opaque) == 0;
      if (!in_codes) {
        const LightExtremum<greatest> fold;
        fold_light_down<T>(fold, forms.source, width, rows, memory.light);
        __syncthreads();
        for_items(height, quads, [&](int row, int quad) {
          finish_light<T>(fold, p, forms, memory.light, row, quad, first / 4 + quad, top + row);
        });
      }
    }
    if (in_codes) {
      fold_quads_down<T, greatest>(width, rows, memory.made);
      __syncthreads();
      for_items(height, quads, [&](int row, int quad) {
        Quad<T> made[item];
        fold_quads_across<T, N, greatest>(p.rx, &memory.made[row][quad], made);
        store_quads<T, N>(p, first + 4 * quad, top + row, made);
      });
    }
    __syncthreads();
  }
}

template <class T, int N, bool has_form>
void run_tiles(CudaQueue& card, const MorphologyPlan& plan, const Frame& source,
               const Frame& target) {
  const auto p = tile_pass<T>(plan.surround, plan.radius.x, plan.radius.y, source, target);
  LightForms forms{};
  if constexpr (has_form) forms = light_forms(card, source, target);
  const dim3 grid = tile_blocks<N>(plan.radius.x, target);
  if (plan.greatest)
    extremum_tiles<T, N, true, has_form><<<grid, tile_threads, 0, card.stream()>>>(p, forms);
  else
    extremum_tiles<T, N, false, has_form><<<grid, tile_threads, 0, card.stream()>>>(p, forms);
  check_launch("extremum_tiles");
}

}  // namespace
}  // namespace detail

bool morph_in_tiles(CudaQueue& card, const MorphologyPlan& plan, const Frame& source,
                    const Frame& target) {
  using namespace detail;
  if (plan.element != Element::box || !suits_tiles(plan.radius.x, plan.radius.y, target))
    return false;
  const PixelType type = source.as_stored().format().type;
  if (source.stored_form() != nullptr) {
    const TexelForm from = source.stored_form()->on(card);
    const bool is_known = (type == PixelType::u8 || type == PixelType::u16) &&
                          source.format().stored_channels() == 4 && from.is_straight;
    if (!is_known ||
        (target.stored_form() != nullptr && !have_one_straight_form(card, source, target)))
      return false;
    if (type == PixelType::u8)
      run_tiles<std::uint8_t, 4, true>(card, plan, source, target);
    else
      run_tiles<std::uint16_t, 4, true>(card, plan, source, target);
    return true;
  }
  if (target.stored_form() != nullptr || type == PixelType::f32) return false;
  with_texel_type(type, [&](auto stored) {
    using T = typename decltype(stored)::type;
    if constexpr (!std::is_same_v<T, float>)
      with_stored_channels(target.format().stored_channels(),
                           [&](auto n) { run_tiles<T, n(), false>(card, plan, source, target); });
  });
  return true;
}

}  // namespace cuimg
