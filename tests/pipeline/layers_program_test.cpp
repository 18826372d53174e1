// SPDX-License-Identifier: Apache-2.0
// --layers of the program: the content of its files.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "support/images.h"
#include "support/program_folder.h"
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

TEST(LayersOfFiles, LightThatIsLeftAloneKeepsItsBits) {
  const TempDir folder;
  Spec spec = spec_of({0, 0, 8, 6}, PixelType::f32, 4);
  spec.layers.push_back({"base", {"R", "G", "B"}, PixelType::f32});
  spec.layers.push_back({"other", {"R", "G", "B", "A"}, PixelType::f32});
  Image image = noise(spec);
  // Divided by such alphas light becomes infinite or NaN.
  const float tiny[] = {0.5f, 0.5f, 0.5f, 1e-39f}, infinite[] = {0.5f, 0.5f, 0.5f, INFINITY};
  std::memcpy(image.row(0, 2), tiny, sizeof tiny);
  std::memcpy(image.row(0, 3), infinite, sizeof infinite);
  write_image(folder / "in.exr", image, *codec_named("exr"));
  for (const char* words :
       {"invert", "tonemap", "encode --curve srgb", "cdl --saturation 0.5", "gamma --value 2",
        "contrast --amount 1.2", "normalize", "exposure --stops 1", "invert + blur",
        "invert + gamma --value 2 + tonemap", "invert + blur + invert + flip", "rotate --angle 3",
        "levels + tee TEE + invert"}) {
    std::vector<std::string> line = {CUIMG_PROGRAM};
    for (const std::string& word : recipe_words(words, "test"))
      line.push_back(word == "TEE" ? folder / "tee.exr" : word);
    line.insert(line.end(), {"--layers", "other", folder / "in.exr", folder / "out.exr"});
    const Outcome outcome = run(line);
    ASSERT_EQ(outcome.exit, 0) << words << outcome.err;
    const Image made = read_image(folder / "out.exr");
    EXPECT_TRUE(same_pixels(without(made, {0, 1}), without(image, {0, 1}))) << words;
    EXPECT_FALSE(same_pixels(without(made, {2}), without(image, {2}))) << words;
  }
}

TEST(LayersOfFiles, NewPrimariesAreThoseOfAllColours) {
  const TempDir folder;
  Spec spec = three_layers();
  spec.layers.push_back({"other", {"R", "G", "B", "A"}, PixelType::f32});
  write_image(folder / "in.exr", noise(spec), *codec_named("exr"));
  const auto made = [&](const std::vector<std::string>& options) {
    std::vector<std::string> line = {CUIMG_PROGRAM, "primaries", "--to", "ap1", "--explain"};
    line.insert(line.end(), options.begin(), options.end());
    line.insert(line.end(), {folder / "in.exr", folder / "out.exr"});
    const Outcome outcome = run(line);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    if (!options.empty()) {
      EXPECT_NE(outcome.err.find("primaries: leaves alone Z, id\n"
                                 "primaries: converts RGBA, diffuse likewise, "
                                 "since a file has one encoding"),
                std::string::npos)
          << outcome.err;
    }
    return read_image(folder / "out.exr");
  };
  const Image some = made({"--layers", "other"}), all = made({});
  EXPECT_EQ(some.spec().color, all.spec().color);
  EXPECT_TRUE(same_pixels(some, all));
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

// A file with one part for each layer, as many renderers write it.
class LayersOfParts : public ProgramFolder {
 protected:
  LayersOfParts() {
    add("beauty", {{"", {"R", "G", "B", "A"}, PixelType::half}});
    add("depth", {{"", {"Z"}, PixelType::f32}});
    add("light", {{"light_fill", {"R", "G", "B"}, PixelType::half},
                  {"light_key", {"R", "G", "B"}, PixelType::half}});
    write_parts(folder_ / "in.exr", parts_, *codec_named("exr"));
  }
  void add(const std::string& name, const std::vector<LayerSpec>& layers) {
    Spec spec = spec_of({0, 0, 8, 6}, PixelType::half, 4);
    spec.layers = layers;
    spec.part_name = name;
    parts_.push_back(noise(spec, static_cast<unsigned>(parts_.size())));
  }
  // The parts that the words write, from in.exr to out.exr.
  std::vector<Image> made(std::vector<std::string> words) const {
    words.insert(words.end(), {"in.exr", "out.exr"});
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_EQ(outcome.err, "");
    return outcome.exit == 0 ? read_parts(folder_ / "out.exr") : std::vector<Image>{};
  }
  static std::string names_of(const std::vector<Image>& parts) {
    std::string names;
    for (const Image& part : parts) names += part.spec().part_name + ' ';
    return names;
  }
  std::vector<Image> parts_;
};

TEST_F(LayersOfParts, OthersStayAsTheyAre) {
  const std::vector<Image> made_parts = made({"flip", "--layers", "light_key,Z"});
  ASSERT_EQ(names_of(made_parts), "beauty depth light ");
  EXPECT_TRUE(same_pixels(made_parts[0], parts_[0]));
  EXPECT_TRUE(same_pixels(made_parts[1], run_chain("flip", parts_[1])));
  EXPECT_TRUE(same_pixels(made_parts[2], run_chain("flip --layers light_key", parts_[2])));
  const std::vector<Image> brighter = made({"exposure", "--stops", "1", "--layers", "light_*"});
  ASSERT_EQ(names_of(brighter), "beauty depth light ");
  EXPECT_TRUE(same_pixels(brighter[0], parts_[0]));
  EXPECT_FALSE(same_pixels(brighter[2], parts_[2]));
}

TEST_F(LayersOfParts, OthersHaveNoPlaceInAPictureOfAnotherSize) {
  EXPECT_EQ(names_of(made({"resize", "--size", "50%", "--layers", "RGBA,Z"})), "beauty depth ");
  EXPECT_EQ(names_of(made({"flip", "--layers", "Z", "+", "rotate90"})), "depth ");
}

TEST_F(LayersOfParts, WithoutAStageTheChosenAreWritten) {
  const std::vector<Image> made_parts = made({"convert", "--layers", "light_fill,Z"});
  ASSERT_EQ(names_of(made_parts), "depth light ");
  EXPECT_TRUE(same_pixels(made_parts[0], parts_[1]));
  EXPECT_TRUE(same_pixels(made_parts[1], without(parts_[2], {0})));
  const Outcome outcome = cuimg({"convert", "--layers", "light_key", "in.exr", "out.png"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.err, "");
  write_image(folder_ / "key.exr", without(parts_[2], {1}), *codec_named("exr"));
  cuimg({"convert", "key.exr", "key.png"});
  EXPECT_TRUE(same_pixels(read_image(folder_ / "out.png"), read_image(folder_ / "key.png")));
}

TEST_F(LayersOfParts, WithAnOutputForEachPartThoseOfOthersAreLeftOut) {
  const Outcome outcome = cuimg({"flip", "--layers", "Z", "in.exr", "-o", "o_{part}.exr"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(same_pixels(read_image(folder_ / "o_1.exr"), run_chain("flip", parts_[1])));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o_0.exr"));
}

TEST_F(LayersOfParts, ReportsAreOnTheChosen) {
  const Outcome outcome = cuimg({"stats", "--layers", "light_*,RGBA", "in.exr"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "part 0 'beauty'") && has(outcome.out, "part 2 'light'"))
      << outcome.out;
  EXPECT_FALSE(has(outcome.out, "depth")) << outcome.out;
}

TEST_F(LayersOfParts, ANameThatNoPartHasIsAnError) {
  const Outcome outcome = cuimg({"flip", "--layers", "RGBA,nope", "in.exr", "out.exr"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(has(outcome.err,
                  "--layers nope: no part has such a layer: they have RGBA, Z, "
                  "light_fill, light_key"))
      << outcome.err;
}

TEST_F(LayersOfParts, InPlaceNoneMayBeLost) {
  EXPECT_EQ(cuimg({"flip", "--layers", "Z", "--in-place", "in.exr"}).exit, 0);
  const std::vector<Image> now = read_parts(folder_ / "in.exr");
  ASSERT_EQ(names_of(now), "beauty depth light ");
  EXPECT_TRUE(same_pixels(now[0], parts_[0]));
  EXPECT_TRUE(same_pixels(now[1], run_chain("flip", parts_[1])));
  const std::string before = read_file(folder_ / "in.exr");
  for (const char* stage : {"rotate90", "convert"}) {
    const Outcome outcome = cuimg({stage, "--layers", "Z", "--in-place", "in.exr"});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_TRUE(has(outcome.err, "--in-place with --layers would delete part 0 'beauty'"))
        << outcome.err;
    EXPECT_EQ(read_file(folder_ / "in.exr"), before);
  }
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
