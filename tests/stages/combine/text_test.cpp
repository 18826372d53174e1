// SPDX-License-Identifier: Apache-2.0
// Text over the picture: the pixels that its letters cover, and by how much.
#include "base/error.h"
#include "stages/combine/combine_fixture.h"
#include "support/test_stages.h"
#include "text/font.h"

namespace cuimg::test {
namespace {

Image black(int width, int height, int channels, PixelType type = PixelType::f32) {
  return flat(spec_of({3, -2, width, height}, type, channels), 0);
}

// The area where a channel is not zero.
Rect seen(const Image& image, int channel = 0) {
  Rect all;
  const Rect& window = image.spec().data_window;
  for (int y = window.y; y < window.bottom(); ++y)
    for (int x = window.x; x < window.right(); ++x)
      if (value_at(image, x, y, channel) != 0) all = bounding(all, {x, y, 1, 1});
  return all;
}

std::vector<std::string> channels_made(const std::string& words, const Image& picture) {
  return run_chain(words, picture).spec().layers[0].channels;
}

TEST(Text, PixelsAreWhatLettersCoverOfThem) {
  const Image made = run_chain("text --text Äg,4 --size 20", black(80, 50, 1));
  const TextCoverage letters = Font(20).drawn("Äg,4");
  const Rect box = seen(made);
  ASSERT_LE(box.width, letters.width);
  for (int y = 0; y < box.height; ++y)
    for (int x = 0; x < box.width; ++x)
      ASSERT_EQ(value_at(made, box.x + x, box.y + y), static_cast<float>(letters.at(x, y)) / 255)
          << x << " " << y;
  EXPECT_EQ(seen(run_chain("text --text Äg,4 --size 20 --at 3,7", black(80, 50, 1))),
            moved(box, 3, -7));  // southwest: to the right and up
}

TEST(Text, KeepsToItsSide) {
  const auto place = [](const char* options) {
    return seen(run_chain("text --text HH --size 16 " + std::string(options), black(100, 60, 3)));
  };
  const Rect low = place(""), high = place("--gravity northeast"),
             middle = place("--gravity center");
  EXPECT_LT(low.x - 3, 8);
  EXPECT_GT(low.bottom(), -2 + 50);
  EXPECT_GT(high.right(), 3 + 92);
  EXPECT_LT(high.y, -2 + 10);
  EXPECT_NEAR(middle.x + middle.width / 2.0, 3 + 50, 1);
}

TEST(Text, LinesLieBelowEachOther) {
  const auto rows = [](const char* text) {
    return seen(run_chain("text --size 12 --gravity northwest --text '" + std::string(text) + "'",
                          black(60, 60, 1)));
  };
  const int line = rows("\\nH").y - rows("H").y;
  EXPECT_GE(line, 12);
  EXPECT_LE(line, 16);
  EXPECT_EQ(rows("H\\nH"), bounding(rows("H"), rows("\\nH")));
  EXPECT_EQ(rows("H\\\\nH").height, rows("H\\\\").height);  // a backslash instead of a line break
}

TEST(Text, IsLaidOverThePictureWithItsBox) {
  const Image picture = flat(spec_of({0, 0, 40, 40}, PixelType::f32, 4), 0.5f);
  const Image made = run_chain(
      "text --text . --size 30 --gravity northwest --color 0.8,0,0.2 --box 0.25,0,0,0.5", picture);
  EXPECT_EQ(value_at(made, 0, 0, 0), 0.25f + 0.5f * 0.5f);  // in the box
  EXPECT_EQ(value_at(made, 0, 0, 1), 0.5f * 0.5f);
  EXPECT_EQ(value_at(made, 0, 0, 3), 0.5f + 0.5f * 0.5f);
  EXPECT_EQ(value_at(made, 39, 39, 2), 0.5f);  // outside of the box
  const Rect dot = seen(run_chain("text --text . --size 30 --gravity northwest",
                                  flat(spec_of({0, 0, 40, 40}, PixelType::f32, 1), 0)));
  EXPECT_EQ(value_at(made, dot.x + dot.width / 2, dot.y + dot.height / 2, 2), 0.2f);
}

TEST(Text, KeepsAPicturesChannelsWhereItCan) {
  const std::vector<std::string> grey = {"Y"}, color = {"R", "G", "B"}, veiled = {"Y", "A"};
  EXPECT_EQ(channels_made("text --text x", black(40, 40, 1)), grey);
  EXPECT_EQ(channels_made("text --text x --box 0.5", black(40, 40, 1)), grey);
  EXPECT_EQ(channels_made("text --text x --color 1,0,0", black(40, 40, 1)), color);
  Image cut = black(40, 40, 1);
  cut.editable_spec().display_window = {3, -2, 80, 40};
  EXPECT_EQ(channels_made("text --text x --gravity southeast", cut), veiled);
  EXPECT_GT(run_chain("text --text x --gravity southeast", cut).spec().data_window.right(), 60);
}

TEST(Text, WhatDoesNotFitIsShortenedOrLeftOut) {
  const std::string words = "text --size 12 --text 'wide_wide_wide_wide_wide\\nx\\nx\\nx\\nx\\nx'";
  const Image made = run_chain(words, black(60, 30, 1));
  EXPECT_EQ(made.spec().data_window, black(60, 30, 1).spec().data_window);
  EXPECT_GT(seen(made).width, 40);
  const std::vector<std::string> warnings = warnings_of(words, black(60, 30, 1).spec());
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0],
            "text: it is wider than the picture, so its middle is left out; give a smaller --size");
  EXPECT_EQ(warnings[1],
            "text: the picture is too low for all lines: the last 4 are left out; give a smaller "
            "--size");
  EXPECT_TRUE(warnings_of("text --size 12 --text x", black(60, 30, 1).spec()).empty());
  for (const Rect& window : {Rect{0, 0, 1, 1}, Rect{0, 0, 1, 50}, Rect{0, 0, 50, 1}})
    for (const char* more : {"", " --size 300", " --gravity center --at 90,-90"})
      EXPECT_EQ(
          run_chain("text --text x" + std::string(more), flat(spec_of(window, PixelType::u8, 3), 0))
              .spec()
              .data_window,
          window);
}

TEST(Text, WarnsIfNothingOfALineOrOfTheTextIsSeen) {
  const auto warnings = [](const std::string& words, int width, int height) {
    return warnings_of("text --size 12 " + words, black(width, height, 1).spec());
  };
  using Texts = std::vector<std::string>;
  const Texts no_line = {"text: a line does not fit and is left out; give a smaller --size"};
  EXPECT_EQ(warnings("--text wide", 8, 30), no_line);
  const Texts outside = {"text: --at puts all of it outside the picture's frame"};
  EXPECT_EQ(warnings("--text x --at 0,30", 60, 30), outside);
  EXPECT_EQ(warnings("--text x --at -60,0", 60, 30), outside);
  EXPECT_EQ(warnings("--text x --at 0,29", 60, 30), Texts{});
  const Texts last = {
      "text: the picture is too low for all lines: the last is left out; give a smaller --size"};
  EXPECT_EQ(warnings("--text 'x\\nx\\nx'", 60, 30), last);
}

TEST(Text, NamesWhatIsWrong) {
  const auto wrong = [](const std::string& words) {
    return error_of([&] { run_chain("text " + words, black(40, 40, 3)); });
  };
  EXPECT_EQ(wrong("--text {stem}"),
            "text --text {stem}: the picture has no file that {stem} could name");
  EXPECT_EQ(wrong("--text {index}"),
            "text --text {index}: {index} is unknown: use {name}, {stem}, "
            "{frame}, {frame:04}, {part}");
  EXPECT_EQ(wrong("--text a{"),
            "text --text a{: { is unknown: use {name}, {stem}, {frame}, "
            "{frame:04}, {part}");
  EXPECT_EQ(wrong("--text {{}}"), "no error");
  EXPECT_EQ(wrong("--text x --at 0.5,0"),
            "text: --at 0.5,0 is between pixels or too far away: use whole numbers up to 16777216");
}

}  // namespace
}  // namespace cuimg::test
