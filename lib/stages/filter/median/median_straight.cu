// SPDX-License-Identifier: Apache-2.0
// Small medians of integers with straight alpha: of light times alpha. If everything that a block
// of threads reads is opaque, they are computed from the codes themselves: the order is the same,
// and the code of the median light is the median code.
#include "device/cuda/cuda_border.cuh"
#include "device/cuda/cuda_limits.h"
#include "kernels/stencil/median_network.h"
#include "stages/filter/median/median_lanes.cuh"
#include "stages/filter/median/median_networks.h"
#include "stages/window/form_values.cuh"
#include "stages/window/straight_forms.h"

namespace cuimg {
namespace {

constexpr int straight_threads = 128;
constexpr int straight_side = 32;               // of a block's pixels, in both directions
constexpr int light_rows = 32, code_rows = 16;  // that a thread makes

template <class T, int size>
struct StraightMemory {
  static constexpr int side = straight_side + size - 1;
  union {
    float light[side][4 * side];
    KeyPair<T> pairs[side][2 * side];
  };
  float light_of_code[light_of_codes];
  std::uint32_t codes[std::is_same_v<T, std::uint8_t> ? Srgb8Tables::buckets : 1];
};

template <class T, int size>
__device__ inline void medians_of_codes(const StraightMemory<T, size>& memory,
                                        const FormTarget<4>& target, int left, int top) {
  constexpr int radius = size / 2, columns = 2 * straight_side;
  const int column = static_cast<int>(threadIdx.x) % columns;
  const int first = static_cast<int>(threadIdx.x) / columns * code_rows;
  using Key = KeyPair<T>;
  const auto row = [&](int y) {
    const Key* const at = &memory.pairs[y + radius][column];
    Keys<Key, size> keys;
#pragma unroll
    for (int k = 0; k < size; ++k) keys.v[k] = at[2 * k];
    return keys;
  };
  const int x = left + column / 2;
  const auto out = [&](int y, const Key& key) {
    if (!target.contains(x, top + y)) return;
    target.memory.store_streaming(
        ((x - target.left) * 4 + column % 2 * 2) * static_cast<int>(sizeof(T)),
        top + y - target.top, PackedTexel<T, 2>{{key.first(), key.second()}});
  };
  MedianColumn<Key, size> medians;
  medians.begin(first, row);
#pragma unroll 1
  for (int y = first; y < first + code_rows; y += medians.rows) medians.step(y, row, out);
}

template <class T, int size>
__device__ inline void medians_of_light(const StraightMemory<T, size>& memory,
                                        const FormTarget<4>& target, int left, int top) {
  constexpr int radius = size / 2;
  const int value = static_cast<int>(threadIdx.x), channel = value % 4;
  const auto row = [&](int y) {
    const float* const at = &memory.light[y + radius][value];
    Keys<FloatKey, size> keys;
#pragma unroll
    for (int k = 0; k < size; ++k) keys.v[k] = {at[4 * k]};
    return keys;
  };
  const int x = left + value / 4;
  const auto out = [&](int y, const FloatKey& key) {
    const float alpha = __shfl_sync(0xffffffffu, key.v, value % 32 | 3);
    const float color =
        channel == 3 ? alpha : detail::color_over_alpha(key.v, alpha, detail::reciprocal_of(alpha));
    if (target.contains(x, top + y))
      target.memory.store_streaming(((x - target.left) * 4 + channel) * static_cast<int>(sizeof(T)),
                                    top + y - target.top,
                                    detail::stored_as<T>(target, color, channel == 3));
  };
  MedianColumn<FloatKey, size> medians;
  medians.begin(0, row);
#pragma unroll 1
  for (int y = 0; y < light_rows; y += medians.rows) medians.step(y, row, out);
}

template <class T, int size>
__global__ void __launch_bounds__(straight_threads, size > 5 ? 4 : 6)
    median_straight(FormRows<4> source, FormTarget<4> target, BorderAxis columns, BorderAxis rows) {
  using Texel = PackedTexel<T, 4>;
  using Memory = StraightMemory<T, size>;
  __shared__ Memory memory;
  constexpr int side = Memory::side, texels = side * side;
  constexpr int each = (texels + straight_threads - 1) / straight_threads;
  const int thread = static_cast<int>(threadIdx.x);
  const int left = target.left + static_cast<int>(blockIdx.x) * straight_side;
  const int top = target.top + static_cast<int>(blockIdx.y) * straight_side;
  Texel texel[each];
  bool is_opaque = true;
#pragma unroll
  for (int i = 0; i < each; ++i) {
    texel[i] = {};
    const int at = thread + i * straight_threads;
    if (at >= texels) continue;
    const int x = border_index(columns, left - size / 2 + at % side);
    const int y = border_index(rows, top - size / 2 + at / side);
    if (x != BorderAxis::nothing && y != BorderAxis::nothing)
      texel[i] = load_cached(reinterpret_cast<const Texel*>(source.texel(x, y)));
    is_opaque = is_opaque && texel[i].v[3] == static_cast<T>(~T{});
  }
  if (__syncthreads_or(!is_opaque) == 0) {
#pragma unroll
    for (int i = 0; i < each; ++i) {
      const int at = thread + i * straight_threads;
      if (at >= texels) continue;
#pragma unroll
      for (int k = 0; k < 2; ++k)
        memory.pairs[at / side][at % side * 2 + k] =
            KeyPair<T>::of(texel[i].v[2 * k], texel[i].v[2 * k + 1]);
    }
    __syncthreads();
    return medians_of_codes<T, size>(memory, target, left, top);
  }
  ready_loads(source, memory.light_of_code, thread, straight_threads);
  ready_stores(target, memory.codes, thread, straight_threads);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < each; ++i) {
    const int at = thread + i * straight_threads;
    if (at >= texels) continue;
    float4 light;
    light.w = detail::light_of(source, texel[i].v[3], true);
    light.x = detail::light_of(source, texel[i].v[0], false) * light.w;
    light.y = detail::light_of(source, texel[i].v[1], false) * light.w;
    light.z = detail::light_of(source, texel[i].v[2], false) * light.w;
    *reinterpret_cast<float4*>(&memory.light[at / side][at % side * 4]) = light;
  }
  __syncthreads();
  medians_of_light<T, size>(memory, target, left, top);
}

template <class T, int size>
void run_straight(CudaQueue& card, const MedianPlan& plan, const Frame& source,
                  const Frame& target) {
  const Rect& t = target.region();
  const dim3 grid = blocks_for(t.width, t.height, dim3(straight_side, straight_side));
  median_straight<T, size><<<grid, straight_threads, 0, card.stream()>>>(
      form_rows<4>(card, source), form_target<4>(card, target), plan.borders.columns,
      plan.borders.rows);
  check_launch("median_straight");
}

template <class T>
void run_straight(CudaQueue& card, const MedianPlan& plan, const Frame& source,
                  const Frame& target) {
  switch (plan.size) {
    case 3:
      return run_straight<T, 3>(card, plan, source, target);
    case 5:
      return run_straight<T, 5>(card, plan, source, target);
    default:
      return run_straight<T, 7>(card, plan, source, target);
  }
}

}  // namespace

bool median_of_straight(CudaQueue& card, const MedianPlan& plan, const Frame& source,
                        const Frame& target) {
  if (plan.size > largest_network || !have_one_straight_form(card, source, target)) return false;
  if (plan.size == 5 && kind_of(source) == FormKind::srgb8 && kind_of(target) == FormKind::srgb8) {
    median_of_light(card, plan, source, target);
    return true;
  }
  if (source.as_stored().format().type == PixelType::u8)
    run_straight<std::uint8_t>(card, plan, source, target);
  else
    run_straight<std::uint16_t>(card, plan, source, target);
  return true;
}

}  // namespace cuimg
