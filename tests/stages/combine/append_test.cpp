// SPDX-License-Identifier: Apache-2.0
// Pictures side by side: positions, padding, types, layers, and both ways of naming them.
#include "support/images.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

class Append : public testing::Test {
 protected:
  std::string write(const std::string& name, const Image& image) const {
    const std::string format = name.substr(name.rfind('.') + 1);
    write_image(folder_ / name, image, *codec_named(format));
    return folder_ / name;
  }
  static Image flat_picture(int width, int height, int channels, float value,
                            PixelType type = PixelType::f32) {
    return flat(spec_of({0, 0, width, height}, type, channels), value);
  }
  std::string with(const Image& image) const { return " --with " + write("second.exr", image); }

  const TempDir folder_;
};

TEST_F(Append, PutsPicturesInARowOrAColumn) {
  const Image first = flat_picture(3, 2, 3, 1), second = flat_picture(2, 2, 3, 2);
  const Image row = run_chain("append" + with(second), first);
  EXPECT_EQ(row.spec().display_window, (Rect{0, 0, 5, 2}));
  EXPECT_EQ(value_at(row, 2, 1), 1);
  EXPECT_EQ(value_at(row, 3, 1), 2);
  const Image column = run_chain("append --direction vertical --gap 1" + with(second), first);
  EXPECT_EQ(column.spec().display_window, (Rect{0, 0, 3, 5}));
  EXPECT_EQ(value_at(column, 1, 1), 1);
  EXPECT_EQ(value_at(column, 1, 2), 0);
  EXPECT_EQ(value_at(column, 1, 3), 2);
  EXPECT_EQ(value_at(column, 2, 4), 0);
}

TEST_F(Append, AlignsAndPadsSmallerOnes) {
  const Image first = flat_picture(1, 5, 3, 1), second = flat_picture(1, 2, 3, 2);
  const auto column = [&](const std::string& words) {
    const Image made = run_chain("append " + words + with(second), first);
    std::vector<float> values;
    for (int y = 0; y < 5; ++y) values.push_back(value_at(made, 1, y));
    return values;
  };
  using Values = std::vector<float>;
  EXPECT_EQ(column(""), (Values{2, 2, 0, 0, 0}));
  EXPECT_EQ(column("--align center"), (Values{0, 2, 2, 0, 0}));
  EXPECT_EQ(column("--align bottom --color 9"), (Values{9, 9, 9, 2, 2}));
}

TEST_F(Append, PadsGreyPicturesWithTheLuminanceOfAColour) {
  const Image made =
      run_chain("append --color 0,1,0" + with(flat_picture(1, 1, 1, 2)), flat_picture(1, 2, 1, 1));
  EXPECT_FLOAT_EQ(value_at(made, 1, 1), 0.71516868f);
}

TEST_F(Append, TakesDisplayWindowsAndWhatLiesInsideThem) {
  Spec spec = spec_of({-2, 1, 9, 1}, PixelType::f32, 1);
  spec.display_window = {0, 0, 4, 3};
  const Image second = flat(spec, 5);
  Spec at = spec_of({10, 20, 2, 3}, PixelType::f32, 1);
  const Image made = run_chain("append" + with(second), flat(at, 1));
  EXPECT_EQ(made.spec().data_window, (Rect{10, 20, 6, 3}));
  EXPECT_EQ(value_at(made, 11, 21), 1);
  EXPECT_EQ(value_at(made, 12, 20), 0);
  EXPECT_EQ(value_at(made, 12, 21), 5);
  EXPECT_EQ(value_at(made, 15, 21), 5);
  EXPECT_EQ(value_at(made, 15, 22), 0);
}

TEST_F(Append, MovesPicturesOfOneFormBitForBit) {
  const Image a = noise(spec_of({0, 0, 7, 5}, PixelType::u8, 4), 1);
  const Image b = noise(spec_of({0, 0, 4, 5}, PixelType::u8, 4), 2);
  const Image made = run_chain("append --with " + write("b.png", b), a, {.format = "png"});
  EXPECT_EQ(made.spec().layers[0].type, PixelType::u8);
  for (int y = 0; y < 5; ++y) {
    EXPECT_EQ(std::memcmp(made.row(0, y), a.row(0, y), 28), 0);
    EXPECT_EQ(std::memcmp(made.row(0, y) + 28, b.row(0, y), 16), 0);
  }
}

TEST_F(Append, MatchesTypesEncodingsAndChannels) {
  // Half of the light is code 188 of sRGB.
  const Image grey = flat_picture(2, 2, 1, 188 / 255.0f, PixelType::u8);
  const Image color = flat_picture(2, 3, 4, 0.5f);
  const Image made = run_chain("append --with " + write("c.exr", color), grey, {.format = "png"});
  ASSERT_EQ(made.spec().layers[0].channels, (std::vector<std::string>{"R", "G", "B", "A"}));
  EXPECT_EQ(made.spec().layers[0].type, PixelType::u8);
  const auto code = [&](int x, int y, int c) {
    return std::to_integer<int>(made.row(0, y)[4 * x + c]);
  };
  EXPECT_EQ(code(0, 0, 1), 188);
  EXPECT_EQ(code(0, 0, 3), 255);
  EXPECT_EQ(code(2, 0, 1), 255);  // straight: 0.5 under an alpha of 0.5
  EXPECT_EQ(code(2, 0, 3), 128);
  EXPECT_EQ(code(0, 2, 3), 0);
}

TEST_F(Append, LayersMeetByNameAndIdsStayIds) {
  Spec spec = spec_of({0, 0, 2, 1}, PixelType::f32, 3);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  const auto value = [](int l, int, int, int) { return l == 2 ? 40 : l + 1; };
  const std::string file = write("layers.exr", image_of(spec, value));
  const Image made = run_chain("append --with " + file, image_of(spec, value));
  ASSERT_EQ(made.spec().layers.size(), 3u);
  EXPECT_EQ(value_at(made, 3, 0, 0, 1), 2);
  EXPECT_EQ(value_at<std::uint32_t>(made, 3, 0, 0, 2), 40u);
  // Next to a picture without these layers they are zero, whatever its form is.
  const Image plain = flat_picture(2, 1, 3, 7, PixelType::half);
  const Image beside = run_chain("append" + with(plain), image_of(spec, value));
  EXPECT_EQ(value_at(beside, 2, 0, 0, 0), 7);
  EXPECT_EQ(value_at(beside, 2, 0, 0, 1), 0);
  EXPECT_EQ(value_at<std::uint32_t>(beside, 1, 0, 0, 2), 40u);
  EXPECT_EQ(value_at<std::uint32_t>(beside, 2, 0, 0, 2), 0u);
}

TEST_F(Append, OnlyFirstColoursMeetUnderOtherNames) {
  const auto layers = [](std::initializer_list<const char*> names, float value) {
    Spec spec = spec_of({0, 0, 1, 1}, PixelType::f32, 3);
    const LayerSpec layer = spec.layers.front();
    spec.layers.clear();
    for (const char* name : names) {
      spec.layers.push_back(layer);
      spec.layers.back().name = name;
    }
    return flat(spec, value);
  };
  const Image two = run_chain("append" + with(layers({""}, 5)), layers({"d", "n"}, 1));
  EXPECT_EQ(value_at(two, 1, 0, 0, 0), 5);  // d is the picture
  EXPECT_EQ(value_at(two, 1, 0, 0, 1), 0);  // and n a layer that the other lacks
  const Image more = run_chain("append" + with(layers({"n"}, 5)), layers({"", "d"}, 1));
  EXPECT_EQ(value_at(more, 1, 0, 0, 0), 5);
  EXPECT_EQ(value_at(more, 1, 0, 0, 1), 0);
}

TEST_F(Append, WorksInTheMiddleOfAChain) {
  const Image made =
      run_chain("gain --value 2 + append" + with(flat_picture(2, 2, 3, 1)) + " + flop",
                flat_picture(3, 2, 3, 1));
  EXPECT_EQ(value_at(made, 0, 0), 1);
  EXPECT_EQ(value_at(made, 4, 0), 2);
}

class AppendCommand : public Append {
 protected:
  Outcome cuimg(std::vector<std::string> words) const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    return run(words, {.folder = folder_.path().string()});
  }
};

TEST_F(AppendCommand, JoinsAllInputsWithoutWith) {
  write("a.png", flat_picture(3, 2, 3, 1, PixelType::u8));
  write("b.png", flat_picture(4, 2, 3, 0, PixelType::u8));
  const Outcome outcome = cuimg({"append", "a.png", "b.png", "a.png", "-o", "out.png"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  const Image made = read_image(folder_ / "out.png");
  EXPECT_EQ(made.spec().display_window, (Rect{0, 0, 10, 2}));
  EXPECT_EQ(made.row(0, 1)[3 * 9], std::byte{255});
  EXPECT_EQ(made.row(0, 1)[3 * 6], std::byte{0});
  EXPECT_EQ(made.spec().layers[0].type, PixelType::u8);
}

TEST_F(AppendCommand, WarnsOfLayersThatTheFirstPictureLacks) {
  Spec spec = spec_of({0, 0, 2, 1}, PixelType::f32, 3);
  write("plain.exr", flat(spec, 1));
  spec.layers.push_back({"d", {"R", "G", "B"}, PixelType::f32});
  write("layers.exr", flat(spec, 1));
  Spec depth = spec_of({0, 0, 2, 1}, PixelType::f32, 1);
  depth.layers = {{"", {"Z"}, PixelType::f32}};
  write("depth.exr", flat(depth, 1));
  const Outcome outcome = cuimg({"append", "plain.exr", "layers.exr", "-o", "out.exr"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "layers.exr: d: left out")) << outcome.err;
  EXPECT_TRUE(has(cuimg({"append", "plain.exr", "depth.exr", "-o", "out.exr"}).err, "is empty"));
  EXPECT_EQ(cuimg({"append", "layers.exr", "plain.exr", "-o", "out.exr"}).err, "");
}

TEST_F(AppendCommand, WarnsThatIdsDoNotJoinValues) {
  Spec spec = spec_of({0, 0, 2, 1}, PixelType::f32, 3);
  spec.layers.push_back({"", {"id"}, PixelType::f32});
  write("values.exr", flat(spec, 1));
  spec.layers.back().type = PixelType::u32;
  write("ids.exr", flat(spec, 1));
  const Outcome outcome = cuimg({"append", "values.exr", "ids.exr", "-o", "out.exr"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err,
                  "ids.exr: id: left out, since ids and values cannot be joined, and the first "
                  "picture has the other kind"))
      << outcome.err;
}

TEST_F(AppendCommand, IsTheSameWhetherTheFirstPictureIsAnInputOrOneOfTwo) {
  Spec spec = spec_of({0, 0, 8, 6}, PixelType::u16, 3);
  const auto make = [&](const char* name, const ColorEncoding& color) {
    spec.color = color;
    write(name, noise(spec));
  };
  const Chromaticities p3{0.68f, 0.32f, 0.265f, 0.69f, 0.15f, 0.06f, 0.3127f, 0.329f};
  make("srgb.png", {Curve::srgb, 1.0f, false, {}});
  make("pq.png", {Curve::pq, 1.0f, false, {}});
  make("hlg.png", {Curve::hlg, 1.0f, false, {}});
  make("gamma.png", {Curve::gamma, 2.2f, false, {}});
  make("p3.png", {Curve::srgb, 1.0f, false, p3});
  for (const std::string name : {"srgb.png", "pq.png", "hlg.png", "gamma.png", "p3.png"})
    for (const std::string stage :
         {"flip", "invert", "levels --gamma 2", "threshold", "blur", "normalize"})
      for (const std::string& second : {name, std::string("srgb.png")}) {
        const std::vector<std::string> then = recipe_words("+ " + stage, "test");
        std::vector<std::string> both = {"append"}, one = {"append", "--with", second};
        both.insert(both.end(), then.begin(), then.end());
        one.insert(one.end(), then.begin(), then.end());
        both.insert(both.end(), {name, second, "-o", "both.png"});
        one.insert(one.end(), {name, "one.png"});
        const Outcome outcome = cuimg(both);
        ASSERT_EQ(outcome.exit, 0) << outcome.err;
        ASSERT_EQ(cuimg(one).exit, 0);
        EXPECT_EQ(read_file(folder_ / "both.png"), read_file(folder_ / "one.png"))
            << name << " " << second << " " << stage;
      }
}

TEST_F(AppendCommand, TakesTheWantedMipLevelOfItsInputs) {
  write("plain.exr", flat_picture(16, 8, 3, 1, PixelType::half));
  ASSERT_EQ(cuimg({"mip", "plain.exr", "mip.exr"}).exit, 0);
  const Outcome outcome =
      cuimg({"append", "--mip-level", "2", "mip.exr", "mip.exr", "-o", "out.exr"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(read_image(folder_ / "out.exr").spec().display_window, (Rect{0, 0, 8, 2}));
  for (const char* stage : {"append", "contact"}) {
    const Outcome refused =
        cuimg({stage, "--mip-level", "1", "mip.exr", "plain.exr", "-o", "out.exr"});
    EXPECT_EQ(refused.exit, 2);
    EXPECT_TRUE(has(refused.err, "plain.exr: mip level 1 does not exist")) << refused.err;
  }
}

TEST_F(AppendCommand, TakesWithForEachOfAFolder) {
  write("a.png", flat_picture(3, 2, 3, 1, PixelType::u8));
  write("b.png", flat_picture(4, 2, 3, 0, PixelType::u8));
  const Outcome outcome =
      cuimg({"append", "--with", "a.png", "--with", "b.png", "a.png", "b.png", "-o", "out/"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(read_image(folder_ / "out/a.png").spec().display_window.width, 10);
  EXPECT_EQ(read_image(folder_ / "out/b.png").spec().display_window.width, 11);
  const Outcome told =
      cuimg({"append", "--dry-run", "--with", "a.png", "--with", "b.png", "a.png", "o.png"});
  EXPECT_EQ(told.out, "a.png -> o.png: append --with a.png --with b.png\n");
}

TEST_F(AppendCommand, RefusesWhatCannotBe) {
  write("a.png", flat_picture(3, 2, 3, 1, PixelType::u8));
  EXPECT_EQ(cuimg({"append", "a.png", "-o", "o.png"}).err,
            "cuimg: a.png: append: there is nothing to append: name several INPUTs, or one and "
            "--with FILE\n");
  EXPECT_EQ(cuimg({"append", "a.png", "absent.png", "-o", "o.png"}).err,
            "cuimg: absent.png: no such file\n");
  EXPECT_EQ(cuimg({"append", "a.png", "a.png", "-o", "folder/"}).err,
            "cuimg: folder/: all inputs become one image: name the file to write\n");
  write("in.0001.png", flat_picture(3, 2, 3, 1, PixelType::u8));
  write("in.0002.png", flat_picture(3, 2, 3, 1, PixelType::u8));
  for (const std::string stage : {"append", "contact"})
    for (const std::string output : {"sheet.####.png", "sheet.%04d.png"})
      EXPECT_EQ(cuimg({stage, "in.####.png", "-o", output}).err,
                "cuimg: " + output + ": all inputs become one image: name the file to write\n");
  EXPECT_EQ(cuimg({"flip", "+", "append", "a.png", "o.png"}).err,
            "cuimg: append: it takes no image from the stage before it: make it the first stage\n");
  EXPECT_EQ(cuimg({"append", "--gap", "5000", "a.png", "a.png", "-o", "o.png"}).err,
            "cuimg: append: --gap 5000 is out of range: use 0 to 4096\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o.png"));
}

}  // namespace
}  // namespace cuimg::test
