// SPDX-License-Identifier: Apache-2.0
// The kernel launches of sobel and laplacian.
#include "stages/filter/edges.h"

#include <type_traits>

#include "kernels/math/dispatch.h"
#include "stages/filter/window_3x3.cuh"

namespace cuimg {
namespace {

// A square root takes long, so its texels are loaded early. Other filters leave registers to more
// blocks on a multiprocessor.
template <class Filter>
constexpr int rows_ahead = std::is_same_v<Filter, SobelMagnitude> ? 2 : 1;
template <class Filter, class Memory>
constexpr int edge_blocks = std::is_same_v<Filter, SobelMagnitude> ? (Memory::is_array() ? 4 : 6)
                            : Memory::is_array()                   ? 6
                                                                   : 8;

template <int N, class Memory, class Filter>
__global__ void __launch_bounds__(threads_of_3x3, edge_blocks<Filter, Memory>)
    find_edges(CudaRows<float, N> source, PixelTarget<N, Memory> target, BorderAxis columns,
               BorderAxis rows, Filter filter, int alpha) {
  make_from_3x3<rows_ahead<Filter>>(
      source, target, columns, rows,
      [&](const Texels3<N>& upper, const Texels3<N>& middle, const Texels3<N>& lower, int, int) {
        Pixel<N> result;
#pragma unroll
        for (int c = 0; c < N; ++c) {
          Around around;
#pragma unroll
          for (int i = 0; i < 3; ++i) {
            around.v[0][i] = upper.v[i].v[c];
            around.v[1][i] = middle.v[i].v[c];
            around.v[2][i] = lower.v[i].v[c];
          }
          result.v[c] = c == alpha ? around.v[1][1] : filter(around);
        }
        return result;
      });
}

template <int N, class Filter>
void launch(CudaQueue& card, const Filter& filter, const BorderSampler& borders, int alpha,
            const Frame& source, const Frame& target) {
  target.card().with_pixel_target<N>([&](const auto& pixels) {
    find_edges<N><<<blocks_of_3x3(pixels), threads_of_3x3, 0, card.stream()>>>(
        source.card().rows_view<float, N>(), pixels, borders.columns, borders.rows, filter, alpha);
  });
  check_launch("find_edges");
}

}  // namespace

void find_edges_on_cuda(const Queue& queue, const EdgeFilter& filter, const BorderSampler& borders,
                        int alpha, const Frame& source, const Frame& target) {
  CudaQueue& card = queue.card();
  if (target.empty()) return;
  std::visit(
      [&](const auto& chosen) {
        with_stored_channels(source.format().stored_channels(), [&](auto n) {
          launch<n()>(card, chosen, borders, alpha, source, target);
        });
      },
      filter);
}

}  // namespace cuimg
