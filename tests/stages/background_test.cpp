// SPDX-License-Identifier: Apache-2.0
// Colour and alpha over a background: the loop that the compiler vectorises gives the same bits as
// map_light().
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "stages/pass/pixel_pass.h"
#include "support/used_instruction_set.h"

namespace cuimg::test {
namespace {

LightMap over_background() {
  LightMap map;
  map.from_channels = 4;
  map.from_alpha = 3;
  map.to_channels = 3;
  map.composite = true;
  const float background[] = {0.5f, 0.25f, 2.0f};
  std::memcpy(map.background, background, sizeof background);
  return map;
}

float value_number(std::uint32_t i) {
  constexpr float special[] = {0.0f,
                               -0.0f,
                               1.0f,
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity(),
                               -2.5f};
  if (i % 11 == 10) return float_from_bits(0xffc12345u);  // a NaN with a payload
  if (i % 7 == 0) return special[i / 7 % std::size(special)];
  return static_cast<float>(i * 2654435761u >> 8) * 0x1p-23f;
}

void expect_the_bits_of_map_light(const LightMap& map) {
  for (const std::size_t count : {1u, 7u, 8u, 9u, 400u}) {
    std::vector<float> stored[4];
    for (std::uint32_t c = 0; c < 4; ++c)
      for (std::uint32_t i = 0; i < count; ++i) stored[c].push_back(value_number(4 * i + c));
    std::vector<float> made[4] = {stored[0], stored[1], stored[2], stored[3]};
    float* const planes[4] = {made[0].data(), made[1].data(), made[2].data(), made[3].data()};
    const PixelOp ops[] = {MapLight{map, {map.to_channels, 3, -1}}};
    const PixelShape shape = run_pixel_ops(ops, planes, count, {4, 3, 3});
    EXPECT_EQ(shape.channels, map.to_channels);
    for (std::size_t i = 0; i < count; ++i) {
      const float in[4] = {stored[0][i], stored[1][i], stored[2][i], stored[3][i]};
      float out[4] = {};
      map_light(map, in, out);
      for (int c = 0; c < 4; ++c)
        ASSERT_EQ(bits_of(planes[c][i]), bits_of(out[c])) << count << " " << i << " " << c;
    }
  }
}

TEST(Background, OfRowsIsThatOfPixels) {
  LightMap other_order = over_background();
  std::swap(other_order.source_channel[0], other_order.source_channel[2]);
  LightMap kept_alpha = over_background();
  kept_alpha.to_channels = 4;
  for (const InstructionSet set : usable_instruction_sets()) {
    const UsedInstructionSet used(set);
    expect_the_bits_of_map_light(over_background());
    expect_the_bits_of_map_light(other_order);
    expect_the_bits_of_map_light(kept_alpha);
  }
}

}  // namespace
}  // namespace cuimg::test
