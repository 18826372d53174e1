// SPDX-License-Identifier: Apache-2.0
// Combines pictures into one on a card.
#include <cstring>

#include "device/cuda/cuda_words.cuh"
#include "stages/combine/append.h"

namespace cuimg {
namespace {

struct SameTexel {
  TexelWords texel;
  __device__ TexelWords operator()(int, int) const { return texel; }
};

}  // namespace

void place_on_cuda(const Queue& queue, std::span<const Placed> pictures, const StoredTexel& fill,
                   const Frame& target) {
  SameTexel filled{};
  std::memcpy(filled.texel.word, fill.data(), sizeof filled.texel.word);
  make_texels(queue.card(), "append", filled, target);
  for (const Placed& picture : pictures) {
    const Rect place = intersection(picture.place, target.region());
    const Rect shown = intersection(place, picture.pixels.region());
    if (shown != place) make_texels(queue.card(), "append", SameTexel{}, target, place);
    if (!shown.empty())
      make_texels(queue.card(), "append", CopyShifted{ByteRows(picture.pixels), 0, 0}, target,
                  shown);
  }
}

}  // namespace cuimg
