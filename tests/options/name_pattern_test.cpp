// SPDX-License-Identifier: Apache-2.0
// Texts with keys in braces.
#include "options/name_pattern.h"

#include <gtest/gtest.h>

#include "support/test_stages.h"

namespace cuimg::test {
namespace {

TEST(NamePattern, NamesItsKeys) {
  EXPECT_TRUE(has_key("o/{stem}_{part}.png", "part"));
  EXPECT_TRUE(has_key("{{{part:03}}}", "part"));
  for (const char* text : {"{{part}}", "{parts}", "{apart}", "part", "{part", "", "{}"})
    EXPECT_FALSE(has_key(text, "part")) << text;
}

TEST(NamePattern, FillsKeysAndKeepsTheRest) {
  const auto marked = [](const char* text) {
    return fill_keys(text, [](std::string_view key) { return "<" + std::string(key) + ">"; });
  };
  EXPECT_EQ(marked("a{b}c{d:02}{e}"), "a<b>c<d:02><e>");
  EXPECT_EQ(marked("{{a}} }b {"), "{a} }b <{>");
  EXPECT_EQ(marked("{{{a}}}"), "{<a>}");
  EXPECT_EQ(marked(""), "");
}

TEST(NamePattern, NamesAnImage) {
  const ImageName image = {"in/a.b.exr", 7, 2};
  EXPECT_EQ(value_of_name("name", image, "here"), "a.b.exr");
  EXPECT_EQ(value_of_name("stem", image, "here"), "a.b");
  EXPECT_EQ(value_of_name("frame:04", image, "here"), "0007");
  EXPECT_EQ(value_of_name("part", image, "here"), "2");
  EXPECT_EQ(value_of_name("dir", image, "here"), std::nullopt);
  EXPECT_EQ(value_of_name("part", {"-"}, "here"), std::nullopt);
  EXPECT_EQ(value_of_name("stem", {"-"}, "here"), "stdin");
  EXPECT_EQ(error_of([] { value_of_name("frame", {"a.png"}, "here"); }),
            "here: a.png is not a frame of a sequence: name the inputs as in.####.exr");
}

}  // namespace
}  // namespace cuimg::test
