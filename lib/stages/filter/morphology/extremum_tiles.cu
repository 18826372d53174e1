// SPDX-License-Identifier: Apache-2.0
// The least or greatest of small boxes. The order of codes and of light is the same, so stored
// values are compared; but if colours have straight alpha, they are converted to light times alpha.
#include "stages/filter/morphology/extremum_tiles.h"

#include "image/dispatch.h"
#include "kernels/math/dispatch.h"
#include "stages/filter/morphology/extremum_straight.cuh"
#include "stages/filter/morphology/extremum_words.cuh"
#include "stages/window/extremum_quads.cuh"
#include "stages/window/form_values.cuh"
#include "stages/window/narrow_tiles.cuh"
#include "stages/window/run_tiles.cuh"
#include "stages/window/straight_forms.h"

namespace cuimg {
namespace detail {
namespace {

template <class T>
__device__ inline void fold_quads_down(const QuadExtremum<T>& fold, int width,
                                       const Quad<T> (&rows)[most_rows],
                                       Quad<T> (&made)[tile_rows][tile_threads]) {
  using Fold = QuadExtremum<T>;
  using State = typename Fold::State;
  State sums[2][tile_rows];
#pragma unroll
  for (int part = 0; part < 2; ++part) {
    State values[most_rows];
#pragma unroll
    for (int k = 0; k < most_rows; ++k) values[k] = fold.load(rows[k], part);
    fold_windows<tile_rows>(width, values, sums[part],
                            [](const State& a, const State& b) { return Fold::join(a, b); });
  }
#pragma unroll
  for (int j = 0; j < tile_rows; ++j) made[j][threadIdx.x] = fold.store({sums[0][j], sums[1][j]});
}

template <class T, int N>
__device__ inline void fold_quads_across(const QuadExtremum<T>& fold, int rx, const Quad<T>* row,
                                         Quad<T> (&made)[item]) {
  using Fold = QuadExtremum<T>;
  using State = typename Fold::State;
  constexpr int each = Quad<T>::words;
  constexpr int most_quads = item + (N * (widest - 1) + 3) / 4;
  // One word of extra room, for quads that begin inside a word.
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
          const State value = fold.load(quad, part);
          sums[q][part] = k == 0 ? value : Fold::join(sums[q][part], value);
        }
      }
    }
#pragma unroll
  for (int q = 0; q < item; ++q) made[q] = fold.store(sums[q]);
}

template <class T, int N>
__global__ void __launch_bounds__(tile_threads, sizeof(T) > 1 ? 4 : 6)
    extremum_tiles(TilePass<T> p, bool greatest) {
  __shared__ Quad<T> folded[tile_rows][tile_threads];
  __shared__ RowPlaces row_at;
  place_rows(p, row_at);
  __syncthreads();
  const QuadExtremum<T> fold(greatest);
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
    column.load(row_at + tile * tile_rows, tile_rows + width - 1, rows);
    fold_quads_down<T>(fold, width, rows, folded);
    __syncthreads();
    for_items(height, quads, [&](int row, int quad) {
      Quad<T> made[item];
      fold_quads_across<T, N>(fold, p.rx, &folded[row][quad], made);
      store_quads<T, N>(p, first + 4 * quad, top + row, made);
    });
    __syncthreads();
  }
}

/// For integers with straight alpha: light times alpha, negated for the greatest.
template <class T>
struct LightExtremum {
  using Texel = PackedTexel<T, 4>;
  using Word = WordOf<Texel>;
  struct Memory {
    FoldedTile least;
    float light[light_of_codes];
    std::uint32_t codes[std::is_same_v<T, std::uint8_t> ? Srgb8Tables::buckets : 1];
  };
  struct Least {
    __device__ float operator()(float a, float b) const { return fminf(a, b); }
  };
  static constexpr int resident = 4;
  static constexpr int rows_together = sizeof(T) == 1 ? 16 : 8;

  RunPass pass;
  FormRows<4> source;
  FormTarget<4> target;  ///< Floats, or the source's form.
  float sign;            ///< -1 for the greatest.

  __device__ void ready(Memory& memory) {
    ready_loads(source, memory.light, static_cast<int>(threadIdx.x), tile_threads);
    ready_stores(target, memory.codes, static_cast<int>(threadIdx.x), tile_threads);
  }
  __device__ bool fold_down(int column, int y, int row, Memory& memory) const {
    Word texels[rows_together + widest - 1];
    load_texels<rows_together>(pass, column, y, texels);
    const int place = place_at(static_cast<int>(threadIdx.x));
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      float least[rows_together];
      fold_pairs<rows_together>(
          pass.ry,
          [&](int k) {
            const auto texel = __builtin_bit_cast(Texel, texels[k]);
            const float alpha = sign * light_of(source, texel.v[3], true);
            return c == 3 ? alpha : light_of(source, texel.v[c], false) * alpha;
          },
          Least(), least);
#pragma unroll
      for (int j = 0; j < rows_together; ++j) memory.least[c][row + j][place] = least[j];
    }
    return false;
  }
  __device__ void finish(const Memory& memory, bool, int row, int four, int x, int y,
                         bool is_there) const {
    if (!is_there) return;
    Pixel<4> pixels[run];
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      float least[run];
      fold_run(
          pass.rx, memory.least[c][row], four, [](float v) { return v; }, Least(), least);
#pragma unroll
      for (int q = 0; q < run; ++q) pixels[q].v[c] = sign * least[q];
    }
    if (target.form_bytes == 4 * sizeof(float)) return pass.store(x, y, pixels);
    Word texels[run];
#pragma unroll
    for (int q = 0; q < run; ++q) {
      const float alpha = pixels[q].v[3];
      // Colours are 0 where alpha is.
      const float reciprocal = alpha == 0 ? 0.0f : reciprocal_of(alpha);
      Texel texel;
#pragma unroll
      for (int c = 0; c < 4; ++c)
        texel.v[c] = stored_as<T>(
            target, c == 3 ? alpha : divided(pixels[q].v[c], alpha, reciprocal), c == 3);
      texels[q] = __builtin_bit_cast(Word, texel);
    }
    pass.store(x, y, texels);
  }
};

/// For small squares. @returns false, having done nothing, in all other cases.
template <class T, int N>
bool run_squares(CudaQueue& card, const MorphologyPlan& plan, const Frame& source,
                 const Frame& target) {
  if (plan.radius.x != plan.radius.y ||
      !suits_words(plan.borders, N * static_cast<int>(sizeof(T)), source, target))
    return false;
  const WordPass p = word_pass_of(plan.borders, source, target);
  bool is_queued = false;
  with_radius<most_word_radius<T, N>>(plan.radius.x, [&](auto radius) {
    run_words<T, N, radius()>(card, p, plan.greatest);
    is_queued = true;
  });
  return is_queued;
}

template <class T, int N>
void run_tiles(CudaQueue& card, const MorphologyPlan& plan, const Frame& source,
               const Frame& target) {
  const auto p = tile_pass<T>(plan.borders, plan.radius.x, plan.radius.y, source, target);
  extremum_tiles<T, N>
      <<<tile_blocks<N>(plan.radius.x, target), tile_threads, 0, card.stream()>>>(p, plan.greatest);
  check_launch("extremum_tiles");
}

template <class T>
void run_light(CudaQueue& card, const MorphologyPlan& plan, const Frame& source,
               const Frame& target) {
  const RunPass pass = run_pass_of(plan.borders, plan.radius.x, plan.radius.y, source.as_stored(),
                                   target.as_stored());
  run_in_runs(card, "extremum_of_light",
              LightExtremum<T>{pass, form_rows<4>(card, source), form_target<4>(card, target),
                               plan.greatest ? -1.0f : 1.0f});
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
    // Runs of a row are stored, which is slow for an array.
    if (!is_known || target.card().is_array() ||
        (target.stored_form() != nullptr && !have_one_straight_form(card, source, target)))
      return false;
    if (from.is_srgb && plan.radius.x == 1 && plan.radius.y == 1 &&
        target.stored_form() != nullptr &&
        suits_words(plan.borders, 4 * static_cast<int>(bytes_of(type)), source.as_stored(),
                    target.as_stored())) {
      const WordPass p = word_pass_of(plan.borders, source.as_stored(), target.as_stored());
      const TexelForm form = target.stored_form()->on(card);
      if (type == PixelType::u8 ? run_straight<std::uint8_t>(card, p, form, plan.greatest)
                                : run_straight<std::uint16_t>(card, p, form, plan.greatest))
        return true;
    }
    if (type == PixelType::u8)
      run_light<std::uint8_t>(card, plan, source, target);
    else
      run_light<std::uint16_t>(card, plan, source, target);
    return true;
  }
  if (target.stored_form() != nullptr || type == PixelType::f32) return false;
  with_texel_type(type, [&](auto stored) {
    using T = typename decltype(stored)::type;
    if constexpr (!std::is_same_v<T, float>)
      with_stored_channels(target.format().stored_channels(), [&](auto n) {
        if (!run_squares<T, n()>(card, plan, source, target))
          run_tiles<T, n()>(card, plan, source, target);
      });
  });
  return true;
}

}  // namespace cuimg
