// SPDX-License-Identifier: Apache-2.0
// Cases for tests of all stages in the table: one stage, with random parameters, over a forced or a
// random picture. A case depends only on the stage's name, its number and CUIMG_PARITY_SEED.
#pragma once

#include <functional>

#include "support/random_stage.h"

namespace cuimg::test {

struct StageCase {
  Image source;
  ChainOptions options;
  Plan plan;
  std::string what;  ///< Tells how to repeat the case, for a failure's message.
};

/// The names of the stages that make pixels, so not of sinks and reducers.
inline std::vector<std::string> pixel_stages() {
  std::vector<std::string> names;
  for (const StageDescription* stage : stages())
    if (stage->kind == Kind::filter || stage->kind == Kind::source) names.push_back(stage->name);
  return names;
}

/// A stage's name in a form that tests allow: "dest-over" becomes "destover".
inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::erase(name, '-');
  return name;
}

/// Returns nothing if the drawn values exclude each other, or leave nothing of the picture.
inline std::optional<StageCase> drawn_case(const StageDescription& stage, unsigned number,
                                           unsigned attempt, const TempDir& folder) {
  Draw draw(seed_of(stage.name, number + (attempt << 24)));
  StageCase made;
  made.source = picture_of_case(number, draw);
  const Spec& picture = made.source.spec();
  const Chain chain{{random_stage(stage, draw, folder, picture.display_window)}, draw.one_in(2)};
  if (draw.one_in(2)) made.options.format = draw.one_in(2) ? "png" : "exr";
  made.what = chain.stages.front().words() + (chain.raw ? " --raw" : "") +
              (made.options.format.empty() ? "" : " --format " + made.options.format) + " of " +
              describe_pixels(picture) + ", case " + std::to_string(number) +
              " of CUIMG_PARITY_SEED=" + std::to_string(parity_seed());
  try {
    const Chain known = stage.kind == Kind::source ? chain : measured_chain(chain, made.source);
    made.plan = plan_of(known, stage.kind == Kind::source ? Spec{} : picture, made.options);
  } catch (const Error&) {
    return std::nullopt;
  }
  return made;
}

/// Calls `check` for `count` cases, except those that the random values make impossible. For a
/// forced picture it draws until the stage accepts it. It ends at the first failure.
inline void for_cases(const StageDescription& stage, unsigned count,
                      const std::function<void(const StageCase&)>& check) {
  constexpr unsigned most_attempts = 60;
  const TempDir folder;
  unsigned done = 0, refused = 0;
  for (unsigned number = 0; number < count && !testing::Test::HasFatalFailure(); ++number) {
    const bool forced = number < std::size(forced_pictures);
    std::optional<StageCase> made = drawn_case(stage, number, 0, folder);
    for (unsigned attempt = 1; forced && !made && attempt < most_attempts; ++attempt)
      made = drawn_case(stage, number, attempt, folder);
    if (made) {
      check(*made);
      ++done;
    } else {
      ++refused;
      ASSERT_FALSE(forced) << stage.name << " never took forced picture " << number;
    }
  }
  EXPECT_GT(done, count / 2) << stage.name << ": " << refused << " were refused";
}

}  // namespace cuimg::test
