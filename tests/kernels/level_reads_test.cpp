// SPDX-License-Identifier: Apache-2.0
// Reads of long mipmapped textures with the results of an NVIDIA H200 (driver 580, 2026-11-24),
// chosen to show how many bits a coordinate has. samples/texture/tex_mipmap tests any available
// card.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "samples/texture/mip_chain.h"

namespace cuimg::test {
namespace {

struct LevelRead {
  int width, height;
  Address across, down;
  std::uint32_t x, y, level;  ///< Bits of floats.
  std::uint32_t first;        ///< Bits of the result's first channel.
};

template <class T>
void expect_as_on_the_card(const LevelRead& read) {
  const auto seed = 7u + static_cast<unsigned>(read.width) * 31u;
  const samples::Chain<T> chain(read.width, read.height, samples::Contents::even,
                                seed + static_cast<unsigned>(read.height));
  Sampler sampler;
  sampler.normalized = true;
  sampler.address[0] = read.across, sampler.address[1] = read.down;
  const samples::Place place = {std::bit_cast<float>(read.x), std::bit_cast<float>(read.y),
                                std::bit_cast<float>(read.level)};
  EXPECT_EQ(std::bit_cast<std::uint32_t>(chain.read(sampler, place).v[0]), read.first)
      << read.width << "x" << read.height << " at " << place.x << ", " << place.y;
}

constexpr Address clamped = Address::clamp, wrap = Address::wrap, mirror = Address::mirror;

TEST(LevelReads, OfLongFloatTexturesAreAsOnTheCard) {
  for (const LevelRead& read : {
           LevelRead{8193, 5, clamped, clamped, 0xbee2ba93, 0x3f30b334, 0xc0700000, 0x408f42de},
           {8193, 5, wrap, wrap, 0x3f0e6d80, 0x3f96d99a, 0xbd8fb400, 0x40d1826f},
           {16384, 3, clamped, clamped, 0x3f203b5e, 0x3f3a2aad, 0xbf56fe10, 0x40142d49},
           {16384, 3, wrap, wrap, 0x3fac079f, 0x3f811557, 0xbe8f37a0, 0xc0054365},
           {3, 16384, clamped, clamped, 0x3f372aac, 0x3e958532, 0xbef3c840, 0x3f6e95ba},
           {32767, 5, wrap, wrap, 0x3d5592f0, 0x3f3fb21a, 0x3e08a3c0, 0xc0862e20},
           {4, 32768, clamped, clamped, 0x3f718000, 0x3f70bbc3, 0xbe5a5d98, 0x4023ed37},
           {4, 32768, wrap, wrap, 0x3f718000, 0x3f70bbc3, 0xbe5a5d98, 0x3fe12c62},
           {32768, 16, clamped, clamped, 0x3e623d28, 0x3f29b390, 0xbf2a8a43, 0x3f660895},
       })
    expect_as_on_the_card<float>(read);
}

TEST(LevelReads, OfLongHalfTexturesAreAsOnTheCard) {
  for (const LevelRead& read : {
           LevelRead{16385, 3, mirror, clamped, 0xbd3f0001, 0x3c2bc940, 0x3de10b80, 0x40a2a000},
           {16385, 3, mirror, clamped, 0x3f5d331e, 0x3eddabae, 0x3f304e60, 0xbea94000},
       })
    expect_as_on_the_card<Half>(read);
}

}  // namespace
}  // namespace cuimg::test
