// SPDX-License-Identifier: Apache-2.0
// The launches of operations on two images.
#include "device/cuda/cuda_limits.h"
#include "device/cuda/cuda_queue.h"
#include "device/cuda/cuda_rows.cuh"
#include "device/cuda/cuda_words.cuh"
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

// Pixels that one thread takes, so that enough loads are on their way at once.
constexpr int pixels_per_thread = 2;
constexpr int combine_threads = 256;

template <int N, int M, class Op>
__global__ void __launch_bounds__(combine_threads)
    combine_kernel(Op op, ZeroedRows<N> first, ZeroedRows<M> second, CudaRows<float, N> target,
                   Rect region, Windows within) {
  const int y = region.y + static_cast<int>(blockIdx.y);
  const int left =
      region.x + static_cast<int>(blockIdx.x * combine_threads * pixels_per_thread + threadIdx.x);
  Pixel<N> a[pixels_per_thread];
  Pixel<M> b[pixels_per_thread];
#pragma unroll
  for (int i = 0; i < pixels_per_thread; ++i) {
    a[i] = first.at(left + i * combine_threads, y);
    b[i] = second.at(left + i * combine_threads, y);
  }
#pragma unroll
  for (int i = 0; i < pixels_per_thread; ++i) {
    const int x = left + i * combine_threads;
    if (!contains(region, x, y)) continue;
    Pixel<N> made = a[i];
    if (contains(within.one, x, y) || contains(within.other, x, y))
      op.template operator()<N, M>(a[i].v, b[i].v, made.v);
    store_streaming(target, x, y, made);
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
  const CudaRows<float, N> rows = target.card().rows_view<float, N>();
  constexpr unsigned per_block = combine_threads * pixels_per_thread;
  for (int top = region.y; top < region.bottom(); top += most_blocks_down) {
    Rect part = region;
    part.y = top;
    part.height = std::min(most_blocks_down, region.bottom() - top);
    const dim3 blocks((static_cast<unsigned>(part.width) + per_block - 1) / per_block,
                      static_cast<unsigned>(part.height));
    combine_kernel<N, M>
        <<<blocks, combine_threads, 0, card.stream()>>>(op, a, b, rows, part, Windows{one, other});
    check_launch("combine");
  }
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
  switch (target.format().stored_channels()) {
    case 1:
      return std::visit(Run<1>{card, what, first, second, target}, what.op);
    case 2:
      return std::visit(Run<2>{card, what, first, second, target}, what.op);
    default:
      return std::visit(Run<4>{card, what, first, second, target}, what.op);
  }
}

}  // namespace cuimg
