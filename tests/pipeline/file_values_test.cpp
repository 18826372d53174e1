// SPDX-License-Identifier: Apache-2.0
// Some stages need values as in the input's file. After other stages they give the same result as
// in a second command with a file in between, whatever form the earlier stages leave.
#include <gtest/gtest.h>

#include "io/codec.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

// Stages that leave light or encoded values, with premultiplied or straight alpha.
const std::vector<Words> before = {{"tonemap", "--curve", "reinhard"},
                                   {"contrast", "--amount", "1.3"},
                                   {"gamma", "--value", "1.2"},
                                   {"levels", "--black", "0.1"},
                                   {"curve", "--points", "0,0 0.5,0.6 1,1"},
                                   {"invert"},
                                   {"colormap"},
                                   {"encode", "--curve", "srgb"},
                                   {"decode", "--curve", "srgb"},
                                   {"exposure", "--stops", "1"},
                                   {"saturation", "--amount", "0.5"},
                                   {"blur", "--sigma", "1"},
                                   {"flop"}};

class FileValues : public ProgramFolder {
 protected:
  // Colours from 0.05 to 1, multiplied by an alpha from 0.25 to 1; some of them are not finite.
  void write(bool has_bad_values) const {
    Image image(spec_of({0, 0, 41, 23}, PixelType::f32, 4));
    for (int y = 0; y < 23; ++y)
      for (int x = 0; x < 41; ++x) {
        auto* const pixel = reinterpret_cast<float*>(image.row(0, y)) + std::ptrdiff_t{4} * x;
        pixel[3] = 0.05f + 0.95f * static_cast<float>(x) / 40;
        for (int c = 0; c < 3; ++c)
          pixel[c] = pixel[3] * (0.25f + 0.75f * static_cast<float>((7 * x + 5 * y + c) % 11) / 10);
        if (has_bad_values && x % 9 == 4 && y % 7 == 3) pixel[x % 3] = INFINITY;
      }
    write_image(folder_ / "in.exr", image, *codec_named("exr"));
  }
  static Words joined(Words first, const Words& second) {
    first.emplace_back("+");
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }
  static Words with(Words words, const Words& files) {
    words.insert(words.end(), files.begin(), files.end());
    return words;
  }
};

TEST_F(FileValues, AreThoseOfTwoCommands) {
  write(true);
  const std::vector<Words> behind = {{"channels", "--pick", "R,G,B"},
                                     {"channels", "--pick", "R=B,G,B=R,A=1"},
                                     {"channels", "--pick", "Y=A"},
                                     {"fixnan", "--mode", "box3"}};
  for (const Words& first : before) {
    expect_made(with(first, {"in.exr", "between.exr"}));
    for (const Words& second : behind) {
      expect_made(with(joined(first, second), {"in.exr", "one.exr"}));
      expect_made(with(second, {"between.exr", "two.exr"}));
      EXPECT_EQ(cuimg({"compare", "one.exr", "two.exr"}).exit, 0)
          << first[0] << ' ' << second[0] << ' ' << second[2];
    }
  }
}

TEST_F(FileValues, AreWhatReportsAndMeasuringPassesSee) {
  write(false);
  for (const Words& first : before) {
    expect_made(with(first, {"in.exr", "between.exr"}));
    for (const Words& second :
         std::vector<Words>{{"stats", "--json"}, {"histogram", "--bins", "16", "--json"}}) {
      const std::string one = cuimg(with(joined(first, second), {"in.exr"})).out;
      std::string two = cuimg(with(second, {"between.exr"})).out;
      if (const auto name = two.find("between.exr"); name != std::string::npos)
        two.replace(name, 11, "in.exr");
      EXPECT_EQ(one, two) << first[0];
    }
    for (const char* tolerance : {"0.02", "0.3"}) {
      const Words trim = {"trim", "--tolerance", tolerance};
      expect_made(with(joined(first, trim), {"in.exr", "one.exr"}));
      expect_made(with(trim, {"between.exr", "two.exr"}));
      EXPECT_EQ(cuimg({"compare", "one.exr", "two.exr"}).exit, 0) << first[0] << ' ' << tolerance;
    }
  }
}

// Stages that move pixels add transparent black next to them, which stays black in later stages.
TEST_F(FileValues, NextToThePictureAreTransparentBlack) {
  write(false);
  for (const Words& first : before)
    for (const Words& moving : std::vector<Words>{{"pad", "--left", "2"},
                                                  {"affine", "--matrix", "1,0,0,1,2,0"},
                                                  {"rotate", "--angle", "90"},
                                                  {"cut", "--region", "50x30-4-3"}}) {
      expect_made(with(first, {"in.exr", "first.exr"}));
      expect_made(with(moving, {"first.exr", "moved.exr"}));
      for (const Words& last :
           std::vector<Words>{{"invert"}, {"levels", "--out-black", "0.2"}, {"colormap"}}) {
        expect_made(with(joined(joined(first, moving), last), {"in.exr", "one.exr"}));
        expect_made(with(last, {"moved.exr", "two.exr"}));
        EXPECT_EQ(cuimg({"compare", "one.exr", "two.exr"}).exit, 0)
            << first[0] << ' ' << moving[0] << ' ' << last[0];
      }
    }
}

// Stages that change nothing do not change the result of those after them either.
TEST_F(FileValues, OfCodesAreTheFilesBehindStagesThatChangeNothing) {
  write(false);
  expect_made({"convert", "in.exr", "in.png"});
  for (const Words& second : std::vector<Words>{{"channels", "--pick", "R,G,B"},
                                                {"channels", "--pick", "Y=A"},
                                                {"trim", "--tolerance", "0.4"}}) {
    expect_made(with(second, {"in.png", "alone.png"}));
    for (const Words& first : std::vector<Words>{{"contrast", "--amount", "1"},
                                                 {"exposure", "--stops", "0"},
                                                 {"saturation", "--amount", "1"},
                                                 {"flop", "+", "flop"}}) {
      expect_made(with(joined(first, second), {"in.png", "behind.png"}));
      EXPECT_EQ(cuimg({"compare", "alone.png", "behind.png"}).exit, 0) << first[0] << second[0];
    }
  }
}

}  // namespace
}  // namespace cuimg::test
