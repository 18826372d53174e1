// SPDX-License-Identifier: Apache-2.0
// Sheets of pictures: positions, fitting, names, bad input.
#include <cstring>

#include "support/images.h"
#include "support/program_folder.h"
#include "text/font.h"

namespace cuimg::test {
namespace {

class Contact : public ProgramFolder {
 protected:
  Image sheet(std::vector<std::string> words) const {
    words.insert(words.begin(), "contact");
    words.insert(words.end(), {"-o", "sheet.exr", "--type", "float"});
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return read_image(folder_ / "sheet.exr");
  }
  void write(const std::string& name, int width, int height, int channels, float value) const {
    write_image(folder_ / name,
                flat(spec_of({0, 0, width, height}, PixelType::f32, channels), value),
                *codec_named("exr"));
  }
};

TEST_F(Contact, FitsEachPictureIntoItsCell) {
  write("wide.exr", 40, 10, 3, 1);
  write("tall.exr", 5, 20, 1, 0.5f);
  const Image made = sheet({"--no-label", "--size", "20x20", "--gap", "2", "--columns", "2",
                            "--color", "0.25", "wide.exr", "tall.exr", "wide.exr"});
  EXPECT_EQ(made.spec().display_window, (Rect{0, 0, 46, 46}));
  EXPECT_EQ(made.spec().layers[0].channels, (std::vector<std::string>{"R", "G", "B"}));
  EXPECT_EQ(value_at(made, 0, 0), 0.25f);
  EXPECT_EQ(value_at(made, 2, 2), 0.25f);  // 20x5 in the middle of its cell
  EXPECT_EQ(value_at(made, 2, 9), 1);
  EXPECT_EQ(value_at(made, 21, 13), 1);
  EXPECT_EQ(value_at(made, 2, 14), 0.25f);
  EXPECT_EQ(value_at(made, 31, 2, 1), 0.5f);  // 5x20
  EXPECT_EQ(value_at(made, 30, 2, 1), 0.25f);
  EXPECT_EQ(value_at(made, 35, 21, 2), 0.5f);
  EXPECT_EQ(value_at(made, 5, 33), 1);       // the second row
  EXPECT_EQ(value_at(made, 30, 33), 0.25f);  // which has an empty cell
}

TEST_F(Contact, IsSquareUnlessColumnsAreGiven) {
  write("a.exr", 4, 4, 3, 1);
  const std::vector<std::string> five(5, "a.exr");
  std::vector<std::string> words = {"--no-label", "--size", "10x10", "--gap", "0"};
  words.insert(words.end(), five.begin(), five.end());
  EXPECT_EQ(sheet(words).spec().display_window, (Rect{0, 0, 30, 20}));
  words.insert(words.end(), {"--columns", "9"});
  EXPECT_EQ(sheet(words).spec().display_window, (Rect{0, 0, 50, 10}));
}

// The columns with ink in the strip below a picture: the first one, and the one after the last.
std::pair<int, int> inked_columns(const Image& sheet, int top, int bottom) {
  int first = sheet.spec().display_window.width, last = 0;
  for (int y = top; y < bottom; ++y)
    for (int x = 0; x < sheet.spec().display_window.width; ++x)
      if (value_at(sheet, x, y) != value_at(sheet, 0, 0)) {
        first = std::min(first, x);
        last = std::max(last, x + 1);
      }
  return {first, last};
}

TEST_F(Contact, WritesNamesBelow) {
  write("a.exr", 4, 4, 3, 1);
  const Image made = sheet({"--size", "60x10", "--gap", "0", "--color", "0", "a.exr"});
  EXPECT_EQ(made.spec().display_window, (Rect{0, 0, 60, 25}));
  const TextCoverage name = Font(10).drawn("a.exr");
  const int left = (60 - name.width) / 2, baseline = 10 + 11;
  for (int y = 10; y < 25; ++y)
    for (int x = 0; x < 60; ++x) {
      const int u = x - left, v = y - baseline - name.top;
      const bool inside = u >= 0 && u < name.width && v >= 0 && v < name.height;
      EXPECT_EQ(value_at(made, x, y),
                inside ? static_cast<float>(name.at(u, v)) / 255 * 0.7f : 0.0f)
          << x << " " << y;
    }
}

TEST_F(Contact, WritesNamesInAnySize) {
  write("a.exr", 4, 4, 3, 1);
  int height = 0;
  for (const int size : {1, 8, 14, 24, 90}) {
    const Image made = sheet({"--size", "400x10", "--gap", "0", "--color", "0", "--label-size",
                              std::to_string(size), "a.exr"});
    EXPECT_EQ(made.spec().display_window, (Rect{0, 0, 400, 10 + (3 * size + 1) / 2}));
    const auto [first, last] = inked_columns(made, 10, made.spec().display_window.height);
    EXPECT_GT(last - first, height);
    height = last - first;
    EXPECT_NEAR(first, 400 - last, 1);
  }
}

TEST_F(Contact, ShortensLongNames) {
  write("a_very_long_name_of_a_frame_\xc3\xa4.0001.exr", 4, 4, 3, 1);
  for (const std::string size : {"9", "20", "60"}) {
    const Image made = sheet({"--size", "48x10", "--gap", "3", "--color", "0.5", "--label-size",
                              size, "a_very_long_name_of_a_frame_\xc3\xa4.0001.exr"});
    const auto [first, last] = inked_columns(made, 13, made.spec().display_window.height);
    if (size == "60") {
      EXPECT_EQ(last, 0);  // even the ellipsis does not fit
      continue;
    }
    EXPECT_GE(first, 3);
    EXPECT_LE(last, 51);
    EXPECT_GT(last - first, 24);
  }
}

TEST_F(Contact, WritesNamesInGreekCyrillicAndInvalidUtf8) {
  const auto strip = [&](const std::string& name) {
    write(name, 4, 4, 3, 1);
    const Image made = sheet({"--size", "90x10", "--gap", "0", "--color", "0", name});
    std::vector<float> values;
    for (int y = 10; y < 25; ++y)
      for (int x = 0; x < 90; ++x) values.push_back(value_at(made, x, y));
    return values;
  };
  const auto boxes = strip("\xe6\x97\xa5\xe6\x9c\xac.exr");
  EXPECT_NE(strip("\xce\xb1\xce\xb2.exr"), boxes);
  EXPECT_NE(strip("\xd0\xb6\xd0\xb7.exr"), boxes);
  EXPECT_EQ(strip("a\xff.exr"), strip("a\xef\xbf\xbd.exr"));
}

TEST_F(Contact, ShowsWhatIsTranslucentOverItsColour) {
  write("a.exr", 10, 10, 4, 0.5f);
  const std::vector<std::string> words = {"--no-label", "--size", "10x10", "--gap", "1"};
  const auto with_color = [&](const std::string& color) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--color", color, "a.exr"});
    return sheet(all);
  };
  EXPECT_EQ(value_at(with_color("1,0,0"), 5, 5, 0), 1);
  EXPECT_EQ(value_at(with_color("1,0,0"), 5, 5, 1), 0.5f);
  const Image clear = with_color("0,0,0,0");
  EXPECT_EQ(clear.spec().layers[0].channel_count(), 4);
  EXPECT_EQ(value_at(clear, 5, 5, 3), 0.5f);
  EXPECT_EQ(value_at(clear, 0, 0, 3), 0);
}

TEST_F(Contact, TakesFoldersAndEveryKindOfImage) {
  std::filesystem::create_directory(folder_.path() / "frames");
  write("frames/b.exr", 4, 4, 2, 1);
  write_image(folder_ / "frames/a.png", flat(spec_of({0, 0, 4, 4}, PixelType::u8, 3), 1),
              *codec_named("png"));
  Spec depth = spec_of({0, 0, 4, 4}, PixelType::f32, 1);
  depth.layers[0].channels = {"Z"};
  write_image(folder_ / "frames/c.exr", flat(depth, 0.75f), *codec_named("exr"));
  const Image made =
      sheet({"--no-label", "--size", "8x8", "--gap", "0", "--columns", "3", "frames"});
  EXPECT_EQ(made.spec().display_window, (Rect{0, 0, 24, 8}));
  EXPECT_EQ(value_at(made, 4, 4), 1);
  EXPECT_EQ(value_at(made, 20, 4, 2), 0.75f);
}

TEST_F(Contact, WithoutAFileThereIsNoSheet) {
  write("a.exr", 4, 4, 3, 1);
  folder_.write("broken.exr", read_file(folder_ / "a.exr").substr(0, 300));
  folder_.write("text.png", "no picture");
  Spec ids = spec_of({0, 0, 4, 4}, PixelType::u32, 1);
  ids.layers[0].channels = {"id"};
  write_image(folder_ / "ids.exr", flat(ids, 7), *codec_named("exr"));
  for (const std::string bad : {"absent.exr", "broken.exr", "text.png", "ids.exr"}) {
    const Outcome outcome = cuimg({"contact", "a.exr", bad, "a.exr", "-o", "out.png"});
    EXPECT_EQ(outcome.exit, 2) << bad;
    EXPECT_TRUE(outcome.err.starts_with("cuimg: " + bad + ": ")) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out.png")) << bad;
  }
}

TEST_F(Contact, RefusesBadUse) {
  write("a.exr", 4, 4, 3, 1);
  const auto refusal = [&](const std::vector<std::string>& words) {
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 2);
    return outcome.err;
  };
  EXPECT_EQ(refusal({"contact", "a.exr", "a.exr"}),
            "cuimg: contact: no OUTPUT: all files are inputs: name it with -o\n");
  EXPECT_EQ(refusal({"contact", "--size", "50%", "a.exr", "-o", "out.png"}),
            "cuimg: a.exr: contact: --size 50% leaves a side open: use WxH, such as 240x180\n");
  EXPECT_EQ(refusal({"flip", "+", "contact", "a.exr", "out.png"}),
            "cuimg: contact: it takes no image from the stage before it: make it the first "
            "stage\n");
  EXPECT_EQ(refusal({"contact", "--columns", "-1", "a.exr", "-o", "out.png"}),
            "cuimg: contact: --columns -1 is out of range: use 0 to 4096\n");
}

TEST_F(Contact, ShowsTheLayerThatIsNamed) {
  Spec spec = spec_of({0, 0, 8, 8}, PixelType::f32, 3);
  spec.layers.push_back({"diffuse", {"R", "G", "B"}, PixelType::f32});
  Image image = flat(spec, 1);
  for (int y = 0; y < 8; ++y) std::memset(image.row(1, y), 0, image.row_bytes(1));
  write_image(folder_ / "a.exr", image, *codec_named("exr"));
  const auto middle = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--no-label", "--size", "8x8", "--gap", "0", "a.exr"});
    return value_at(sheet(words), 4, 4);
  };
  EXPECT_EQ(middle({}), 1);
  EXPECT_EQ(middle({"--layers", "diffuse"}), 0);
  EXPECT_EQ(middle({"--layers", "d*"}), 0);
  const Outcome outcome = cuimg({"contact", "--layers", "other", "a.exr", "-o", "sheet.png"});
  EXPECT_EQ(outcome.err, "cuimg: a.exr: it has no layer other (--layers): it has RGB, diffuse\n");
}

TEST_F(Contact, GoesOnInAChain) {
  write("a.exr", 4, 4, 3, 1);
  const Outcome outcome = cuimg({"contact", "--no-label", "--size", "8x8", "--gap", "0", "+",
                                 "gain", "--value", "0.5", "a.exr", "a.exr", "-o", "out.exr"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  const Image made = read_image(folder_ / "out.exr");
  EXPECT_EQ(made.spec().display_window, (Rect{0, 0, 16, 8}));
  EXPECT_EQ(made.spec().layers[0].type, PixelType::half);
}

// As in append: values that are encoded are those of the first picture's file.
TEST_F(Contact, GoesOnInTheEncodingOfItsFirstPicture) {
  const auto make = [&](const char* name, const ColorEncoding& color, float value) {
    Spec spec = spec_of({0, 0, 8, 8}, PixelType::u8, 3);
    spec.color = color;
    write_image(folder_ / name, flat(spec, value), *codec_named("png"));
  };
  make("srgb.png", {Curve::srgb, 1.0f, false, {}}, 0.2f);
  make("gamma.png", {Curve::gamma, 1.8f, false, {}}, 0.2f);
  write("light.exr", 8, 8, 3, 0.25f);
  for (const std::string name : {"srgb.png", "gamma.png", "light.exr"}) {
    expect_made({"contact", "--no-label", "--size", "8x8", "--gap", "0", "+", "invert", name,
                 "light.exr", "-o", "sheet.exr", "--type", "float"});
    expect_made({"invert", name, "alone.exr", "--type", "float"});
    const Image made = read_image(folder_ / "sheet.exr"), alone = read_image(folder_ / "alone.exr");
    EXPECT_NEAR(value_at(made, 3, 3), value_at(alone, 3, 3), 1e-3) << name;
  }
}

}  // namespace
}  // namespace cuimg::test
