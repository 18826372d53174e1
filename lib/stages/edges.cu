// SPDX-License-Identifier: Apache-2.0
// Sobel's and laplacian's launches.
#include "device/cuda_map_pixels.cuh"
#include "stages/convolution_cuda.cuh"
#include "stages/edges.h"

namespace cuimg {
namespace {

constexpr int rows_each = 4;  // of one column, that a thread makes: it reads each row once
constexpr dim3 edge_block(32, 8);

template <int N, class Filter>
__global__ void __launch_bounds__(256)
    find_edges(CudaRows<float, N> source, CudaRows<float, N> target, BorderAxis columns,
               BorderAxis rows, Filter filter, int alpha) {
  const int x = target.left + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int top = target.top + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * rows_each;
  if (x >= target.left + target.width || top >= target.top + target.height) return;
  const int column[3] = {columns(x - 1), columns(x), columns(x + 1)};
  Pixel<N> texels[rows_each + 2][3];
#pragma unroll
  for (int j = 0; j < rows_each + 2; ++j) {
    const int row = rows(top - 1 + j);
#pragma unroll
    for (int i = 0; i < 3; ++i) texels[j][i] = load_or_zero(source, column[i], row);
  }
#pragma unroll
  for (int r = 0; r < rows_each; ++r) {
    if (top + r >= target.top + target.height) return;
    Pixel<N> result;
#pragma unroll
    for (int c = 0; c < N; ++c) {
      Around around;
#pragma unroll
      for (int j = 0; j < 3; ++j)
#pragma unroll
        for (int i = 0; i < 3; ++i) around.v[j][i] = texels[r + j][i].v[c];
      result.v[c] = c == alpha ? around.v[1][1] : canonical_nan(filter(around));
    }
    store_streaming(target, x, top + r, result);
  }
}

template <int N, class Filter>
void launch(CudaQueue& card, const Filter& filter, const Surround& surround, int alpha,
            const Frame& source, const Frame& target) {
  const Rect& t = target.region();
  const dim3 grid = blocks_for(t.width, (t.height + rows_each - 1) / rows_each, edge_block);
  find_edges<N><<<grid, edge_block, 0, card.stream()>>>(
      source.card().rows_view<float, N>(), target.card().rows_view<float, N>(), surround.columns,
      surround.rows, filter, alpha);
  check_launch("find_edges");
}

}  // namespace

void find_edges_on_cuda(const Queue& queue, const EdgeFilter& filter, const Surround& surround,
                        int alpha, const Frame& source, const Frame& target) {
  CudaQueue& card = queue.card();
  if (target.empty()) return;
  std::visit(
      [&](const auto& chosen) {
        switch (source.format().stored_channels()) {
          case 1:
            return launch<1>(card, chosen, surround, alpha, source, target);
          case 2:
            return launch<2>(card, chosen, surround, alpha, source, target);
          default:
            return launch<4>(card, chosen, surround, alpha, source, target);
        }
      },
      filter);
}

}  // namespace cuimg
