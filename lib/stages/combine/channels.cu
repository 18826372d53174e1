// SPDX-License-Identifier: Apache-2.0
// Combines channels into layers on a card.
#include "device/cuda/cuda_words.cuh"
#include "stages/combine/channels.h"

namespace cuimg {
namespace {

struct PickedTexel {
  ByteRows sources[4];
  PickedChannel channels[4];
  int count;
  int source_bytes[4];  ///< For one channel of each source,
  int target_bytes;     ///< and for the target.

  __device__ std::uint32_t value(const PickedChannel& picked, int x, int y) const {
    if (picked.source == PickedChannel::nowhere) return picked.constant;
    const int bytes = source_bytes[picked.source];
    const char* at = sources[picked.source].texel(x, y) + picked.channel * bytes;
    std::uint32_t bits;
    if (bytes == 1)
      bits = *reinterpret_cast<const std::uint8_t*>(at);
    else if (bytes == 2)
      bits = *reinterpret_cast<const std::uint16_t*>(at);
    else
      bits = *reinterpret_cast<const std::uint32_t*>(at);
    return widened(picked.widening, bits);
  }

  __device__ TexelWords operator()(int x, int y) const {
    TexelWords texel = {};
    const int per_word = 4 / target_bytes;
#pragma unroll
    for (int c = 0; c < 4; ++c)
      if (c < count)
        texel.word[c / per_word] |= value(channels[c], x, y) << (8 * target_bytes * (c % per_word));
    return texel;
  }
};

}  // namespace

void pick_on_cuda(const Queue& queue, const ChannelPick& pick, Frames sources,
                  const Frame& target) {
  const auto rows = [&](std::size_t i) {
    if (i < sources.size()) return ByteRows(sources[i]);
    return ByteRows::none();
  };
  PickedTexel made{{rows(0), rows(1), rows(2), rows(3)},
                   {pick[0], pick[1], pick[2], pick[3]},
                   target.format().channels,
                   {},
                   static_cast<int>(bytes_of(target.format().type))};
  for (std::size_t i = 0; i < sources.size(); ++i)
    made.source_bytes[i] = static_cast<int>(bytes_of(sources[i].format().type));
  make_texels(queue.card(), "channels", made, target);
}

}  // namespace cuimg
