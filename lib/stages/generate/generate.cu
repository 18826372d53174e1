// SPDX-License-Identifier: Apache-2.0
// The launches of generators. A kernel's arguments lie in constant memory: a scene that every
// thread reads in the same order is as cheap as registers.
#include "device/cuda/cuda_words.cuh"
#include "stages/generate/generate.h"

namespace cuimg {
namespace {

template <class Function>
struct GeneratedTexel {
  Function function;
  __device__ TexelWords operator()(int x, int y) const {
    float v[4];
    function(x, y, v);
    TexelWords texel;
    for (int c = 0; c < 4; ++c) texel.word[c] = bits_of(v[c]);
    return texel;
  }
};

struct Launch {
  CudaQueue& card;
  const Frame& target;
  template <class Function>
  void operator()(const Function& function) const {
    make_texels(card, "generate", GeneratedTexel<Function>{function}, target);
  }
};

}  // namespace

void generate_on_cuda(const Queue& queue, const Generator& generator, const Frame& target) {
  generator.visit(Launch{queue.card(), target});
}

}  // namespace cuimg
