// SPDX-License-Identifier: Apache-2.0
// The launches of operations on two images.
#include "device/cuda/cuda_rows.cuh"
#include "device/cuda/cuda_words.cuh"
#include "kernels/math/dispatch.h"
#include "stages/combine/combine.h"

namespace cuimg {
namespace {

// Pixels of N floats, zero where the frame has none.
template <int N>
struct ZeroedRows {
  CudaRows<float, N> rows;
  Rect covered;

  ZeroedRows(const Frame& frame, const Rect& region)
      : rows{}, covered(intersection(frame.region(), region)) {
    if (frame.empty()) return;
    rows = {static_cast<char*>(frame.card().data()),
            frame.card().pitch_bytes(),
            frame.region().x,
            frame.region().y,
            frame.region().width,
            frame.region().height};
  }
  __device__ Pixel<N> at(int x, int y) const {
    return contains(covered, x, y) ? load(rows, x, y) : Pixel<N>{};
  }
};

struct Windows {
  Rect one, other;
};

// Pixels that one thread takes, so that enough loads are in flight.
constexpr int pixels_per_thread = 2;
constexpr int combine_threads = 256;

template <int N, int M, class Op>
__global__ void __launch_bounds__(combine_threads)
    combine_kernel(Op op, ZeroedRows<N> first, ZeroedRows<M> second, PixelTarget<N> target,
                   Rect region, Windows within) {
  const int step = static_cast<int>(blockDim.x);
  const int y = region.y + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int left =
      region.x + static_cast<int>(blockIdx.x * blockDim.x * pixels_per_thread + threadIdx.x);
  Pixel<N> a[pixels_per_thread];
  Pixel<M> b[pixels_per_thread];
#pragma unroll
  for (int i = 0; i < pixels_per_thread; ++i) {
    a[i] = first.at(left + i * step, y);
    b[i] = second.at(left + i * step, y);
  }
#pragma unroll
  for (int i = 0; i < pixels_per_thread; ++i) {
    const int x = left + i * step;
    if (!contains(region, x, y)) continue;
    Pixel<N> made = a[i];
    if (contains(within.one, x, y) || contains(within.other, x, y))
      op.template operator()<N, M>(a[i].v, b[i].v, made.v);
    target.store_streaming(x, y, made);
  }
}

template <int N, int M, class Op>
void launch(CudaQueue& card, const Op& op, const Combination& what, const Frame& first,
            const Frame& second, const Frame& target) {
  const Rect& region = target.region();
  if (region.empty()) return;
  const auto [one, other] = what.only_within.value_or(std::array{region, region});
  const ZeroedRows<N> a(first, region);
  const ZeroedRows<M> b(second, region);
  const PixelTarget<N> pixels = target.card().pixel_target<N>();
  const dim3 block = row_block<combine_threads>(target);
  for_parts(region, block, pixels_per_thread, [&](const Rect& part, dim3 blocks) {
    combine_kernel<N, M>
        <<<blocks, block, 0, card.stream()>>>(op, a, b, pixels, part, Windows{one, other});
    check_launch("combine");
  });
}

// N and M are floats as they lie: three lie as four.
template <int N>
struct Run {
  CudaQueue& card;
  const Combination& what;
  const Frame &first, &second, &target;

  void operator()(const PorterDuff& op) const {
    if constexpr (N < 4)
      if (op.second_alpha >= N)
        return launch < N, N == 1 ? 2 : 4 > (card, op, what, first, second, target);
    launch<N, N>(card, op, what, first, second, target);
  }
  void operator()(const MaskBy& op) const { launch<N, 1>(card, op, what, first, second, target); }
  template <class Op>
  void operator()(const Op& op) const {
    launch<N, N>(card, op, what, first, second, target);
  }
};

}  // namespace

void combine_on_cuda(const Queue& queue, const Combination& what, const Frame& first,
                     const Frame& second, const Frame& target) {
  CudaQueue& card = queue.card();
  with_stored_channels(target.format().stored_channels(), [&](auto n) {
    std::visit(Run<n()>{card, what, first, second, target}, what.op);
  });
}

}  // namespace cuimg
