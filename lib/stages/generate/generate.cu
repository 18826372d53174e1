// SPDX-License-Identifier: Apache-2.0
// The launches of generators. A kernel's arguments lie in constant memory: a scene that every
// thread reads in the same order is as cheap as registers.
#include "device/cuda/cuda_words.cuh"
#include "stages/generate/generate.h"

namespace cuimg {
namespace {

/// Sixteen bytes a thread: a pixel of four channels, or several of fewer, one after the other.
/// @param in_word pixels.
template <class Function>
__global__ void generate_kernel(Function function, WordTarget target, Rect region, int in_word) {
  const int word = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (word * in_word >= region.width || row >= region.height) return;
  uint4 made = {};
#pragma unroll 1
  for (int i = 0; i < in_word; ++i) {
    float v[4];
    function(region.x + word * in_word + i, region.y + row, v);
    const std::uint32_t first = bits_of(v[0]), second = bits_of(v[1]);
    // The earlier ones move up.
    if (in_word == 4)
      made = {made.y, made.z, made.w, first};
    else if (in_word == 2)
      made = {made.z, made.w, first, second};
    else
      made = {first, second, bits_of(v[2]), bits_of(v[3])};
  }
  target.store(word * static_cast<int>(sizeof(uint4)), row, made);
}

struct Launch {
  CudaQueue& card;
  const Frame& target;
  template <class Function>
  void operator()(const Function& function) const {
    const Rect& r = target.region();
    if (r.empty()) return;
    const WordTarget words(target);
    const int in_word = static_cast<int>(sizeof(uint4)) / words.texel_bytes;
    const dim3 block = texel_block(target);
    generate_kernel<<<blocks_for((r.width + in_word - 1) / in_word, r.height, block), block, 0,
                      card.stream()>>>(function, words, r, in_word);
    check_launch("generate");
  }
};

}  // namespace

void generate_on_cuda(const Queue& queue, const Generator& generator, const Frame& target) {
  generator.visit(Launch{queue.card(), target});
}

}  // namespace cuimg
