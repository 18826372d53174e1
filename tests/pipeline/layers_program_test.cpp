// SPDX-License-Identifier: Apache-2.0
// --layers of the program: what its files hold.
#include <gtest/gtest.h>

#include "support/images.h"
#include "support/process.h"
#include "support/three_layers.h"

namespace cuimg::test {
namespace {

TEST(LayersOfFiles, WithoutAStageTheChosenAreWritten) {
  const TempDir folder;
  const Image image = noise(three_layers());
  write_image(folder / "in.exr", image, *codec_named("exr"));
  const auto convert = [&](const std::string& layers, const std::string& name) {
    const Outcome outcome =
        run({CUIMG_PROGRAM, "convert", "--layers", layers, folder / "in.exr", folder / name});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return read_image(folder / name);
  };
  const Image two = convert("id,Z", "two.exr");
  ASSERT_EQ(two.spec().layer_count(), 2);
  EXPECT_TRUE(same_pixels(two, without(image, {1, 3})));
  convert("diffuse", "diffuse.png");
  write_image(folder / "alone.exr", without(image, {2}), *codec_named("exr"));
  run({CUIMG_PROGRAM, "convert", folder / "alone.exr", folder / "alone.png"});
  EXPECT_TRUE(same_pixels(read_image(folder / "diffuse.png"), read_image(folder / "alone.png")));
}

TEST(LayersOfFiles, InPlaceNoneMayBeLost) {
  const TempDir folder;
  write_image(folder / "in.exr", noise(three_layers()), *codec_named("exr"));
  const std::string before = read_file(folder / "in.exr");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"convert"}, {"resize", "--size", "50%"}}) {
    std::vector<std::string> line = {CUIMG_PROGRAM};
    line.insert(line.end(), words.begin(), words.end());
    line.insert(line.end(), {"--layers", "diffuse,id", "--in-place", folder / "in.exr"});
    const Outcome outcome = run(line);
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_NE(outcome.err.find("--in-place with --layers would delete RGBA, Z: leave out"),
              std::string::npos)
        << outcome.err;
    EXPECT_EQ(read_file(folder / "in.exr"), before);
  }
  EXPECT_EQ(run({CUIMG_PROGRAM, "convert", "--layers", "*", "--in-place", folder / "in.exr"}).exit,
            0);
  EXPECT_EQ(
      run({CUIMG_PROGRAM, "flip", "--layers", "diffuse", "--in-place", folder / "in.exr"}).exit, 0);
}

TEST(LayersOfFiles, InPlaceADataWindowGrowsWithWhatMoves) {
  const TempDir folder;
  Spec spec = three_layers();
  spec.display_window = {0, 0, 20, 12};
  const Image image = noise(spec);
  write_image(folder / "in.exr", image, *codec_named("exr"));
  ASSERT_EQ(run({CUIMG_PROGRAM, "flop", "--layers", "Z", "--in-place", folder / "in.exr"}).exit, 0);
  const Image result = read_image(folder / "in.exr");
  EXPECT_EQ(result.spec().data_window, (Rect{0, 0, 20, 6}));
  ASSERT_EQ(result.spec().layer(0).label(), "RGBA");
  EXPECT_TRUE(same_in_place(result, 0, image, 0));
}

TEST(LayersOfFiles, APartOfThatNameIsPointedOut) {
  const TempDir folder;
  Spec color = three_layers(), depth = color;
  color.layers = {color.layers.front()};
  color.part_name = "beauty";
  depth.layers = {{"", {"Z"}, PixelType::f32}};
  depth.part_name = "depth";
  std::vector<Image> parts;
  parts.push_back(noise(color));
  parts.push_back(noise(depth));
  write_parts(folder / "in.exr", parts, *codec_named("exr"));
  const Outcome outcome =
      run({CUIMG_PROGRAM, "flip", "--layers", "depth", folder / "in.exr", folder / "out.exr"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_NE(outcome.err.find("--layers depth: the image has no such layer, but the file has a part "
                             "of that name: choose it with --part depth"),
            std::string::npos)
      << outcome.err;
}

TEST(LayersOfFiles, TheProgramWritesTheChosenOnes) {
  const TempDir folder;
  write_image(folder / "in.exr", noise(three_layers()), *codec_named("exr"));
  const Outcome outcome = run({CUIMG_PROGRAM, "resize", "--size", "4x3", "--layers", "Z",
                               "--device", "cpu", folder / "in.exr", folder / "out.exr"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const Image result = read_image(folder / "out.exr");
  ASSERT_EQ(result.spec().layers.size(), 1u);
  EXPECT_EQ(result.spec().layers.front().channels, std::vector<std::string>{"Z"});
}

}  // namespace
}  // namespace cuimg::test
