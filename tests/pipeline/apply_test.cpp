// SPDX-License-Identifier: Apache-2.0
// Running stages through the library: accepted input and refusals.
#include "pipeline/run/apply.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <functional>

#include "base/error.h"
#include "io/codec.h"
#include "pipeline/run/parse_chain.h"
#include "stages/geometry/resize.h"
#include "support/images.h"
#include "support/process.h"
#include "support/test_stages.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

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
  EXPECT_EQ(error_of_words("flip a.png"),
            "chain: a.png is not an option: leave it out: a chain names no files");
  EXPECT_EQ(error_of_words("resize 50%"),
            "chain: 50% is not an option: leave it out: a chain names no files");
  EXPECT_EQ(error_of_words("flip -o x.png"), "chain: -o is for files: leave it out");
  EXPECT_EQ(error_of_words("stats"), "chain: stats gives no image: leave it out");
  EXPECT_EQ(error_of_words("flip + histogram --bins 4"),
            "chain: histogram gives no image: leave it out");
}

TEST(ParseChain, NamesNoWordThatIsNotThere) {
  EXPECT_EQ(error_of_words("blur --sigma"), "blur: --sigma needs a value: see cuimg blur --help");
  EXPECT_EQ(error_of_words("flip + over --with"),
            "over: --with needs a value: see cuimg over --help");
  EXPECT_EQ(error_of_words("blur +"), "+: a stage is missing before or after it");
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
  for (const Rect& window : {Rect{}, Rect{3, 4, 5, 0}, Rect{3, 4, 0, 5}})
    EXPECT_EQ(problem("flip", Image(spec_of(window, PixelType::f32, 1))),
              "apply: the image is empty");
  EXPECT_TRUE(has(error_of([&] { apply(image, {}, Queue::cpu(1), nullptr, PixelType::half); }),
                  "a type is given without a codec"));
}

TEST(Apply, RefusesAnImageWithoutMemory) {
  const Image image = Image::without_memory(spec_of({0, 0, 20, 10}, PixelType::f32, 1));
  EXPECT_TRUE(has(error_of([&] { applied("flip", image); }), "the image has no memory"));
}

TEST(Apply, RefusesAStageWithoutADescription) {
  const Image image = noise(spec_of({0, 0, 20, 10}, PixelType::f32, 1));
  EXPECT_EQ(error_of([&] { apply(image, {BoundStage{}}, Queue::cpu(1)); }),
            "apply: a stage has no description: make it with bind() or parse_chain()");
}

TEST(Apply, GivesTheSameBytesInAnyRoundingMode) {
  const Image image = noise(spec_of({0, 0, 61, 43}, PixelType::f32, 4));
  const std::vector<int> modes = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (const char* words :
       {"blur --sigma 2", "resize --size 37%", "unsharp --sigma 1", "rotate --angle 17",
        "normalize", "bilateral", "saturation --amount 1.3", "contrast --amount 1.2",
        "gamma --value 2.2", "envmap --from latlong --to angular --size 32x32"}) {
    SCOPED_TRACE(words);
    const Image expected = applied(words, image);
    for (const int mode : modes) {
      std::fesetround(mode);
      const Image made = applied(words, image);
      const int left = std::fegetround();
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(left, mode);
      EXPECT_TRUE(same_pixels(made, expected)) << mode;
    }
  }
}

TEST(ReadImage, GivesTheSamePixelsInAnyRoundingMode) {
  Spec spec = spec_of({0, 0, 31, 17}, PixelType::u16, 3);
  spec.color = {Curve::gamma, 1.0f / 0.45455f, false,
                Chromaticities{0.64f, 0.33f, 0.21f, 0.71f, 0.15f, 0.06f, 0.3127f, 0.329f}};
  const Codec& png = *codec_named("png");
  const Image image = noise(spec);
  const std::vector<std::byte> bytes = encode_image(image, png);
  const Spec expected = read_image(ByteSource::from_memory(bytes, "png")).spec();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const std::vector<std::byte> encoded = encode_image(image, png);
    const Spec read = read_image(ByteSource::from_memory(bytes, "png")).spec();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(encoded, bytes) << mode;
    EXPECT_EQ(read.color, expected.color) << mode;
  }
}

#if defined(__x86_64__)
TEST(Apply, KeepsDenormalsAndTrapsNothing) {
  const Image image = flat(spec_of({0, 0, 21, 13}, PixelType::f32, 3), 1e-40f);
  const ParsedChain chain =
      cuimg::parse_chain("gain --value 0.5 + rotate --angle 17 + div --value 0");
  const auto made = [&] { return apply(image, chain.stages, Queue::cpu(1), chain.options); };
  const Image expected = made();
  const unsigned before = _mm_getcsr();
  constexpr unsigned flushes = 0x8040u, masks_of_invalid_and_division = 0x0280u;
  _mm_setcsr((before | flushes) & ~masks_of_invalid_and_division);
  const Image other = made();
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(after & flushes, flushes);
  EXPECT_EQ(after & masks_of_invalid_and_division, 0u);
  EXPECT_TRUE(same_pixels(other, expected));
}
#endif

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
    EXPECT_TRUE(has(error_of([&] { Image(spec_of(window, PixelType::f32, 4)); }), "is not a size"));
}

TEST(Image, RefusesLayersThatNoStageWorksOn) {
  const auto problem = [](const std::vector<std::string>& channels) {
    Spec spec = spec_of({0, 0, 2, 2}, PixelType::f32, 1);
    spec.layers.front().channels = channels;
    return error_of([&] { Image{spec}; });
  };
  for (const std::vector<std::string>& channels :
       {std::vector<std::string>{"R", "G", "B", "A"}, {"Y", "A"}, {"Z"}, {"R", "A"}, {"V", "U"}})
    EXPECT_EQ(problem(channels), "no error");
  EXPECT_TRUE(has(problem({"R", "G", "B", "A", "Z"}), "a layer of 5 channels"));
  EXPECT_TRUE(has(problem({}), "a layer of 0 channels"));
  for (const std::vector<std::string>& channels : {std::vector<std::string>{"B", "G", "R"},
                                                   {"A", "R", "G", "B"},
                                                   {"A", "R"},
                                                   {"A", "Y"},
                                                   {"R", "R"}})
    EXPECT_TRUE(has(problem(channels), "not in the order R, G, B, A"));
  Spec matte = spec_of({0, 0, 2, 2}, PixelType::half, 3);
  matte.layers.front().is_matte = true;
  EXPECT_TRUE(has(error_of([&] { Image{matte}; }), "is not f32"));
}

TEST(EncodeImage, GivesTheBytesOfAFileAndReadImageTakesThem) {
  const TempDir folder;
  const std::string path = (folder.path() / "x.png").string();
  const Codec& png = *codec_named("png");
  const Image image = noise(spec_of({0, 0, 9, 7}, PixelType::u16, 3));
  write_image(path, image, png);
  const std::vector<std::byte> bytes = encode_image(image, png);
  EXPECT_EQ(read_file(path),
            std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  EXPECT_TRUE(same_pixels(read_image(ByteSource::from_memory(bytes, "memory")), image));
}

TEST(ReadPart, RefusesAPartThatIsNotThere) {
  const TempDir folder;
  const std::string path = (folder.path() / "x.png").string();
  write_image(path, noise(spec_of({0, 0, 3, 2}, PixelType::u8, 3)), *codec_named("png"));
  const auto file = open_file(ByteSource::open(path), {});
  EXPECT_EQ(error_of([&] { read_part(*file, 0); }), "no error");
  for (const int part : {-1, 1, 99})
    EXPECT_TRUE(has(error_of([&] { read_part(*file, part); }), "does not exist")) << part;
}

TEST(ReadImage, LimitsOneFileAndNotTheProcess) {
  const TempDir folder;
  const std::string small = (folder.path() / "small.exr").string(),
                    large = (folder.path() / "large.exr").string();
  const Codec& exr = *codec_named("exr");
  write_image(small, noise(spec_of({0, 0, 30, 20}, PixelType::half, 3)), exr);
  DecodeOptions options;
  options.limit_side = 30;
  EXPECT_EQ(error_of([&] { read_image(small, options); }), "no error");
  const Image image = noise(spec_of({0, 0, 64, 48}, PixelType::half, 3));
  EXPECT_EQ(error_of([&] { write_image(large, image, exr); }), "no error");
  EXPECT_TRUE(has(error_of([&] { read_image(large, options); }),
                  "64x48 pixels exceed the limit of 30 for each side"));
  EXPECT_TRUE(same_pixels(read_image(large), image));
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
  EXPECT_TRUE(has(problem("gif", rgba), "can be read but not written"));
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

TEST(Apply, ReportsCompleteRows) {
  const Image image = noise(spec_of({0, 0, 64, 700}, PixelType::f32, 3));
  for (const char* words : {"blur --sigma 2", "resize --size 50% + flip", "median --size 3"})
    for (const int threads : {1, 3}) {
      ParsedChain chain = cuimg::parse_chain(words);
      std::vector<int> seen;
      int of = 0;
      chain.options.progress = [&](int complete, int rows) {
        seen.push_back(complete);
        of = rows;
      };
      const Image result = apply(image, chain.stages, Queue::cpu(threads), chain.options);
      EXPECT_EQ(of, result.spec().data_window.height) << words;
      const auto repeated = std::ranges::adjacent_find(seen, std::ranges::greater_equal());
      EXPECT_EQ(repeated, seen.end()) << words;
      // With several threads the first rows may be finished last: then there is one report, of all.
      EXPECT_GE(seen.size(), threads == 1 ? 2u : 1u) << words;
      EXPECT_EQ(seen.back(), of) << words;
    }
}

TEST(Apply, EndsOnceAStopIsRequested) {
  constexpr int rows = 4000;
  const Image image = noise(spec_of({0, 0, 64, rows}, PixelType::f32, 3));
  for (const char* words : {"blur --sigma 2", "blur --sigma 2 + offset --x 9 --y 5 + invert"})
    for (const int threads : {1, 3}) {
      ParsedChain chain = cuimg::parse_chain(words);
      std::stop_source stop;
      int calls = 0, last = 0;
      chain.options.stop = stop.get_token();
      chain.options.progress = [&](int complete, int) {
        ++calls;
        last = complete;
        stop.request_stop();
      };
      bool cancelled = false;
      try {
        apply(image, chain.stages, Queue::cpu(threads), chain.options);
      } catch (const Cancelled&) {
        cancelled = true;
      }
      // Each thread ends after the band that it is making. While the thread of the first band is
      // not scheduled, the others may make all the rest: only then is there nothing to cancel.
      EXPECT_GT(last, 0) << words;
      EXPECT_LE(calls, threads + 1) << words;  // and a last call when all is made
      EXPECT_EQ(cancelled, last < rows) << words;
      if (threads == 1) {
        EXPECT_LT(last, rows / 2) << words;
      }
    }
}

TEST(Apply, DoesNotBeginOnceAStopWasRequested) {
  const Image image = noise(spec_of({0, 0, 8, 5}, PixelType::u8, 3));
  std::stop_source stop;
  stop.request_stop();
  for (const char* words : {"flip", "normalize", "rotate --angle 30", "median --size 31"}) {
    ParsedChain chain = cuimg::parse_chain(words);
    chain.options.stop = stop.get_token();
    EXPECT_THROW(apply(image, chain.stages, Queue::cpu(2), chain.options), Cancelled) << words;
  }
}

TEST(Apply, EndsWithWhatProgressThrows) {
  const Image image = noise(spec_of({0, 0, 8, 500}, PixelType::f32, 1));
  ParsedChain chain = cuimg::parse_chain("invert");
  chain.options.progress = [](int, int) { throw std::runtime_error("enough"); };
  EXPECT_THROW(apply(image, chain.stages, Queue::cpu(2), chain.options), std::runtime_error);
}

}  // namespace
}  // namespace cuimg::test
