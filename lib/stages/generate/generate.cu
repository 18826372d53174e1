// SPDX-License-Identifier: Apache-2.0
// The launches of generators. A kernel's arguments are in constant memory: a scene that every
// thread reads in the same order is as fast as registers.
#include "device/cuda/cuda_words.cuh"
#include "kernels/math/ceil_div.h"
#include "stages/generate/generate.h"

namespace cuimg {
namespace {

constexpr int rows_each = 8;  // that a thread makes, if its preparations are long

// Generators with much code determine at run time how many pixels are in a word of 16 bytes.
constexpr int any_count = 0;
template <class Function>
constexpr bool is_long = std::is_same_v<Function, Chart> || std::is_same_v<Function, Spheres>;

/// Sixteen bytes: a pixel of four channels, or several consecutive ones of fewer.
/// @param in_word pixels. @tparam count the same, if it is known.
template <int count, class Function>
__device__ uint4 generated_word(const Function& function, int x, int y, int in_word) {
  uint4 made = {};
#pragma unroll(count == any_count ? 1 : count)
  for (int i = 0; i < (count == any_count ? in_word : count); ++i) {
    float v[4];
    function(x + i, y, v);
    const std::uint32_t first = bits_of(v[0]), second = bits_of(v[1]);
    // The earlier ones are shifted up.
    if (in_word == 4)
      made = {made.y, made.z, made.w, first};
    else if (in_word == 2)
      made = {made.z, made.w, first, second};
    else
      made = {first, second, bits_of(v[2]), bits_of(v[3])};
  }
  return made;
}

template <int count, class Function>
__global__ void generate_kernel(Function function, WordTarget target, Rect region, int asked) {
  const int in_word = count == any_count ? asked : count;
  const int word = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int rows = static_cast<int>(blockDim.y);
  const int first = static_cast<int>(blockIdx.y) * rows * rows_each + static_cast<int>(threadIdx.y);
  if (word * in_word >= region.width) return;
  const int end = min(first + rows * rows_each, region.height);
#pragma unroll 1
  for (int row = first; row < end; row += rows)
    target.store(
        word * static_cast<int>(sizeof(uint4)), row,
        generated_word<count>(function, region.x + word * in_word, region.y + row, in_word));
}

struct Launch {
  CudaQueue& card;
  const Frame& target;
  template <class Function>
  void operator()(const Function& function) const {
    if (target.region().empty()) return;
    const WordTarget words(target);
    const int in_word = static_cast<int>(sizeof(uint4)) / words.texel_bytes;
    if constexpr (!is_long<Function>) {
      if (in_word == 1) return launch<1>(function, words, in_word);
      if (in_word == 4) return launch<4>(function, words, in_word);
    }
    launch<any_count>(function, words, in_word);
  }

 private:
  template <int count, class Function>
  void launch(const Function& function, const WordTarget& words, int in_word) const {
    const Rect& r = target.region();
    const dim3 block = texel_block(target);
    const int across = ceil_div(r.width, in_word);
    const int down = ceil_div(r.height, rows_each);
    generate_kernel<count>
        <<<blocks_for(across, down, block), block, 0, card.stream()>>>(function, words, r, in_word);
    check_launch("generate");
  }
};

}  // namespace

void generate_on_cuda(const Queue& queue, const Generator& generator, const Frame& target) {
  generator.visit(Launch{queue.card(), target});
}

}  // namespace cuimg
