// SPDX-License-Identifier: Apache-2.0
// Channels by their names: colours in any spelling, also with --raw, and X, Y, Z, which are not
// colours.
#include "support/exr_planes.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

const std::vector<Words> spellings = {{"r", "g", "b", "a"},
                                      {"red", "green", "blue", "alpha"},
                                      {"Red", "Green", "Blue", "Alpha"},
                                      {"RED", "GREEN", "BLUE", "ALPHA"}};

class ChannelNames : public ProgramFolder {
 protected:
  // Writes the same floats with any channel names.
  void write(const std::string& name, const Words& channels, const std::string& layer = "",
             int width = 16, int height = 12) const {
    Spec spec = spec_of({0, 0, width, height}, PixelType::f32, 4);
    spec.layers = {{layer, channels, PixelType::f32}};
    const Image image = image_of(spec, [&](int, int x, int y, int c) {
      const int steps[] = {3 * x + y, x + 5 * y, x * y, 7 * x + 11 * y + 1};
      return static_cast<float>(steps[c] % 16) / 16;
    });
    write_image(folder_ / name, image, *codec_named("exr"));
  }
  std::set<std::string> names_in(const std::string& name) const {
    std::set<std::string> names;
    for (const auto& [channel, plane] : exr_planes(folder_ / name)) names.insert(channel);
    return names;
  }
  Image read(const std::string& name) const { return read_image(folder_ / name); }

  // Runs a command line on two files, and compares the outputs.
  void expect_same(Words words, const std::string& extension = "exr") const {
    for (const std::string file : {"letters", "words"}) {
      Words line;
      for (const std::string& word : words) line.push_back(word == "FILE" ? file + ".exr" : word);
      line.push_back(file + "_out." + extension);
      const Outcome outcome = cuimg(line);
      ASSERT_EQ(outcome.exit, 0) << words.front() << outcome.err;
    }
    EXPECT_TRUE(same_pixels(read("words_out." + extension), read("letters_out." + extension)))
        << words.front();
  }
};

TEST_F(ChannelNames, ColoursInAnySpellingAreColoursWithRawToo) {
  for (const Words& all : spellings)
    for (const std::size_t count : {std::size_t{3}, std::size_t{4}}) {
      const Words words(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
      const Words letters = channel_names(static_cast<int>(count));
      write("letters.exr", letters);
      write("words.exr", words);
      SCOPED_TRACE(words.front() + std::to_string(count));
      expect_same({"convert", "--raw", "FILE"}, "png");
      expect_same({"resize", "--size", "8x6", "--raw", "FILE"}, "tif");
      expect_same({"gain", "--value", "0.5", "--raw", "FILE"});
      expect_same({"mix", "--with", "letters.exr", "--raw", "FILE"});
      expect_same({"channels", "--pick", "B,R", "--raw", "FILE"});
      expect_same({"invert", "--raw", "--layers", letters.size() == 3 ? "RGB" : "RGBA", "FILE"});
      expect_same({"mask", "--with", "FILE", "letters.exr"});
      expect_same({"remap", "--coords", "normalized", "--map", "FILE", "letters.exr"});
      expect_same({"contact", "--raw", "--no-label", "FILE", "-o"}, "png");
      const Outcome same = cuimg({"compare", "--raw", "words.exr", "letters.exr"});
      EXPECT_EQ(same.exit, 0) << same.out << same.err;
      // The output has the channel names of the file.
      expect_made({"exposure", "--raw", "words.exr", "out.exr"});
      EXPECT_EQ(names_in("out.exr"), std::set<std::string>(words.begin(), words.end()));
    }
}

TEST_F(ChannelNames, AMapOfTwoColoursIsReadInTheirOrder) {
  write("picture.exr", {"R", "G", "B", "A"});
  write("letters.exr", {"R", "G"});
  const std::vector<Words> pairs = {{"r", "g"},       {"red", "green"}, {"Red", "Green"},
                                    {"RED", "GREEN"}, {"X", "Y"},       {"x", "y"},
                                    {"u", "v"}};
  for (const Words& pair : pairs) {
    write("words.exr", pair);
    SCOPED_TRACE(pair.front());
    expect_same({"remap", "--coords", "normalized", "--map", "FILE", "picture.exr"});
  }
}

TEST_F(ChannelNames, APassOfCoordinatesIsWrittenInTheirOrder) {
  for (const std::string layer : {"", "N"})
    for (const std::size_t count : {std::size_t{2}, std::size_t{3}}) {
      const Words upper = {"X", "Y", "Z"}, lower = {"x", "y", "z"};
      const auto some = [&](const Words& all) {
        return Words(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
      };
      write("words.exr", some(upper), layer);
      write("letters.exr", some(lower), layer);
      SCOPED_TRACE(layer + std::to_string(count));
      for (const std::string extension : {"png", "tif", "pfm"})
        for (const Words& words : {Words{"convert", "FILE"}, Words{"convert", "--raw", "FILE"}})
          expect_same(words, extension);
      expect_same({"contact", "--no-label", "FILE", "-o"}, "png");
      expect_made({"convert", "words.exr", "out.tif"});
      const Image out = read("out.tif");
      ASSERT_EQ(out.spec().layer(0).channels, (Words{"R", "G", "B"}));
      for (int c = 0; c < 3; ++c)
        EXPECT_EQ(value_at(out, 5, 4, c),
                  c < static_cast<int>(count) ? value_at(read("words.exr"), 5, 4, c) : 0.0f);
    }
}

TEST_F(ChannelNames, ChannelsTakesAndKeepsTheNamesOfTheFile) {
  const auto picked = [&](const std::string& list) {
    expect_made({"channels", "--pick", list, "in.exr", "out.exr"});
    return names_in("out.exr");
  };
  for (const Words& words : spellings) {
    const std::string &r = words[0], &g = words[1], &b = words[2], &a = words[3];
    const auto list = [](const Words& items) {
      std::string text;
      for (const std::string& item : items) text += (text.empty() ? "" : ",") + item;
      return text;
    };
    write("in.exr", words);
    const std::set<std::string> colors = {r, g, b};
    for (const std::string& kept : {list({r, g, b}), std::string("R,G,B"), std::string("2,0,1"),
                                    list({r + "=" + b, g, b + "=" + r})})
      EXPECT_EQ(picked(kept), colors) << kept;
    EXPECT_TRUE(
        same_pixels(read("out.exr"), run_chain("channels --pick R=B,G,B=R", read("in.exr"))));
    // Some of them are no longer colours, unless they are called R, G or B.
    EXPECT_EQ(picked(list({b, r})), (std::set<std::string>{b, r}));
    EXPECT_EQ(picked("B,R"), (std::set<std::string>{"B", "R"}));
    EXPECT_EQ(picked(list({r, g, b, "A=1"})), (std::set<std::string>{r, g, b, a}));
    EXPECT_EQ(picked("RGBA"), (std::set<std::string>{r, g, b, a}));
    EXPECT_EQ(picked("diffuse=RGBA"), (std::set<std::string>{"diffuse." + r, "diffuse." + g,
                                                             "diffuse." + b, "diffuse." + a}));
    // New names are as they are asked for.
    EXPECT_EQ(picked(list({"R=" + r, "G=" + g, "B=" + b})), (std::set<std::string>{"R", "G", "B"}));
    EXPECT_EQ(picked("R=B,G,B=R"), (std::set<std::string>{"R", "G", "B"}));
    EXPECT_EQ(picked("x=" + r), std::set<std::string>{"x"});
    const Outcome twice = cuimg({"channels", "--pick", r + ",R", "in.exr", "out.exr"});
    EXPECT_NE(twice.err.find("twice"), std::string::npos) << twice.err;
    const Outcome again = cuimg({"channels", "--pick", "R,G,B," + r + "=G", "in.exr", "out.exr"});
    EXPECT_NE(again.err.find("twice"), std::string::npos) << again.err;
    write("letters.exr", {"R", "G", "B"});
    expect_made(
        {"channels", "--pick", "R,G,B,A=with:" + r, "--with", "in.exr", "letters.exr", "out.exr"});
    EXPECT_EQ(names_in("out.exr"), (std::set<std::string>{"R", "G", "B", "A"}));
  }
}

TEST_F(ChannelNames, YNextToXIsNotGrey) {
  write("in.exr", {"X", "Y", "Z"});
  const Outcome picked = cuimg({"channels", "--pick", "R,G,B", "in.exr", "out.exr"});
  EXPECT_EQ(picked.exit, 2);
  expect_made({"pad", "--left", "2", "--color", "1,2,3,4", "in.exr", "out.exr"});
  const Image padded = read("out.exr");
  for (int c = 0; c < 3; ++c) EXPECT_EQ(value_at(padded, 0, 3, c), static_cast<float>(c + 1));
}

}  // namespace
}  // namespace cuimg::test
