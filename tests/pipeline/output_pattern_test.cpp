// SPDX-License-Identifier: Apache-2.0
// Names of outputs that are derived from names of inputs.
#include "pipeline/batch/output_pattern.h"

#include <gtest/gtest.h>

#include "options/name_pattern.h"

#include "support/test_stages.h"

namespace cuimg::test {
namespace {

// Fills the pattern as -o does.
std::string filled(const std::string& pattern, const PatternInput& input) {
  return fill_pattern(pattern, input, "-o " + pattern);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(OutputPattern, PadsNumbers) {
  EXPECT_EQ(filled("{index}_{index:03}", {"x.exr", "", 7}), "7_007");
  EXPECT_EQ(filled("{frame:05}_{frame:01}", {"x.exr", "", 0, -12}), "-0012_-12");
  const auto wrong = [](const char* pattern) {
    return error_of([&] { filled(pattern, {"x.exr", "", 0, 1}); });
  };
  EXPECT_EQ(wrong("{frame:05d}"),
            "-o {frame:05d}: {frame:05d} is not a number format: use {frame:05} or {frame+1:05}; "
            ":01 to :09 pad with zeros");
  EXPECT_TRUE(has(wrong("{index:%03d}"), "use {index:03} or"));
  EXPECT_TRUE(has(wrong("{index:3}"), "use {index:03} or"));
  EXPECT_TRUE(has(wrong("{index:}"), "use {index:04} or"));
  EXPECT_TRUE(has(wrong("{frames:03}"), "{frames:03} is unknown"));
}

TEST(OutputPattern, CountsFromElsewhere) {
  const PatternInput frame{"x.exr", "", 7, 1012, "", 3};
  EXPECT_EQ(filled("{frame-1000:04}_{frame+1}_{index+1001}_{part+1:02}", frame),
            "0012_1013_1008_04");
  EXPECT_EQ(filled("{frame-2000:05}", frame), "-0988");
  EXPECT_TRUE(has_key("{part+1:02}.png", "part"));
  for (const char* pattern : {"{frame+}", "{frame-x}", "{frame+-1}", "{index+1.5}", "{index++1}",
                              "{frame+1000000000000}", "{frame:04+1}"})
    EXPECT_TRUE(has(error_of([&] { filled(pattern, frame); }), "is not a number format"))
        << pattern;
  EXPECT_TRUE(has(error_of([&] { filled("{stem+1}", frame); }), "{stem+1} is unknown"));
}

// Otherwise "...png" would be written above the folder, and could replace someone's picture.
TEST(OutputPattern, NoNameLeadsOutOfTheOutputsFolder) {
  const auto stem = [](const char* name) { return filled("o/{stem}/a.png", {name, "", 0, 1}); };
  EXPECT_EQ(stem("in/...png"), "o/...png/a.png");
  EXPECT_EQ(stem("in/..png"), "o/..png/a.png");
  EXPECT_EQ(stem("in/.png"), "o/.png/a.png");
  EXPECT_EQ(stem("in/..a.png"), "o/..a/a.png");
  EXPECT_EQ(stem("in/....png"), "o/....png/a.png");
}

}  // namespace
}  // namespace cuimg::test
