// SPDX-License-Identifier: Apache-2.0
// Small separable kernels in one go. A block walks down a strip of columns: a thread reads each
// pixel of its column once and adds it to all the sums that it reaches, which wait in registers;
// rows of finished sums are mixed along the row from shared memory. Memory sees the source about
// 1.2 times and the target once.
#include <algorithm>

#include "device/cuda_queue.h"
#include "stages/convolution_cuda.cuh"

namespace cuimg {
namespace {

constexpr int strip_threads = 128;  // source columns of a block, one a thread
constexpr int outputs_each = 4;     // neighbouring pixels of a row that a thread makes
constexpr int rows_ahead = 4;       // rows fetched before they are needed: memory is far
constexpr int most_taps = 15;       // sums in registers, rows in shared memory

// Rows that a block's threads fetch and add before all mix along the rows: one for each tap, so
// that sums come back to the registers they began in.
constexpr int batches = 8;
constexpr int rows_of_strip(int taps) { return batches * taps - (taps - 1); }

// Where a pixel lies in shared memory: threads that read every fourth meet no bank twice.
constexpr int slots = strip_threads + strip_threads / outputs_each;
__device__ constexpr int slot(int i) { return i + i / outputs_each; }

// Likewise where a result waits to be stored.
__device__ constexpr int slot_of_output(int i) {
  return i / outputs_each * (outputs_each + 1) + i % outputs_each;
}

/// By value: the weights become constants that arithmetic reads directly.
template <int T>
struct StripKernel {
  float horizontal[T], vertical[T];
  int low_x, low_y;
};

template <int N, int T>
struct StripMemory {
  Pixel<N> mixed[T][slots];
  Pixel<N> made[strip_threads / 32][32 * (outputs_each + 1)];
  int row_at[batches * T + rows_ahead];  ///< Rows of the source, by the border's rule; or -1.
};

/// @tparam finishes whether Finish may be more than nothing: it takes registers.
template <int N, int T, bool finishes>
__global__ void __launch_bounds__(strip_threads, T <= 13 && !finishes ? 5 : 4)
    convolve_strip(CudaRows<float, N> source, CudaRows<float, N> target, BorderAxis columns,
                   BorderAxis rows, const __grid_constant__ StripKernel<T> kernel, Finish finish) {
  constexpr int halo = T - 1;
  constexpr int strip_outputs = strip_threads - halo;
  constexpr int groups = (strip_outputs + outputs_each - 1) / outputs_each;
  __shared__ StripMemory<N, T> memory;
  const int thread = static_cast<int>(threadIdx.x), lane = thread & 31, warp = thread >> 5;
  const int left = target.left + static_cast<int>(blockIdx.x) * strip_outputs;
  const int right = min(left + strip_outputs, target.left + target.width);
  const int top = target.top + static_cast<int>(blockIdx.y) * rows_of_strip(T);
  const int height = min(rows_of_strip(T), target.top + target.height - top);

  for (int i = thread; i < batches * T + rows_ahead; i += strip_threads) {
    const int row = rows(top + kernel.low_y + i);
    memory.row_at[i] = row == BorderAxis::nothing ? -1 : row - source.top;
  }
  const int column = columns(left + kernel.low_x + thread);
  const bool has_column = column != BorderAxis::nothing;
  const char* const first_texel =
      source.data +
      sizeof(Pixel<N>) * static_cast<std::size_t>(has_column ? column - source.left : 0);
  const auto pitch = static_cast<unsigned>(source.pitch_bytes);
  char* const target_corner = reinterpret_cast<char*>(target.row(top) + (left - target.left));
  const auto target_pitch = static_cast<unsigned>(target.pitch_bytes);
  const auto width = static_cast<unsigned>(right - left);
  __syncthreads();
  const auto fetch = [&](int i) -> Pixel<N> {
    const int row = memory.row_at[i];
    if (!has_column || row < 0) return {};
    return load<N>(reinterpret_cast<const float*>(
        first_texel + static_cast<std::uint64_t>(static_cast<unsigned>(row)) * pitch));
  };

  TapSum<N> sums[T];
  Pixel<N> texels[T + rows_ahead];
#pragma unroll
  for (int i = 0; i < rows_ahead; ++i) texels[i] = fetch(i);
  // Input row i completes the output row i - halo.
  for (int first = 0; first < height + halo; first += T) {
#pragma unroll
    for (int i = 0; i < T; ++i) {
      texels[i + rows_ahead] = fetch(first + i + rows_ahead);
      sums[i] = {};
#pragma unroll
      for (int k = 0; k < T; ++k) sums[(i - k + T) % T].add(kernel.vertical[k], texels[i]);
      // A NaN stays one through the next pass, which makes it canonical.
      memory.mixed[i][slot(thread)] = sums[(i + 1) % T].sum;
    }
#pragma unroll
    for (int i = 0; i < rows_ahead; ++i) texels[i] = texels[T + i];
    __syncthreads();

    const int begin = max(0, halo - first), end = min(T, height + halo - first);
    const int items = (end - begin) * groups;
    for (int base = warp * 32; base < items; base += strip_threads) {
      const int item = base + lane;
      if (item < items) {
        const int row = begin + item / groups;
        const Pixel<N>* mixed = memory.mixed[row] + slot(item % groups * outputs_each);
        TapSum<N> across[outputs_each];
#pragma unroll
        for (int i = 0; i < T + outputs_each - 1; ++i) {
          const Pixel<N> texel = mixed[slot(i)];
#pragma unroll
          for (int j = 0; j < outputs_each; ++j)
            if (i - j >= 0 && i - j < T) across[j].add(kernel.horizontal[i - j], texel);
        }
#pragma unroll
        for (int j = 0; j < outputs_each; ++j)
          memory.made[warp][slot_of_output(lane * outputs_each) + j] = across[j].result();
      }
      __syncwarp();
      // Stored by other threads of the warp, neighbours together.
      const Pixel<N>* made = memory.made[warp] + slot_of_output(lane);
      const auto for_pixels = [&](const auto& use) {
#pragma unroll
        for (int j = 0; j < outputs_each; ++j) {
          constexpr unsigned row_pixels = groups * outputs_each;
          const unsigned pixel = static_cast<unsigned>(base * outputs_each + j * 32 + lane);
          const unsigned row = pixel / row_pixels, column = pixel - row * row_pixels;
          if (row < static_cast<unsigned>(end - begin) && column < width)
            use(j, column, static_cast<unsigned>(first + begin - halo) + row);
        }
      };
      const auto store = [&](unsigned column, unsigned y, const Pixel<N>& pixel) {
        char* const to = target_corner + std::uint64_t{y} * target_pitch;
        store_streaming<N>(reinterpret_cast<float*>(to) + column * N, pixel);
      };
      if (!finishes || finish.is_nothing()) {
        for_pixels(
            [&](int j, unsigned x, unsigned y) { store(x, y, made[slot_of_output(j * 32)]); });
      } else {
        // All originals are under way before the first is waited for.
        Pixel<N> originals[outputs_each];
        for_pixels([&](int j, unsigned x, unsigned y) {
          originals[j] =
              original_at(finish, source, left + static_cast<int>(x), top + static_cast<int>(y));
        });
        for_pixels([&](int j, unsigned x, unsigned y) {
          store(x, y, finish(made[slot_of_output(j * 32)], originals[j]));
        });
      }
      __syncwarp();
    }
    __syncthreads();
  }
}

template <int N, int T>
void run_strips(CudaQueue& card, const Convolution& kernel, const Surround& surround,
                const Finish& finish, const Frame& source, const Frame& target) {
  StripKernel<T> weights;
  std::copy_n(kernel.weights.begin(), T, weights.horizontal);
  std::copy_n(kernel.vertical.weights.begin(), T, weights.vertical);
  weights.low_x = kernel.rows.front().low;
  weights.low_y = kernel.vertical.low;
  const Rect& t = target.region();
  constexpr int columns = strip_threads - (T - 1);
  const dim3 grid(static_cast<unsigned>((t.width + columns - 1) / columns),
                  static_cast<unsigned>((t.height + rows_of_strip(T) - 1) / rows_of_strip(T)));
  const auto launch = [&](auto kernel_of) {
    kernel_of<<<grid, strip_threads, 0, card.stream()>>>(
        source.card().rows_view<float, N>(), target.card().rows_view<float, N>(), surround.columns,
        surround.rows, weights, finish);
  };
  // One and two channels have registers to spare.
  if (N == 4 && finish.is_nothing())
    launch(convolve_strip<N, T, N != 4>);
  else
    launch(convolve_strip<N, T, true>);
  check_launch("convolve_strip");
}

template <int T>
void run_taps(CudaQueue& card, const Convolution& kernel, const Surround& surround,
              const Finish& finish, const Frame& source, const Frame& target) {
  const int taps = kernel.vertical.taps();
  if constexpr (T < most_taps)
    if (taps > T) return run_taps<T + 2>(card, kernel, surround, finish, source, target);
  switch (source.format().stored_channels()) {
    case 1:
      return run_strips<1, T>(card, kernel, surround, finish, source, target);
    case 2:
      return run_strips<2, T>(card, kernel, surround, finish, source, target);
    default:
      return run_strips<4, T>(card, kernel, surround, finish, source, target);
  }
}

}  // namespace

bool convolve_in_strips(CudaQueue& card, const Convolution& kernel, const Surround& surround,
                        const Finish& finish, const Frame& source, const Frame& target) {
  const int taps = kernel.vertical.taps();
  if (!kernel.is_separable() || kernel.rows.front().taps != taps || taps % 2 == 0 || taps < 3 ||
      taps > most_taps)
    return false;
  run_taps<3>(card, kernel, surround, finish, source, target);
  return true;
}

}  // namespace cuimg
