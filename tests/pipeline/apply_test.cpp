// SPDX-License-Identifier: Apache-2.0
// The library's way to run stages: what it takes, and what it refuses.
#include "pipeline/run/apply.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "io/codec.h"
#include "stages/geometry/resize.h"
#include "support/images.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

std::string error_of_words(const char* words) {
  return error_of([&] { cuimg::parse_chain(words); });
}

Image applied(const char* words, const Image& image) {
  const ParsedChain chain = cuimg::parse_chain(words);
  return apply(image, chain.stages, Queue::cpu(1), chain.options);
}

TEST(ParseChain, RunsAsOnTheCommandLine) {
  const Image image = noise(spec_of({0, 0, 20, 10}, PixelType::u8, 4));
  for (const char* words : {"resize --size 50% --raw", "blur --sigma 2 + flip",
                            "invert --layers RGBA # a comment", "normalize + levels --black 0.1"})
    EXPECT_TRUE(same_pixels(applied(words, image), run_chain(words, image))) << words;
  EXPECT_EQ(applied("checker --size 7x3", {}).spec().data_window, (Rect{0, 0, 7, 3}));
  EXPECT_TRUE(cuimg::parse_chain("flip --raw").options.raw);
}

TEST(ParseChain, RefusesWhatIsForFiles) {
  EXPECT_EQ(error_of_words("flip --jobs 2"), "chain: --jobs is for files: leave it out");
  for (const char* words : {"flip + tee x.png", "flip + tee x.png + flop"})
    EXPECT_TRUE(has(error_of_words(words), "tee writes a file")) << words;
  EXPECT_EQ(error_of_words("  # nothing"), "chain: it has no stage");
  EXPECT_TRUE(has(error_of_words("blurr"), "did you mean blur?"));
  EXPECT_TRUE(has(error_of_words("blur --sigma -1"), "out of range"));
  EXPECT_NE(error_of_words("flip a.png"), "no error");
  EXPECT_NE(error_of_words("stats"), "no error");
}

TEST(Apply, RefusesStagesThatGiveNoImage) {
  const Image image = noise(spec_of({0, 0, 20, 10}, PixelType::f32, 1));
  const auto problem = [&](const char* name, const Image& input) {
    const StageDescription& stage = *find_stage(name);
    return error_of([&] {
      apply(input, {BoundStage{&stage, stage.make(), false}}, Queue::cpu(1));
    });
  };
  EXPECT_EQ(problem("stats", image), "stats: it gives no image");
  EXPECT_EQ(problem("contact", image), "contact: it takes files");
  EXPECT_EQ(problem("flip", {}), "apply: the image is empty");
  EXPECT_TRUE(has(error_of([&] { apply(image, {}, Queue::cpu(1), nullptr, PixelType::half); }),
                  "a type without a codec"));
}

TEST(Apply, AnImageWithoutADisplayWindowIsAllPicture) {
  Spec spec = spec_of({0, 0, 64, 32}, PixelType::u8, 3);
  spec.display_window = {};
  const Image image = noise(spec);
  EXPECT_EQ(image.spec().display_window, spec.data_window);
  EXPECT_EQ(applied("resize --size 50%", image).spec().data_window, (Rect{0, 0, 32, 16}));
}

TEST(Bind, RefusesWhatTheOptionWould) {
  const auto problem = [](const auto& change) {
    Resize resize;
    change(resize);
    return error_of([&] { bind(*find_stage("resize"), resize); });
  };
  EXPECT_EQ(problem([](Resize&) {}), "no error");
  EXPECT_EQ(problem([](Resize& r) { r.size = pixels(64, 0); }), "no error");
  EXPECT_EQ(problem([](Resize& r) { r.size = percent(12.345); }), "no error");
  EXPECT_NE(problem([](Resize& r) { r.size = percent(std::nan("")); }), "no error");
  EXPECT_NE(problem([](Resize& r) { r.size = percent(-50); }), "no error");
  EXPECT_NE(problem([](Resize& r) { r.size = pixels(-5, 3); }), "no error");
  EXPECT_NE(problem([](Resize& r) { r.border = static_cast<Border>(99); }), "no error");
  EXPECT_NE(problem([](Resize& r) { r.filter = static_cast<ResizeFilter>(99); }), "no error");
}

TEST(Image, RefusesSidesThatNoImageHas) {
  for (const Rect& window :
       {Rect{0, 0, 1 << 30, 1 << 30}, Rect{0, 0, INT32_MAX, INT32_MAX}, Rect{0, 0, -5, 5}})
    EXPECT_TRUE(has(error_of([&] { Image(spec_of(window, PixelType::f32, 4)); }), "is no size"));
}

TEST(WriteImage, RefusesWhatAFileWouldNotSay) {
  const TempDir folder;
  const auto problem = [&](const std::string& extension, const Spec& spec) {
    return error_of([&] {
      write_image((folder.path() / ("x." + extension)).string(), noise(spec),
                  *codec_named(extension));
    });
  };
  Spec rgba = spec_of({0, 0, 8, 8}, PixelType::u8, 4);
  rgba.color = {Curve::srgb, 1, false, {}};
  EXPECT_EQ(problem("png", rgba), "no error");
  EXPECT_TRUE(has(problem("gif", rgba), "is read and not written"));
  Spec premultiplied = rgba;
  premultiplied.color.premultiplied = true;
  EXPECT_TRUE(has(problem("png", premultiplied), "apply() with the codec"));
  Spec linear = spec_of({0, 0, 8, 8}, PixelType::u8, 3);
  linear.color.curve = Curve::linear;
  EXPECT_TRUE(has(problem("bmp", linear), "apply() with the codec"));
  Spec srgb = spec_of({0, 0, 8, 8}, PixelType::f32, 3);
  srgb.color.curve = Curve::srgb;
  EXPECT_TRUE(has(problem("exr", srgb), "apply() with the codec"));
  Spec window = rgba;
  window.display_window = {-5, -5, 20, 20};
  EXPECT_TRUE(has(problem("png", window), "data window"));
  Spec raw = linear;
  raw.color.curve = Curve::raw;
  EXPECT_EQ(problem("bmp", raw), "no error");
}

TEST(WriteImage, KeepsTheCompressionOfAnExr) {
  const TempDir folder;
  const std::string path = (folder.path() / "x.exr").string();
  const Codec& exr = *codec_named("exr");
  const Image image = noise(spec_of({0, 0, 40, 40}, PixelType::half, 3));
  write_image(path, image, exr, {.compression = "piz", .quality = {}, .next_level = {}});
  const Image back = read_image(path);
  write_image(path, back, exr);
  EXPECT_EQ(read_image(path).spec().storage.compression, "piz");
}

}  // namespace
}  // namespace cuimg::test
