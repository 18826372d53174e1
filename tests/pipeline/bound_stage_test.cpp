// SPDX-License-Identifier: Apache-2.0
// Stages that are bound to values in code instead of by a command line.
#include "pipeline/bound_stage.h"

#include <gtest/gtest.h>

#include "support/test_stages.h"

namespace cuimg::test {
namespace {

TEST(BoundStage, ValuesBoundInCodeAreThoseOfTheCommandLine) {
  Everything values;
  values.count = 7;
  values.shape = Shape::round;
  EXPECT_EQ(bind(everything_stage(), values).words(), "everything --count 7 --shape round");
}

TEST(BoundStage, ValuesOfAnotherStageAreRefused) {
  EXPECT_THROW(bind(everything_stage(), Nothing{}), std::logic_error);
}

TEST(BoundStage, OtherFilesTakeThePlacesOfThoseThatAChainNames) {
  Everything first, third;
  first.map = "a.exr";
  first.count = 7;
  third.map = "b.exr";
  const std::vector<BoundStage> chain = {bind(everything_stage(), first),
                                         bind(everything_stage(), Everything{}),
                                         bind(everything_stage(), third)};
  const std::vector<FileOfStage> files = files_of(chain);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].place(), "everything: --map a.exr");
  EXPECT_TRUE(files[1].is_certain);
  const std::vector<std::string> others = {"c.exr", "d.exr"};
  const std::vector<BoundStage> changed = with_files(chain, others);
  ASSERT_EQ(changed.size(), 3u);
  EXPECT_EQ(changed[0].words(), "everything --count 7 --map c.exr");
  EXPECT_EQ(changed[1].parameters, chain[1].parameters);
  EXPECT_EQ(changed[2].words(), "everything --map d.exr");
  EXPECT_EQ(chain[0].words(), "everything --count 7 --map a.exr");
}

TEST(BoundStage, AChainsEndsSayWhichFilesItTakes) {
  const auto chain = [](std::initializer_list<Kind> kinds) {
    std::vector<BoundStage> stages;
    for (const Kind kind : kinds) stages.push_back(bind(stage_of(kind), Nothing{}));
    return stages;
  };
  EXPECT_TRUE(takes_input({}));
  EXPECT_FALSE(takes_input(chain({Kind::source, Kind::filter})));
  EXPECT_FALSE(reduces(chain({Kind::filter})));
  EXPECT_TRUE(reduces(chain({Kind::reducer, Kind::filter})));
  EXPECT_EQ(sink_of(chain({Kind::filter})), nullptr);
  const std::vector<BoundStage> reporting = chain({Kind::filter, Kind::sink});
  EXPECT_EQ(sink_of(reporting), &reporting.back());
}

}  // namespace
}  // namespace cuimg::test
