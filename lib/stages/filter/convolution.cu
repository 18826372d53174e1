// SPDX-License-Identifier: Apache-2.0
// Convolution's launches for kernels of any size: a pass down the columns, a pass along the rows. A
// thread makes eight neighbouring pixels, so that arithmetic is the limit instead of memory.
#include <algorithm>
#include <optional>

#include "device/cuda/cuda_limits.h"
#include "kernels/math/dispatch.h"
#include "stages/filter/convolution.h"
#include "stages/filter/window_3x3.cuh"
#include "stages/pass/stored_form.h"

namespace cuimg {
namespace {

constexpr int outputs_each = 8;
constexpr int warp_outputs = 32 * outputs_each;

// A warp makes eight rows of 32 columns. The warps of a block are below each other and share their
// reads in the first-level cache.
constexpr dim3 column_block(32, 8);

template <int N>
__global__ void __launch_bounds__(256)
    convolve_columns(CudaRows<float, N> source, CudaRows<float, N> target, BorderAxis rows, int low,
                     int taps, const float* weights) {
  const int x = target.left + static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  const int y = target.top + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * outputs_each;
  if (x >= target.left + target.width || y >= target.top + target.height) return;
  TapSum<N> sums[outputs_each];
  add_window([&](int i) { return load_or_zero(source, x, rows(y + low + i)); }, weights, taps,
             sums);
#pragma unroll
  for (int j = 0; j < outputs_each; ++j)
    if (y + j < target.top + target.height) target.store(x, y + j, sums[j].result());
}

// The position of a row's pixel in shared memory: threads that read every eighth pixel have no bank
// conflicts.
__device__ __host__ inline int slot(int i) { return i + i / outputs_each; }

// A warp makes 256 pixels of a row, from a row of shared memory that it fills for each row of the
// kernel.
template <int N, class Memory>
__global__ void convolve_rows(CudaRows<float, N> mixed, CudaRows<float, N> source,
                              PixelTarget<N, Memory> target, BorderAxis columns, BorderAxis rows,
                              const KernelRow* kernel_rows, int kernel_row_count,
                              const float* weights, int slots, Finish finish, int top) {
  extern __shared__ float4 shared[];
  Pixel<N>* const block = reinterpret_cast<Pixel<N>*>(shared);
  Pixel<N>* const texels = block + threadIdx.y * slots;
  const int lane = static_cast<int>(threadIdx.x);
  const int left = target.left + static_cast<int>(blockIdx.x) * warp_outputs;
  constexpr bool by_fours = std::is_same_v<Memory, ArrayMemory>;
  const int bottom = target.top + target.height;
  const int block_top = top + static_cast<int>(blockIdx.y * blockDim.y);
  int y = block_top + static_cast<int>(threadIdx.y);
  if (by_fours)
    y = min(y, bottom - 1);  // all of a block's warps store its pixels
  else if (y >= bottom)
    return;
  TapSum<N> sums[outputs_each];
  for (int r = 0; r < kernel_row_count; ++r) {
    const KernelRow row = kernel_rows[r];
    const int from = rows(y + row.y), first = left + row.low;
    __syncwarp();
    for (int i = lane; i < warp_outputs + row.taps - 1; i += 32)
      texels[slot(i)] = load_or_zero(mixed, columns(first + i), from);
    __syncwarp();
    const auto read = [&](int i) { return texels[slot(lane * outputs_each + i)]; };
    add_window(read, weights + row.first, row.taps, sums);
  }
  // Through shared memory, so that neighbouring pixels are stored together: those of a row, and for
  // an array four of each of the block's rows, which lie next to each other in its memory.
  __syncwarp();
#pragma unroll
  for (int j = 0; j < outputs_each; ++j) texels[slot(lane * outputs_each + j)] = sums[j].result();
  if constexpr (by_fours)
    __syncthreads();
  else
    __syncwarp();
#pragma unroll
  for (int j = 0; j < outputs_each; ++j) {
    int i = j * 32 + lane, row = static_cast<int>(threadIdx.y);
    if constexpr (by_fours) {
      const int item = row * warp_outputs + i, rows_high = static_cast<int>(blockDim.y);
      row = item / 4 % rows_high;
      i = item / 4 / rows_high * 4 + item % 4;
    }
    const int px = left + i, py = block_top + row;
    if (px < target.left + target.width && py < bottom)
      target.store_streaming(px, py,
                             finished(finish, source, px, py, block[row * slots + slot(i)]));
  }
}

/// A non-separable kernel that fits 3x3; passed by value, so that arithmetic instructions read it
/// directly.
struct SmallKernel {
  float weights[3][3];
  unsigned taps;  ///< Bit 3 * row + column: whether there is a tap.
};

std::optional<SmallKernel> small_kernel(const Convolution& kernel) {
  if (!kernel.vertical.is_identity()) return std::nullopt;
  SmallKernel small{};
  // Rows are in order from the top and their runs from the left, like the sums here.
  for (int last = -1; const KernelRow& row : kernel.rows) {
    if (row.y < last || row.y > 1 || row.low < -1 || row.low + row.taps > 2) return std::nullopt;
    last = row.y;
    for (int k = 0; k < row.taps; ++k) {
      const int column = row.low + 1 + k;
      small.weights[row.y + 1][column] = kernel.weights[static_cast<std::size_t>(row.first + k)];
      small.taps |= 1u << (3 * (row.y + 1) + column);
    }
  }
  return small;
}

template <int N, class Memory>
__global__ void __launch_bounds__(threads_of_3x3, 6)
    convolve_3x3(CudaRows<float, N> source, PixelTarget<N, Memory> target, BorderAxis columns,
                 BorderAxis rows, const __grid_constant__ SmallKernel kernel, Finish finish) {
  const auto add = [&](TapSum<N>& sum, int row, const Texels3<N>& texels) {
#pragma unroll
    for (int i = 0; i < 3; ++i)
      if (kernel.taps >> (3 * row + i) & 1) sum.add(kernel.weights[row][i], texels.v[i]);
  };
  make_from_3x3<2>(source, target, columns, rows,
                   [&](const Texels3<N>& upper, const Texels3<N>& middle, const Texels3<N>& lower,
                       int x, int y) {
                     TapSum<N> sum;
                     add(sum, 0, upper);
                     add(sum, 1, middle);
                     add(sum, 2, lower);
                     return finished(finish, source, x, y, sum.result());
                   });
}

template <int N>
void run_columns(CudaQueue& card, const AxisKernel& kernel, const BorderAxis& rows,
                 const Frame& source, const Frame& target) {
  const Rect& t = target.region();
  const DeviceTable<float> weights(card, kernel.weights);
  const dim3 grid = blocks_for(t.width, (t.height + outputs_each - 1) / outputs_each, column_block);
  convolve_columns<N><<<grid, column_block, 0, card.stream()>>>(
      source.card().rows_view<float, N>(), target.card().rows_view<float, N>(), rows, kernel.low,
      kernel.taps(), weights.data());
  check_launch("convolve_columns");
}

template <int N>
void run_rows(CudaQueue& card, const Convolution& kernel, const BorderAxis& columns,
              const BorderAxis& rows, const Finish& finish, const Frame& mixed, const Frame& source,
              const Frame& target) {
  const Rect& t = target.region();
  const DeviceTable<KernelRow> kernel_rows(card, kernel.rows);
  const DeviceTable<float> weights(card, kernel.weights);
  int longest = 1;  // empty sums pass through the same memory
  for (const KernelRow& row : kernel.rows) longest = std::max(longest, row.taps);
  const int slots = slot(warp_outputs + longest - 1);
  const std::size_t bytes = sizeof(Pixel<N>) * static_cast<std::size_t>(slots);
  int warps = std::clamp(static_cast<int>(shared_bytes_without_asking / bytes), 1, 4);
  if (N == 4 && warps == 3 && target.card().is_array())
    warps = 2;  // an array's sectors are two rows high
  const unsigned across = (static_cast<unsigned>(t.width) + warp_outputs - 1) / warp_outputs;
  for (int top = t.y; top < t.bottom(); top += most_blocks_down * warps) {
    const int blocks = std::min((t.bottom() - top + warps - 1) / warps, most_blocks_down);
    const auto launch = [&](const auto& pixels) {
      convolve_rows<<<dim3(across, static_cast<unsigned>(blocks)),
                      dim3(32, static_cast<unsigned>(warps)),
                      static_cast<std::size_t>(warps) * bytes, card.stream()>>>(
          mixed.card().rows_view<float, N>(), source.card().rows_view<float, N>(), pixels, columns,
          rows, kernel_rows.data(), static_cast<int>(kernel.rows.size()), weights.data(), slots,
          finish, top);
    };
    if constexpr (N == 4)
      target.card().with_pixel_target<N>(launch);
    else
      launch(target.card().pixel_target<N>());
    check_launch("convolve_rows");
  }
}

template <int N>
void run_passes(CudaQueue& card, const Convolution& kernel, const BorderSampler& borders,
                const Finish& finish, const Frame& source, const Frame& target) {
  if (const auto small = small_kernel(kernel)) {
    target.card().with_pixel_target<N>([&](const auto& pixels) {
      convolve_3x3<N><<<blocks_of_3x3(pixels), threads_of_3x3, 0, card.stream()>>>(
          source.card().rows_view<float, N>(), pixels, borders.columns, borders.rows, *small,
          finish);
    });
    return check_launch("convolve_3x3");
  }
  if (kernel.vertical.is_identity())
    return run_rows<N>(card, kernel, borders.columns, borders.rows, finish, source, source, target);
  FrameFormat between = source.format();
  between.region.y = target.region().y;
  between.region.height = target.region().height;
  const Frame mixed = Frame::on_card(between, card.allocate(between));
  run_columns<N>(card, kernel.vertical, borders.rows, source, mixed);
  // The kernel's only row now reads the same row that it makes.
  const Rect& m = mixed.region();
  const BorderAxis same{m.y, m.bottom(), m.y, m.bottom(), BorderRule::zero};
  run_rows<N>(card, kernel, borders.columns, same, finish, mixed, source, target);
}

}  // namespace

void convolve_on_cuda(const Queue& queue, const Convolution& kernel, const BorderSampler& borders,
                      const Finish& finish, const Frame& source, const Frame& target) {
  CudaQueue& card = queue.card();
  if (!converts_in_strips(card, finish, source, target))
    return made_as_floats(queue, target, [&](const Frame& floats) {
      convolve_on_cuda(queue, kernel, borders, finish, as_floats(queue, source), floats);
    });
  if (target.empty() || convolve_in_strips(card, kernel, borders, finish, source, target)) return;
  made_as_floats(queue, target, [&](const Frame& floats) {
    with_stored_channels(source.format().stored_channels(), [&](auto n) {
      run_passes<n()>(card, kernel, borders, finish, as_floats(queue, source), floats);
    });
  });
}

}  // namespace cuimg
