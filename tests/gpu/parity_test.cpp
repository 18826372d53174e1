// SPDX-License-Identifier: Apache-2.0
// The promise, stage by stage: random parameters, drawn from each stage's own description, over
// forced and random small images give the same bytes on the CPU and on the card.
#include "parity_cases.h"

namespace cuimg::test {
namespace {

using Parity = Card;
class EveryStage : public Card, public testing::WithParamInterface<std::string> {};

TEST_P(EveryStage, GivesTheSameBytesOnBothDevicesWithRandomParameters) {
  // The number of cases per stage. CUIMG_PARITY_CASES changes it, for slow cards.
  for_cases(*find_stage(GetParam()), number_in("CUIMG_PARITY_CASES", 1500),
            [&](const StageCase& c) {
              ASSERT_TRUE(same_on_both(queue(), c.plan, c.source, c.options, c.what));
            });
}

INSTANTIATE_TEST_SUITE_P(Parity, EveryStage, testing::ValuesIn(pixel_stages()), test_name);

TEST_F(Parity, ConversionsGiveTheSameBytesOnBothDevices) {
  const std::vector<std::string> formats = {"png", "exr", "jpeg", "tiff", "hdr", "pfm", "tga"};
  for (unsigned number = 0; number < 1000; ++number) {
    Draw draw(seed_of("conversions", number));
    const Image source = picture_of_case(number, draw);
    ChainOptions options;
    options.format = draw.of(formats);
    const Chain chain{{}, draw.one_in(3)};
    std::optional<Plan> plan;
    try {
      plan = plan_of(chain, source.spec(), options);
    } catch (const Error&) {
      continue;  // ids in a format that cannot hold them
    }
    const std::string what = describe_pixels(source.spec()) + " to " + options.format + ", case " +
                             std::to_string(number) +
                             " of CUIMG_PARITY_SEED=" + std::to_string(parity_seed());
    ASSERT_TRUE(same_on_both(queue(), *plan, source, options, what));
  }
}

}  // namespace
}  // namespace cuimg::test
