// SPDX-License-Identifier: Apache-2.0
// The launches of operations on two images.
#include "device/cuda/cuda_words.cuh"
#include "kernels/math/dispatch.h"
#include "stages/combine/combine.h"
#include "stages/pass/stored_pixels.cuh"

namespace cuimg {
namespace {

// Pixels of rows, zero where the frame has none.
template <class Rows>
struct Zeroed {
  Rows rows;
  Rect covered;

  __device__ FetchedTexel<Rows> fetch(int x, int y) const {
    return contains(covered, x, y) ? cuimg::fetch(rows, x, y) : FetchedTexel<Rows>{};
  }
};

struct Windows {
  Rect one, other;
};

// Pixels that one thread takes, so that enough loads are in flight.
template <class Target>
constexpr int pixels_per_thread = 2;
template <int N>
constexpr int pixels_per_thread<FormTarget<N>> = 4;
constexpr int combine_threads = 256;

template <class Op, class First, class Second, class Target>
__global__ void __launch_bounds__(combine_threads)
    combine_kernel(Op op, Zeroed<First> first, Zeroed<Second> second, Target target, Rect region,
                   Windows within) {
  constexpr int N = TexelsOf<First>::channels, M = TexelsOf<Second>::channels;
  constexpr int pixels = pixels_per_thread<Target>;
  __shared__ float light[2][shared_for_loads<First>];
  const int step = static_cast<int>(blockDim.x);
  const int y = region.y + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int left = region.x + static_cast<int>(blockIdx.x * blockDim.x * pixels + threadIdx.x);
  FetchedTexel<First> one[pixels];
  FetchedTexel<Second> other[pixels];
#pragma unroll
  for (int i = 0; i < pixels; ++i) {
    one[i] = first.fetch(left + i * step, y);
    other[i] = second.fetch(left + i * step, y);
  }
  if constexpr (shared_for_loads < First >> 1) {
    const auto thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
    ready_loads(first.rows, light[0], thread, combine_threads);
    ready_loads(second.rows, light[1], thread, combine_threads);
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < pixels; ++i) {
    const int x = left + i * step;
    if (!contains(region, x, y)) continue;
    const Pixel<N> a = decoded(first.rows, one[i]);
    const Pixel<M> b = decoded(second.rows, other[i]);
    Pixel<N> made = a;
    if (contains(within.one, x, y) || contains(within.other, x, y))
      op.template operator()<N, M>(a.v, b.v, made.v);
    target.store_streaming(x, y, made);
  }
}

template <int N>
CudaRows<float, N> float_rows(const Frame& frame) {
  if (frame.empty()) return {};
  return {static_cast<char*>(frame.card().data()),
          frame.card().pitch_bytes(),
          frame.region().x,
          frame.region().y,
          frame.region().width,
          frame.region().height};
}

template <int N, int M, class Op>
void launch(CudaQueue& card, const Op& op, const Combination& what, const Frame& first,
            const Frame& second, const Frame& target) {
  const Rect& region = target.region();
  if (region.empty()) return;
  const auto [one, other] = what.only_within.value_or(std::array{region, region});
  const dim3 block = row_block<combine_threads>(target);
  const auto run = [&](const auto& a, const auto& b, const auto& pixels) {
    constexpr int each = pixels_per_thread<std::decay_t<decltype(pixels)>>;
    for_parts(region, block, each, [&](const Rect& part, dim3 blocks) {
      combine_kernel<<<blocks, block, 0, card.stream()>>>(
          op, Zeroed<std::decay_t<decltype(a)>>{a, intersection(first.region(), region)},
          Zeroed<std::decay_t<decltype(b)>>{b, intersection(second.region(), region)}, pixels, part,
          Windows{one, other});
      check_launch("combine");
    });
  };
  if (first.stored_form() || second.stored_form() || target.stored_form())
    return run(form_rows<N>(card, first), form_rows<M>(card, second), form_target<N>(card, target));
  run(float_rows<N>(first), float_rows<M>(second), target.card().pixel_target<N>());
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
