// SPDX-License-Identifier: Apache-2.0
#include "text/font.h"

#include <gtest/gtest.h>

#include <numeric>
#include <span>

#include "base/digest/sha256.h"

namespace cuimg::test {
namespace {

using Values = std::vector<std::uint8_t>;

std::uint64_t ink_of(const TextCoverage& text) {
  return std::accumulate(text.values.begin(), text.values.end(), std::uint64_t{0});
}

bool same(const TextCoverage& a, const TextCoverage& b) {
  return a.left == b.left && a.top == b.top && a.width == b.width && a.height == b.height &&
         a.values == b.values;
}

// The rows as text, with the letters as a person would see them.
std::string picture_of(const TextCoverage& text) {
  std::string picture;
  for (int y = 0; y < text.height; ++y) {
    for (int x = 0; x < text.width; ++x) picture += " .:*#"[text.at(x, y) / 52];
    picture += '\n';
  }
  return picture;
}

TEST(Font, DrawsTheSameLettersEverywhere) {
  const TextCoverage text = Font(12).drawn("Ag\u03b1\u0436");
  EXPECT_EQ(text.left, 0);
  EXPECT_EQ(text.top, -9);
  EXPECT_EQ(text.height, 12);
  EXPECT_EQ(ink_of(text), 23746u) << picture_of(text);
  Sha256 sum;
  sum.update(std::as_bytes(std::span(text.values)));
  EXPECT_EQ(sum.finish(), "ef04dc9954c517cd3c53d79fd3c39e4b698b09e2b612a17103995bac1c22cb25")
      << picture_of(text);
}

TEST(Font, GrowsWithItsSize) {
  for (const float size : {1.0f, 6.5f, 13.0f, 40.0f, 500.0f}) {
    const Font font(size);
    EXPECT_FLOAT_EQ(font.ascent(), size * 1901 / 2048);
    EXPECT_FLOAT_EQ(font.descent(), size * 483 / 2048);
    EXPECT_FLOAT_EQ(font.width("A"), size * 1401 / 2048);
    const TextCoverage capital = font.drawn("H");
    EXPECT_NEAR(static_cast<float>(capital.height), 0.73f * size, 1.01f) << size;
  }
}

TEST(Font, KernsItsLetters) {
  const Font font(100);
  EXPECT_LT(font.width("AV"), font.width("A") + font.width("V") - 3);
  EXPECT_LT(font.width("To"), font.width("T") + font.width("o") - 3);
  EXPECT_EQ(font.width("HH"), 2 * font.width("H"));
}

TEST(Font, HasLatinGreekAndCyrillic) {
  const Font font(20);
  const TextCoverage box = font.drawn("\u4e00");
  EXPECT_GT(ink_of(box), 0u);
  for (const char* letter :
       {"a", "\u00e9", "\u0141", "\u017e", "\u03b1", "\u03a9", "\u1f08", "\u0416", "\u0451",
        "\u0457", "\u2026", "\u2013", "\u20ac", "\u2212", "\ufffd"}) {
    EXPECT_GT(ink_of(font.drawn(letter)), 0u) << letter;
    EXPECT_FALSE(same(font.drawn(letter), box)) << letter;
  }
  EXPECT_TRUE(same(font.drawn("\U0001f600"), box));
  EXPECT_TRUE(same(font.drawn("\x07"), box));
}

TEST(Font, DrawsAnAccentOverTheLetterBeforeIt) {
  const Font font(30);
  EXPECT_EQ(font.width("e\u0301"), font.width("e"));
  EXPECT_LT(font.drawn("e\u0301").top, font.drawn("e").top);
}

TEST(Font, ShowsInvalidUtf8AsReplacementCharacters) {
  const Font font(20);
  const auto shown = [&](const std::string& text, const std::string& as) {
    EXPECT_TRUE(same(font.drawn(text), font.drawn(as))) << text;
    EXPECT_EQ(font.width(text), font.width(as));
  };
  shown(
      "a\xff"
      "b",
      "a\ufffd"
      "b");
  shown("\xc3", "\ufffd");                      // cut short
  shown("\xe2\x80", "\ufffd\ufffd");            // likewise
  shown("\x80", "\ufffd");                      // a continuation byte without a beginning
  shown("\xc0\xaf", "\ufffd\ufffd");            // overlong
  shown("\xed\xa0\x80", "\ufffd\ufffd\ufffd");  // half of a surrogate pair
  shown("\xf5\x80\x80\x80", "\ufffd\ufffd\ufffd\ufffd");
}

TEST(Font, OfNothingDrawsNothing) {
  const Font font(20);
  EXPECT_EQ(font.width(""), 0);
  EXPECT_EQ(font.drawn("").width, 0);
  EXPECT_EQ(font.drawn("  ").values, Values());
  EXPECT_GT(font.width("  "), 0);
}

TEST(Font, ShortensInTheMiddle) {
  const Font font(10);
  const std::string name = "a_long_name_of_a_frame.0001.exr";
  EXPECT_EQ(font.shortened(name, font.width(name)), name);
  std::size_t length = name.size();
  for (float most = font.width(name) - 0.01f; most > 12; most -= 7) {
    const std::string kept = font.shortened(name, most);
    EXPECT_LE(font.width(kept), most);
    EXPECT_LE(kept.size(), length + 2);
    const std::size_t dots = kept.find("\u2026");
    ASSERT_NE(dots, std::string::npos) << kept;
    EXPECT_TRUE(name.starts_with(kept.substr(0, dots))) << kept;
    EXPECT_TRUE(name.ends_with(kept.substr(dots + 3))) << kept;
    length = kept.size();
  }
  EXPECT_EQ(font.shortened(name, font.width("\u2026")), "\u2026");
  EXPECT_EQ(font.shortened(name, 1), "");
  EXPECT_EQ(font.shortened("", 0), "");
}

TEST(Font, ShortensBetweenCharacters) {
  const Font font(10);
  const std::string name = "\u041d\u043e\u0447\u043d\u043e\u0435 \u043d\u0435\u0431\u043e\xff.exr";
  for (float most = 11; most < font.width(name); most += 3)
    EXPECT_TRUE(font.width(font.shortened(name, most)) <= most &&
                font.shortened(name, most).find("\ufffd") == std::string::npos);
  // An accent must not end up over the ellipsis.
  EXPECT_EQ(font.shortened("oooooooooe\u0301x", font.width("oo\u2026x") + 2).find("\u2026\u0301"),
            std::string::npos);
}

}  // namespace
}  // namespace cuimg::test
