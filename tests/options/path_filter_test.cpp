// SPDX-License-Identifier: Apache-2.0
#include "options/path_filter.h"

#include <gtest/gtest.h>

namespace cuimg::test {
namespace {

TEST(PathFilter, GlobsStopAtFolders) {
  EXPECT_TRUE(matches_glob("*.png", "a.png"));
  EXPECT_FALSE(matches_glob("*.png", "sub/a.png"));
  EXPECT_TRUE(matches_glob("**.png", "sub/a.png"));
  EXPECT_TRUE(matches_glob("sub/**/a.png", "sub/a.png"));
  EXPECT_TRUE(matches_glob("sub/**/a.png", "sub/x/y/a.png"));
  EXPECT_TRUE(matches_glob("a?.png", "ab.png"));
  EXPECT_FALSE(matches_glob("a?b", "a/b"));
  EXPECT_FALSE(matches_glob("a", "ab"));
  EXPECT_TRUE(matches_glob("*", ""));
}

TEST(PathFilter, GlobsHaveSetsOfCharacters) {
  EXPECT_TRUE(matches_glob("shot.[0-9]*.exr", "shot.0012.exr"));
  EXPECT_FALSE(matches_glob("shot.[0-9]*.exr", "shot.mask.exr"));
  EXPECT_TRUE(matches_glob("[!a-c].png", "d.png"));
  EXPECT_FALSE(matches_glob("[^a-c].png", "b.png"));
  EXPECT_FALSE(matches_glob("a[!x]b", "a/b"));
  EXPECT_TRUE(matches_glob("[]-]", "]"));
  EXPECT_TRUE(matches_glob("[]-]", "-"));
  EXPECT_TRUE(matches_glob("icon[1].png", "icon1.png"));
  EXPECT_TRUE(matches_glob("icon[[]1].png", "icon[1].png"));
  EXPECT_TRUE(matches_glob("a[b", "a[b"));
  EXPECT_TRUE(matches_glob("[\xc3]*", "\xc3\xa4"));
}

TEST(PathFilter, APatternWithoutASlashIsForNamesAtAnyDepth) {
  EXPECT_TRUE(matches_path("*.exr", "a/b/c.exr"));
  EXPECT_FALSE(matches_path("/*.exr", "a/b/c.exr"));
  EXPECT_TRUE(matches_path("/*.exr", "c.exr"));
  EXPECT_TRUE(matches_path("a/*/c.exr", "a/b/c.exr"));
  EXPECT_FALSE(matches_path("b/c.exr", "a/b/c.exr"));
}

PathFilter filter(std::vector<std::string> include, std::vector<std::string> exclude) {
  return {{std::move(include)}, {std::move(exclude)}};
}

TEST(PathFilter, TakesWhatIsIncludedAndNotExcluded) {
  EXPECT_TRUE(filter({}, {}).takes("a/b.exr"));
  EXPECT_TRUE(filter({}, {}).is_empty());
  const PathFilter both = filter({"*.exr", "*.png"}, {"*_proxy.*"});
  EXPECT_TRUE(both.takes("a/b.exr"));
  EXPECT_TRUE(both.takes("b.png"));
  EXPECT_FALSE(both.takes("b.jpg"));
  EXPECT_FALSE(both.takes("a/b_proxy.exr"));
}

TEST(PathFilter, AFolderThatMatchesIncludesAllBelowIt) {
  const PathFilter excluded = filter({}, {"cache"});
  EXPECT_FALSE(excluded.takes("a/cache/deep/b.exr"));
  EXPECT_FALSE(excluded.enters("a/cache"));
  EXPECT_TRUE(excluded.enters("a"));
  EXPECT_TRUE(filter({"beauty"}, {}).takes("shot/beauty/b.exr"));
  EXPECT_FALSE(filter({"beauty"}, {}).takes("shot/depth/b.exr"));
  // A pattern with a slash at its end applies only to folders.
  const PathFilter folders = filter({}, {"b.exr/"});
  EXPECT_TRUE(folders.takes("b.exr"));
  EXPECT_FALSE(folders.takes("b.exr/a.exr"));
  EXPECT_FALSE(folders.enters("b.exr"));
}

}  // namespace
}  // namespace cuimg::test
