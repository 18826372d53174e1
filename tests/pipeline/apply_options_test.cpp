// SPDX-License-Identifier: Apache-2.0
// What apply() refuses, warns of and occupies, and the levels of what it makes.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "pipeline/run/apply.h"
#include "pipeline/run/halved_levels.h"
#include "pipeline/run/parse_chain.h"
#include "support/images.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

using Range = std::numeric_limits<float>;

Image float_picture() { return noise(spec_of({0, 0, 20, 10}, PixelType::f32, 4)); }

std::string problem(const Image& image, const ApplyOptions& options, const char* words = "flip") {
  return error_of([&] { apply(image, parse_chain(words).stages, Queue::cpu(1), options); });
}

TEST(ApplyOptions, RefuseIdsAsATypeOfLight) {
  ApplyOptions options;
  options.codec = codec_named("exr");
  options.type = PixelType::u32;
  EXPECT_EQ(problem(float_picture(), options),
            "apply: type u32 is for ids, to which nothing is converted: use u8, u16, half or "
            "float");
  options.type = PixelType::half;
  EXPECT_EQ(problem(float_picture(), options), "no error");
}

TEST(ApplyOptions, RefuseABackgroundThatIsNoColour) {
  for (const float v : {Range::quiet_NaN(), Range::infinity(), -5.0f}) {
    ApplyOptions options;
    options.codec = codec_named("jpg");
    options.background = {0, v, 0};
    EXPECT_TRUE(has(problem(float_picture(), options), "is out of range"));
  }
}

TEST(Apply, RefusesNumbersThatNoDecoderGives) {
  for (const float v : {0.0f, -1.0f, Range::quiet_NaN(), Range::infinity()}) {
    Image image = float_picture();
    image.editable_spec().pixel_aspect = v;
    EXPECT_TRUE(has(problem(image, {}), "pixel_aspect"));
    image = float_picture();
    image.editable_spec().color.curve = Curve::gamma;
    image.editable_spec().color.gamma = v;
    EXPECT_TRUE(has(problem(image, {}), "a gamma of"));
  }
}

TEST(Apply, RefusesAProfilesCurveWithoutSamples) {
  Image image = noise(spec_of({0, 0, 20, 10}, PixelType::u8, 3));
  image.editable_spec().color.curve = Curve::profile;
  EXPECT_TRUE(has(problem(image, {}, "blur --sigma 2"), "no samples"));
  ColorProfile profile;
  profile.bytes.resize(100);
  image.editable_spec().color.profile = SharedProfile(profile);
  EXPECT_TRUE(has(problem(image, {}, "blur --sigma 2"), "no samples"));
  EXPECT_TRUE(
      has(error_of([&] { apply(image, {}, Queue::cpu(1), codec_named("exr")); }), "no samples"));
}

TEST(Apply, RefusesAStageWithoutParameters) {
  EXPECT_TRUE(
      has(error_of([] {
            apply(float_picture(), {BoundStage{find_stage("resize"), nullptr}}, Queue::cpu(1));
          }),
          "resize has no parameters"));
}

TEST(ApplyOptions, ReceiveTheProgramsWarnings) {
  Spec spec = spec_of({0, 0, 6, 4}, PixelType::half, 3);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  ApplyOptions options;
  options.codec = codec_named("png");
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& warning) { warnings.push_back(warning); };
  apply(noise(spec), {}, Queue::cpu(1), options);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings.front(), "2 layers; only R G B is written, PNG holds one; --layers chooses");
}

std::ptrdiff_t count_threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

TEST(Apply, StartsNoThreadOnAQueueOfOne) {
  const TempDir folder;
  const std::string file = folder / "a.exr";
  const Image image = noise(spec_of({0, 0, 1200, 900}, PixelType::f32, 4));
  write_image(file, image, *codec_named("exr"), {.quality = {}, .threads = 1, .next_level = {}});
  const auto before = count_threads();
  for (const std::string& words : {std::string("normalize"), std::string("trim"),
                                   std::string("balance"), "over --with " + file}) {
    std::ptrdiff_t most = 0;
    ApplyOptions options;
    options.progress = [&](int, int) { most = std::max(most, count_threads()); };
    apply(image, parse_chain(words).stages, Queue::cpu(1), options);
    EXPECT_EQ(most, before) << words;
  }
}

TEST(ApplyOptions, ReportTheLastRowOnce) {
  const Image image = noise(spec_of({0, 0, 64, 700}, PixelType::f32, 3));
  int ends = 0;
  ApplyOptions options;
  options.progress = [&](int complete, int rows) { ends += complete == rows ? 1 : 0; };
  apply(image, parse_chain("blur --sigma 2").stages, Queue::cpu(2), options);
  EXPECT_EQ(ends, 1);
}

TEST(HalvedLevels, AreThoseOfTheProgram) {
  const TempDir folder;
  const Codec& exr = *codec_named("exr");
  const Image image = noise(spec_of({0, 0, 61, 37}, PixelType::half, 4));
  write_image(folder / "in.exr", image, exr);
  const Image made =
      apply(image, parse_chain("mip --filter kaiser --border wrap").stages, Queue::cpu(1), &exr);
  ASSERT_TRUE(made.spec().mip);
  EncodeOptions options;
  options.next_level = halved_levels(*made.spec().mip, exr, Queue::cpu(1));
  write_image(folder / "library.exr", made, exr, options);
  const Outcome outcome = run({CUIMG_PROGRAM, "mip", "--filter", "kaiser", "--border", "wrap",
                               folder / "in.exr", folder / "program.exr"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(read_image(folder / "library.exr").spec().storage.levels, 6);
  for (int level = 0; level < 6; ++level) {
    DecodeOptions of_level;
    of_level.mip_level = level;
    EXPECT_TRUE(same_pixels(read_image(folder / "library.exr", of_level),
                            read_image(folder / "program.exr", of_level)))
        << level;
  }
}

TEST(HalvedLevels, RefuseNamesThatDoNotExist) {
  MipLevels levels;
  levels.filter = "nosuch";
  EXPECT_TRUE(has(error_of([&] { halved_levels(levels, *codec_named("exr")); }), "nosuch"));
}

}  // namespace
}  // namespace cuimg::test
