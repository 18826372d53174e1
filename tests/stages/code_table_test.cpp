// SPDX-License-Identifier: Apache-2.0
// 8-bit passes as tables: which passes can be tables, and that every pixel is the same as without.
#include "stages/pass/code_table.h"

#include <cstring>

#include "stages/pass/pixel_pass.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

// The only pass of the chain, from pixels of one form to another.
std::shared_ptr<const PixelPass> pass_of(const std::string& words, const Spec& spec) {
  const Plan plan = plan_of(parse_chain(words), spec, {.format = "png", .type = PixelType::u8});
  EXPECT_EQ(plan.steps.size(), 1u) << words;
  return plan.steps.front().operation->plan().layer(0).pixel_pass;
}

// Every pair of a code and an alpha; the other channels have any values.
Image every_pair(const Spec& spec) {
  return image_of(spec, [&](int, int x, int y, int c) {
    const int alpha = spec.layers[0].alpha_index();
    const int code = c == alpha ? y : c == 0 ? x : (x * (3 + 2 * c) + 31 * y + 7 * c) % 256;
    return code / 255.0;
  });
}

void expect_table_equals_pass(const std::string& words, int channels) {
  const Spec spec = spec_of({0, 0, 256, 256}, PixelType::u8, channels);
  const auto pass = pass_of(words, spec);
  ASSERT_TRUE(CodeTable::fits(*pass)) << words << ", " << channels;
  const Image source = every_pair(spec);
  Image computed(spec), looked_up(spec);
  run_pass_on_cpu(*pass, Frame::over_image(source, 0), Frame::over_image(computed, 0));
  CodeTable(*pass).apply_on_cpu(Frame::over_image(source, 0), Frame::over_image(looked_up, 0));
  for (int y = 0; y < 256; ++y)
    ASSERT_EQ(std::memcmp(computed.row(0, y), looked_up.row(0, y), computed.row_bytes(0)), 0)
        << words << ", " << channels << " channels, alpha or row " << y;
}

TEST(CodeTable, MakesTheSamePixelsAsThePass) {
  for (const int channels : {1, 2, 3, 4})
    for (const char* words :
         {"exposure --stops 1", "exposure --stops -2.5", "gain --value 0.3", "levels --black 0.1",
          "levels --black 0.1 --white 0.9 --gamma 1.7", "invert", "contrast --amount 1.4",
          "gamma --value 2.2", "encode --curve rec709", "decode --curve pq", "clamp --max 0.5",
          "curve --points '0,0 0.3,0.2 0.7,0.8 1,1'", "add --value 0.1", "sub --value 0.1",
          "div --value 0.3", "min --value 0.4", "premult", "unpremult",
          "exposure --stops 1 + levels --gamma 0.8 + gain --value 0.5"})
      expect_table_equals_pass(words, channels);
  for (const int channels : {3, 4}) {
    expect_table_equals_pass("gain --value 0.2,0.9,1.7", channels);
    expect_table_equals_pass("curve --red '0,0 0.5,0.6 1,1' --blue '0,0.1 1,0.9'", channels);
  }
  expect_table_equals_pass("gain --value 0.5,0.6,0.7,0.8", 4);
}

TEST(CodeTable, HasOneTableForChannelsThatAreAlike) {
  const Spec spec = spec_of({0, 0, 2, 2}, PixelType::u8, 4);
  const CodeTable alike(*pass_of("exposure --stops 1", spec));
  EXPECT_EQ(alike.alpha(), 3);
  EXPECT_EQ(alike.first(0), alike.first(2));
  EXPECT_LE(alike.codes().size(), 65536u + 256u);
  const CodeTable apart(*pass_of("gain --value 0.2,0.9,1.7", spec));
  EXPECT_NE(apart.first(0), apart.first(2));
  EXPECT_EQ(CodeTable(*pass_of("exposure --stops 1", spec_of({0, 0, 2, 2}, PixelType::u8, 3)))
                .codes()
                .size(),
            256u);
}

TEST(CodeTable, IsNotMadeWhereChannelsMix) {
  const Spec spec = spec_of({0, 0, 2, 2}, PixelType::u8, 4);
  for (const char* words : {"saturation --amount 1.2", "tonemap", "tonemap --curve agx",
                            "matrix --values 0.9,0.1,0,0,1,0,0,0.2,0.8"})
    EXPECT_FALSE(CodeTable::fits(*pass_of(words, spec))) << words;
}

TEST(CodeTable, IsMadeOnlyForManyPixels) {
  const auto pass = pass_of("exposure --stops 1", spec_of({0, 0, 2, 2}, PixelType::u8, 3));
  const KeptCodeTable kept;
  EXPECT_EQ(kept.of(*pass, 100), nullptr);
  const CodeTable* const made = kept.of(*pass, 1000);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(kept.of(*pass, 1), made);
  const PixelPass whole = *pass;
  ASSERT_NE(whole.code_table->of(whole, 1000), nullptr);
  const PixelPass copy = whole;
  EXPECT_EQ(copy.code_table->of(copy, 1), nullptr) << "it may become another pass";
}

}  // namespace
}  // namespace cuimg::test
