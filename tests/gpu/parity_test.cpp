// SPDX-License-Identifier: Apache-2.0
// The promise, stage by stage: random parameters, drawn from each stage's own description, over
// random small images give the same bytes on the CPU and on the card.
#include "card.h"
#include "support/random_stage.h"

namespace cuimg::test {
namespace {

using Parity = Card;

// Of each stage; the variable CUIMG_PARITY_CASES sets another number, for slow cards.
unsigned cases_per_stage() {
  const char* const wanted = std::getenv("CUIMG_PARITY_CASES");
  return wanted == nullptr ? 1500 : static_cast<unsigned>(std::stoul(wanted));
}

std::vector<std::string> pixel_stages() {
  std::vector<std::string> names;
  for (const StageDescription* stage : stages())
    if (stage->kind == Kind::filter || stage->kind == Kind::source) names.push_back(stage->name);
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param)
    if (c != '-') name += c;
  return name;
}

class EveryStage : public Card, public testing::WithParamInterface<std::string> {};

TEST_P(EveryStage, GivesTheSameBytesOnBothDevicesWithRandomParameters) {
  const StageDescription* const stage = find_stage(GetParam());
  const Queue cpu = Queue::cpu();
  const TempDir folder;
  const unsigned cases = cases_per_stage();
  unsigned done = 0, refused = 0;
  for (unsigned number = 0; number < cases; ++number) {
    Draw draw(number * 7919 + 13);
    const Image source = random_picture(draw);
    const Chain chain{{random_stage(*stage, draw, folder, source.spec().display_window)},
                      draw.one_in(2)};
    ChainOptions options;
    if (draw.one_in(2)) options.format = draw.one_in(2) ? "png" : "exr";
    const std::string what = chain.stages.front().words() + (chain.raw ? " --raw" : "") + " of " +
                             describe_pixels(source.spec()) + ", case " + std::to_string(number);
    std::optional<Plan> plan;
    try {
      plan = plan_of(chain, stage->kind == Kind::source ? Spec{} : source.spec(), options);
    } catch (const Error&) {
      ++refused;  // values that exclude each other, or that leave nothing of the picture
      continue;
    }
    options.queue = &cpu;
    const Image on_cpu = run_plan(*plan, source, options);
    options.queue = &queue();
    try {
      ASSERT_TRUE(same_pixels(run_plan(*plan, source, options), on_cpu)) << what;
    } catch (const DeviceError& error) {
      FAIL() << what << ": " << error.what();
    }
    ++done;
  }
  EXPECT_GT(done, cases / 2) << stage->name << ": " << refused << " were refused";
}

INSTANTIATE_TEST_SUITE_P(Parity, EveryStage, testing::ValuesIn(pixel_stages()), test_name);

TEST_F(Parity, ConversionsGiveTheSameBytesOnBothDevices) {
  const Queue cpu = Queue::cpu();
  for (unsigned number = 0; number < 1000; ++number) {
    Draw draw(number * 104729 + 7);
    const Image source = random_picture(draw);
    const std::vector<std::string> formats = {"png", "exr", "jpeg", "tiff", "hdr", "pfm", "tga"};
    ChainOptions options;
    options.format = draw.of(formats);
    const Chain chain{{}, draw.one_in(3)};
    std::optional<Plan> plan;
    try {
      plan = plan_of(chain, source.spec(), options);
    } catch (const Error&) {
      continue;  // ids in a format that cannot hold them
    }
    options.queue = &cpu;
    const Image on_cpu = run_plan(*plan, source, options);
    options.queue = &queue();
    ASSERT_TRUE(same_pixels(run_plan(*plan, source, options), on_cpu))
        << describe_pixels(source.spec()) << " to " << options.format << ", case " << number;
  }
}

}  // namespace
}  // namespace cuimg::test
