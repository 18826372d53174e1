// SPDX-License-Identifier: Apache-2.0
// Structural similarity on a card. A block processes a tile and moves down row by row, with a
// thread for each column: a row's values are in shared memory, and each thread's sums along the
// last eleven rows are in its registers.
#include <algorithm>

#include "compare/metrics/card/card_rows.cuh"
#include "compare/metrics/structure_rows.h"
#include "image/dispatch.h"
#include "kernels/color/encoding.h"
#include "kernels/compare/structure_value.h"
#include "kernels/math/ceil_div.h"
#include "kernels/math/dispatch.h"

namespace cuimg {
namespace {

constexpr int window = structure_window, reach = window / 2;
constexpr int columns = structure_tile_width, rows_each = structure_tile_height;
constexpr int padded = columns + 2 * reach;
constexpr int sum_count = 4;  // x, y, x^2 + y^2, x y

struct Weights {
  double half[reach + 1];
};

// The value of a plane, which is a channel or luminance.
template <class T, int N>
struct PlaneValue {
  int channel;

  __device__ Pixel<1> operator()(const CudaRows<T, N>& layer, int x, int y) const {
    const PackedTexel<T, N> texel = layer.texel(x + layer.left, y + layer.top);
    float value = stored_to_float(texel.v[0]);
#pragma unroll
    for (int c = 1; c < N; ++c)
      if (c == channel) value = stored_to_float(texel.v[c]);
    if constexpr (N == 4)
      if (channel < 0)
        value =
            structure_luminance(value, stored_to_float(texel.v[1]), stored_to_float(texel.v[2]));
    return {{structure_operand(value)}};
  }
};

struct HalvedPlane {
  __device__ Pixel<1> operator()(const CudaRows<float, 1>& plane, int x, int y) const {
    const int right = min(2 * x + 1, plane.width - 1), below = min(2 * y + 1, plane.height - 1);
    const auto value = [&](int i, int j) { return plane.texel(i, j).v[0]; };
    return {{mean_of_four(value(2 * x, 2 * y), value(right, 2 * y), value(2 * x, below),
                          value(right, below))}};
  }
};

using RowSums = double[sum_count];

// @param line the values of a row; the thread's window begins at index `thread`.
__device__ inline void sum_along_row(const double (&line)[sum_count][padded], int thread,
                                     const Weights& weights, RowSums& to) {
#pragma unroll
  for (int s = 0; s < sum_count; ++s) {
    const double* const center = line[s] + thread + reach;
    to[s] = weights.half[0] * center[0];
#pragma unroll
    for (int k = 1; k <= reach; ++k) to[s] += weights.half[k] * (center[-k] + center[k]);
  }
}

// @param newest the position of the last row's sums in the ring; a constant when loops are
// unrolled.
__device__ inline StructureValue value_of_window(const RowSums (&ring)[window], int newest,
                                                 const Weights& weights,
                                                 const StructureConstants& constants) {
  const auto row = [&](int from_center) -> const RowSums& {
    return ring[(newest + 2 * window - reach + from_center) % window];
  };
  double sums[sum_count];
#pragma unroll
  for (int s = 0; s < sum_count; ++s) {
    sums[s] = weights.half[0] * row(0)[s];
#pragma unroll
    for (int k = 1; k <= reach; ++k) sums[s] += weights.half[k] * (row(-k)[s] + row(k)[s]);
  }
  return structure_value(sums[0], sums[1], sums[2], sums[3], constants);
}

// A tile per block. Windows have `width` by `height` positions; their corners are the planes'
// pixels.
__global__ void __launch_bounds__(columns)
    sum_structure(CudaRows<float, 1> golden, CudaRows<float, 1> result, int width, int height,
                  const __grid_constant__ Weights weights, StructureConstants constants,
                  StructureSums* tiles) {
  __shared__ double lines[2][sum_count][padded];
  __shared__ double lanes[columns];
  const int thread = static_cast<int>(threadIdx.x);
  const int across = ceil_div(width, columns), tile = static_cast<int>(blockIdx.x);
  const int left = tile % across * columns, top = tile / across * rows_each;
  const int count = min(rows_each, height - top) + 2 * reach;
  const bool is_window = left + thread < width;
  StructureSums own;
  RowSums ring[window];
  for (int first = 0; first < count; first += window) {
#pragma unroll
    for (int i = 0; i < window; ++i) {
      const int row = first + i;
      if (row >= count) break;
      double(&line)[sum_count][padded] = lines[row % 2];
      for (int x = thread; x < padded; x += columns) {
        const int column = min(left + x, golden.width - 1);
        const auto p = static_cast<double>(golden.row(top + row)[column].v[0]);
        const auto q = static_cast<double>(result.row(top + row)[column].v[0]);
        line[0][x] = p;
        line[1][x] = q;
        line[2][x] = p * p + q * q;
        line[3][x] = p * q;
      }
      // The other line may be read until the next row's barrier.
      __syncthreads();
      sum_along_row(line, thread, weights, ring[i]);
      if (row < 2 * reach || !is_window) continue;
      const StructureValue value = value_of_window(ring, i, weights, constants);
      own.similarity += value.similarity;
      own.contrast += value.contrast;
    }
  }
  __syncthreads();
  own.similarity = sum_of_block(own.similarity, lanes);
  own.contrast = sum_of_block(own.contrast, lanes);
  if (thread == 0) tiles[tile] = own;
}

Frame new_plane(const Queue& queue, int width, int height) {
  return queue.allocate({{0, 0, width, height}, PixelType::f32, 1, Storage::pitched});
}

}  // namespace

Frame plane_on_cuda(const Queue& queue, const Frame& layer, int which) {
  const Frame plane = new_plane(queue, layer.region().width, layer.region().height);
  with_texel_type(layer.format().type, [&](auto t) {
    using T = typename decltype(t)::type;
    with_stored_channels(layer.format().stored_channels(), [&](auto n) {
      map_rows(queue.card(), "plane", PlaneValue<T, n()>{which}, layer.card().rows_view<T, n()>(),
               plane.card().rows_view<float, 1>());
    });
  });
  return plane;
}

Frame halved_on_cuda(const Queue& queue, const Frame& plane) {
  const Frame half =
      new_plane(queue, (plane.region().width + 1) / 2, (plane.region().height + 1) / 2);
  map_rows(queue.card(), "halved", HalvedPlane(), plane.card().rows_view<float, 1>(),
           half.card().rows_view<float, 1>());
  return half;
}

std::vector<StructureSums> structure_sums_on_cuda(const Queue& queue, const Frame& golden,
                                                  const Frame& result,
                                                  const StructureWeights& weights,
                                                  const StructureConstants& constants) {
  CudaQueue& card = queue.card();
  const int width = golden.region().width - 2 * reach, height = golden.region().height - 2 * reach;
  const dim3 grid = blocks_for(width, height, dim3(columns, rows_each));
  const unsigned tiles = grid.x * grid.y;
  Weights half;
  std::copy(weights.begin(), weights.end(), half.half);
  const DeviceTable<StructureSums> sums(card, std::size_t{tiles});
  sum_structure<<<tiles, columns, 0, card.stream()>>>(golden.card().rows_view<float, 1>(),
                                                      result.card().rows_view<float, 1>(), width,
                                                      height, half, constants, sums.data());
  check_launch("sum_structure");
  return sums.to_host();
}

}  // namespace cuimg
