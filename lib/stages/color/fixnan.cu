// SPDX-License-Identifier: Apache-2.0
// The kernel launches of fixnan.
#include <limits>

#include "device/cuda/cuda_words.cuh"
#include "kernels/stencil/finite_mean.h"
#include "stages/color/fixnan.h"

namespace cuimg {
namespace {

struct FloatTexels {
  __device__ static float get(const TexelWords& texel, int c) {
    return float_from_bits(texel.word[c]);
  }
  __device__ static void set(TexelWords& texel, int c, float value) {
    texel.word[c] = bits_of(value);
  }
};

struct HalfTexels {
  __device__ static float get(const TexelWords& texel, int c) {
    const std::uint32_t bits = texel.word[c / 2] >> (16 * (c % 2));
    return half_to_float(__builtin_bit_cast(Half, static_cast<std::uint16_t>(bits)));
  }
  __device__ static void set(TexelWords& texel, int c, float value) {
    const std::uint32_t bits = __builtin_bit_cast(std::uint16_t, float_to_half(value));
    const int shift = 16 * (c % 2);
    texel.word[c / 2] = (texel.word[c / 2] & ~(0xffffu << shift)) | (bits << shift);
  }
};

template <class Texels>
struct FixTexel {
  ByteRows source;
  Rect window;
  int channels;

  __device__ TexelWords operator()(int x, int y) const {
    TexelWords texel = source.words(x, y);
    for (int c = 0; c < 4; ++c) {
      if (c >= channels || is_finite(Texels::get(texel, c))) continue;
      FiniteMean mean;
      for (int j = y - 1; j <= y + 1; ++j)
        for (int i = x - 1; i <= x + 1; ++i)
          if (contains(window, i, j)) mean.add(Texels::get(source.words(i, j), c));
      Texels::set(texel, c, mean.mean());
    }
    return texel;
  }
};

template <class Texels>
struct LookAtTexel {
  ByteRows source;
  Rect region;
  int channels;
  unsigned long long* first;

  __device__ TexelWords operator()(int x, int y) const {
    const TexelWords texel = source.words(x, y);
    for (int c = 3; c >= 0; --c)
      if (c < channels && !is_finite(Texels::get(texel, c))) {
        const auto row = static_cast<unsigned long long>(y - region.y);
        atomicMin(
            first,
            (row * static_cast<unsigned>(region.width) + static_cast<unsigned>(x - region.x)) * 4 +
                static_cast<unsigned>(c));
      }
    return texel;
  }
};

}  // namespace

void fix_by_neighbours_on_cuda(const Queue& queue, const Rect& window, const Frame& source,
                               const Frame& target) {
  const int channels = source.format().channels;
  const ByteRows rows(source);
  if (source.format().type == PixelType::half)
    make_texels(queue.card(), "fixnan", FixTexel<HalfTexels>{rows, window, channels}, target);
  else
    make_texels(queue.card(), "fixnan", FixTexel<FloatTexels>{rows, window, channels}, target);
}

std::optional<BadValueAt> find_bad_value_on_cuda(const Queue& queue, const Frame& source,
                                                 const Frame& target) {
  constexpr unsigned long long none = std::numeric_limits<unsigned long long>::max();
  const DeviceTable<unsigned long long> first(queue.card(), std::span(&none, 1));
  const Rect& region = target.region();
  const int channels = source.format().channels;
  const ByteRows rows(source);
  const auto look = [&](const auto& looks) { make_texels(queue.card(), "fixnan", looks, target); };
  if (source.format().type == PixelType::half)
    look(LookAtTexel<HalfTexels>{rows, region, channels, first.data()});
  else
    look(LookAtTexel<FloatTexels>{rows, region, channels, first.data()});
  const unsigned long long found = first.to_host().front();
  if (found == none) return std::nullopt;
  const auto pixel = static_cast<long long>(found / 4);
  return BadValueAt{region.x + static_cast<int>(pixel % region.width),
                    region.y + static_cast<int>(pixel / region.width), static_cast<int>(found % 4)};
}

}  // namespace cuimg
