// SPDX-License-Identifier: Apache-2.0
// Launches of a gaussian on a coarse grid: columns are reduced while the picture is read, and
// everything up to the last step is small.
#include <algorithm>
#include <type_traits>

#include "device/cuda/cuda_limits.h"
#include "device/cuda/cuda_map_pixels.cuh"
#include "kernels/math/dispatch.h"
#include "stages/filter/coarse_gaussian.h"
#include "stages/filter/convolution_cuda.cuh"
#include "stages/pass/stored_pixels.cuh"
#include "stages/resample/resize_cuda.h"

namespace cuimg {
namespace {

constexpr int line_threads = 128;
constexpr int reducing_blocks = 8;  // per multiprocessor, as registers allow

/// The cells of an axis and the weights of their pixels; passed by value, so that arithmetic
/// instructions read these directly.
struct Cells {
  int origin, size;
  float weights[3 * largest_cell];
};

Cells cells_of(const GaussianAxis& axis, int origin) {
  Cells cells{origin, axis.cell, {}};
  std::copy(axis.reduces.begin(), axis.reduces.end(), cells.weights);
  return cells;
}

template <int count>
using Count = std::integral_constant<int, count>;

// Reduces rows of one column to `texels_each` texels. Each row is read once for the three texels to
// which it contributes.
template <int N, class Source>
__global__ void __launch_bounds__(line_threads, reducing_blocks)
    reduce_rows(Source source, CudaRows<float, N> target, BorderAxis rows,
                const __grid_constant__ Cells cells, int texels_each) {
  __shared__ float light[shared_for_loads<Source>];
  ready_loads(source, light, static_cast<int>(threadIdx.x), line_threads);
  if constexpr (shared_for_loads < Source >> 1) __syncthreads();
  const int x = target.left + static_cast<int>(blockIdx.x * line_threads + threadIdx.x);
  const int first = target.top + static_cast<int>(blockIdx.y) * texels_each;
  const int end = min(first + texels_each, target.top + target.height);
  if (x >= target.left + target.width) return;
  TapSum<N> before, own, after;  // for the texels around the cell whose rows are being added
  const auto add = [&](int i, const Pixel<N>& texel) {
    const float* const weight = cells.weights + i;
    before.add(weight[2 * cells.size], texel);
    own.add(weight[cells.size], texel);
    after.add(weight[0], texel);
  };
  for (int cell = first - 1; cell <= end; ++cell) {
    before = own;
    own = after;
    after = {};
    const int top = cells.origin + cell * cells.size;
    // Rows are loaded together, ahead of their sums, because memory is slow.
    const auto add_rows = [&](auto is_inside, auto count, int i) {
      int row[count()];
      Pixel<N> texels[count()];
#pragma unroll
      for (int k = 0; k < count(); ++k) row[k] = is_inside() ? top + i + k : rows(top + i + k);
      load_column(
          source, x,
          [&](int k) { return is_inside() || row[k] != BorderAxis::nothing ? row[k] : source.top; },
          texels);
#pragma unroll
      for (int k = 0; k < count(); ++k)
        add(i + k, is_inside() || row[k] != BorderAxis::nothing ? texels[k] : Pixel<N>{});
    };
    const auto add_cell = [&](auto is_inside) {
      int i = 0;
      for (; i + 4 <= cells.size; i += 4) add_rows(is_inside, Count<4>(), i);
      if (cells.size - i == 3) add_rows(is_inside, Count<3>(), i);
      if (cells.size - i == 2) add_rows(is_inside, Count<2>(), i);
      if (cells.size - i == 1) add_rows(is_inside, Count<1>(), i);
    };
    if (top >= rows.low && top + cells.size <= rows.high)
      add_cell(std::true_type());
    else
      add_cell(std::false_type());
    if (cell > first) target.store(x, cell - 1, before.result());
  }
}

// A thread computes one texel of one row.
template <int N>
__global__ void __launch_bounds__(line_threads)
    reduce_columns(CudaRows<float, N> source, CudaRows<float, N> target, BorderAxis columns,
                   const __grid_constant__ Cells cells, int top) {
  const int x = target.left + static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  const int y = top + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= target.left + target.width || y >= target.top + target.height) return;
  const int left = cells.origin + (x - 1) * cells.size;
  TapSum<N> sum;
#pragma unroll 4
  for (int i = 0; i < 3 * cells.size; ++i)
    sum.add(cells.weights[i], load_or_zero(source, columns(left + i), y));
  target.store(x, y, sum.result());
}

template <int N, class Source, class Target>
__global__ void __launch_bounds__(line_threads)
    finish_pixels(Source source, Target target, CudaRows<float, N> sums, Finish finish,
                  int rows_each) {
  __shared__ float light[shared_for_loads<Source>];
  __shared__ std::uint32_t codes[shared_for_stores<Target>];
  ready_loads(source, light, static_cast<int>(threadIdx.x), line_threads);
  ready_stores(target, codes, static_cast<int>(threadIdx.x), line_threads);
  __syncthreads();
  const int x = target.left + static_cast<int>(blockIdx.x * line_threads + threadIdx.x);
  const int top = target.top + static_cast<int>(blockIdx.y) * rows_each;
  const int right = target.left + target.width;
  const int bottom = min(top + rows_each, target.top + target.height);
  const bool is_column = x >= source.left && x < source.left + source.width;
  const auto finished = [&](int y) {
    Pixel<N> sum{}, original{};
    if (x >= right || y >= bottom) return sum;
    if (is_column && y >= source.top && y < source.top + source.height)
      original = load(source, x, y);
    // They may overlap the target, so nothing may be read through the read-only cache.
    const auto packed = sums.texel(x, y);
    for (int c = 0; c < N; ++c) sum.v[c] = packed.v[c];
    return finish(sum, original);
  };
  for (int y = top; y < bottom; y += 2) {
    const Pixel<N> upper = finished(y), lower = finished(y + 1);
    target.store_pair(x, y, upper, lower, right, bottom);
  }
}

Frame new_rows(CudaQueue& card, const Frame& like, const Rect& region) {
  FrameFormat format = like.format().between_passes();
  format.region = region;
  return Frame::on_card(format, card.allocate(format));
}

/// Calls use(rows) with a view of the frame in any stored form.
template <int N, class Use>
void with_source(CudaQueue& card, const Frame& source, const Use& use) {
  if (source.stored_form() == nullptr) return use(source.card().rows_view<float, N>());
  with_kind<N>(kind_of(source), [&](auto kind) { use(form_rows<N, kind()>(card, source)); });
}

/// The first step, vertically. @param texels rows of the result.
template <int N>
Frame reduced_rows(CudaQueue& card, const CoarseGaussian& plan, const Frame& source,
                   const Rect& texels) {
  const Rect& s = source.region();
  const Frame reduced = new_rows(card, source, {s.x, texels.y, s.width, texels.height});
  const int across = (s.width + line_threads - 1) / line_threads;
  // Every block reads two cells more than the texels that it makes. If there are just enough blocks
  // to run at the same time, least is read; with more texels they take longer.
  const int at_once = reducing_blocks * card.multiprocessors();
  const int shares = std::clamp(at_once / across, 1, std::min(texels.height, most_blocks_down));
  const int texels_each = (texels.height + shares - 1) / shares;
  const dim3 grid(static_cast<unsigned>(across),
                  static_cast<unsigned>((texels.height + texels_each - 1) / texels_each));
  with_source<N>(card, source, [&](const auto& rows) {
    reduce_rows<N><<<grid, line_threads, 0, card.stream()>>>(
        rows, reduced.card().rows_view<float, N>(), plan.borders.within(s).rows,
        cells_of(plan.rows, plan.top), texels_each);
  });
  check_launch("reduce_rows");
  return reduced;
}

/// The first step, horizontally.
template <int N>
Frame reduced_columns(CudaQueue& card, const CoarseGaussian& plan, const Frame& source,
                      const Rect& texels) {
  const Rect& s = source.region();
  const Frame reduced = new_rows(card, source, {texels.x, s.y, texels.width, s.height});
  const dim3 block(32, line_threads / 32);
  const int rows_at_once = most_blocks_down * static_cast<int>(block.y);
  for (int top = s.y; top < s.bottom(); top += rows_at_once) {
    const dim3 grid = blocks_for(texels.width, std::min(rows_at_once, s.bottom() - top), block);
    reduce_columns<N><<<grid, block, 0, card.stream()>>>(
        source.card().rows_view<float, N>(), reduced.card().rows_view<float, N>(),
        plan.borders.within(s).columns, cells_of(plan.columns, plan.left), top);
    check_launch("reduce_columns");
  }
  return reduced;
}

template <int N>
Frame reduced_frame(const Queue& queue, const CoarseGaussian& plan, const Frame& source,
                    const Rect& texels) {
  CudaQueue& card = queue.card();
  Frame reduced = source;
  if (plan.rows.is_coarse()) reduced = reduced_rows<N>(card, plan, source, texels);
  if (plan.columns.is_coarse())
    reduced = reduced_columns<N>(card, plan, as_floats(queue, reduced), texels);
  return reduced;
}

template <int N>
void run_finish(CudaQueue& card, const Finish& finish, const Frame& source, const Frame& sums,
                const Frame& target) {
  const Rect& t = target.region();
  const int rows_each = std::max(8, (t.height / most_blocks_down + 2) / 2 * 2);  // an even number
  const dim3 grid(static_cast<unsigned>((t.width + line_threads - 1) / line_threads),
                  static_cast<unsigned>((t.height + rows_each - 1) / rows_each));
  with_pixels<N>(card, source, target, [&](const auto& texels, const auto& pixels) {
    finish_pixels<N><<<grid, line_threads, 0, card.stream()>>>(
        texels, pixels, sums.card().rows_view<float, N>(), finish, rows_each);
  });
  check_launch("finish_pixels");
}

template <int N>
void run_steps(const Queue& queue, const CoarseGaussian& plan, const Finish& finish,
               const Frame& source, const Frame& target) {
  CudaQueue& card = queue.card();
  const Rect between = plan.blurred(target.region());
  const Rect texels = plan.reduced(between, source.region());
  const Frame blurred = [&] {
    const Frame reduced = reduced_frame<N>(queue, plan, source, texels);
    const Frame result = new_rows(card, source, between);
    convolve_on_cuda(queue, plan.kernel(), plan.around(texels, source.region()), {}, reduced,
                     result);
    return result;
  }();
  const auto expand_into = [&](const Frame& pixels) {
    if (target.region() == plan.output)
      return resize_weighed_on_cuda(queue, plan.expands_all, plan.expands_all.layers.front(),
                                    blurred, pixels);
    const ResizePlan part = plan.expansion(target.region());
    resize_weighed_on_cuda(queue, part, part.layers.front(), blurred, pixels);
  };
  if (finish.is_nothing()) return expand_into(target);
  const bool holds_sums = target.stored_form() == nullptr && !target.card().is_array();
  const Frame sums = holds_sums ? target : new_rows(card, source, target.region());
  expand_into(sums);
  run_finish<N>(card, finish, source, sums, target);
}

}  // namespace

void blur_on_coarse_grid_on_cuda(const Queue& queue, const CoarseGaussian& plan,
                                 const Finish& finish, const Frame& source, const Frame& target) {
  if (target.empty()) return;
  with_stored_channels(source.format().stored_channels(),
                       [&](auto n) { run_steps<n()>(queue, plan, finish, source, target); });
}

}  // namespace cuimg
