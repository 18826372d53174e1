// SPDX-License-Identifier: Apache-2.0
// trim: the parts that are cut off, the layers that decide, and the windows afterwards.
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

// A picture with one value around a rectangle of another.
Image framed(const Spec& spec, const Rect& inner, float around, float inside) {
  return image_of(spec, [&](int, int x, int y, int) {
    return inner.contains({x, y, 1, 1}) ? inside : around;
  });
}

Rect trimmed_display(const Image& image, const std::string& options = "") {
  return run_chain("trim" + options, image).spec().display_window;
}

TEST(Trim, CutsWhatHasTheCornersColour) {
  const Rect inner = {5, 3, 11, 7};
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32})
    for (const int channels : {1, 2, 3, 4}) {
      const Image image = framed(spec_of({0, 0, 21, 17}, type, channels), inner, 1, 0.5f);
      const Image made = run_chain("trim", image);
      EXPECT_EQ(made.spec().display_window, inner);
      EXPECT_EQ(made.spec().data_window, inner);
      EXPECT_TRUE(same_pixels(made, run_chain("crop --region 11x7+5+3", image)));
      EXPECT_TRUE(same_pixels(run_chain("trim", image, {.threads = 3}), made));
    }
}

TEST(Trim, KeepsAPictureOfOneColourAndOnePixel) {
  for (const Rect& window : {Rect{0, 0, 9, 5}, Rect{3, -2, 1, 1}})
    EXPECT_EQ(trimmed_display(flat(spec_of(window, PixelType::u8, 3), 0.5f)), window);
}

TEST(Trim, AsFarAsTheToleranceReaches) {
  const Image image = framed(spec_of({0, 0, 9, 9}, PixelType::f32, 3), {2, 2, 3, 3}, 0.5f, 0.625f);
  EXPECT_EQ(trimmed_display(image, " --tolerance 0.1"), (Rect{2, 2, 3, 3}));
  EXPECT_EQ(trimmed_display(image, " --tolerance 0.125"), (Rect{0, 0, 9, 9}));
  EXPECT_EQ(problem("trim --tolerance -1", image),
            "trim: --tolerance -1 is out of range: use at least 0");
}

TEST(Trim, NanAndInfinitiesOfABorderAreOneColour) {
  for (const float value :
       {std::bit_cast<float>(0x7fc00000u), std::numeric_limits<float>::infinity()})
    EXPECT_EQ(
        trimmed_display(framed(spec_of({0, 0, 9, 9}, PixelType::f32, 3), {4, 1, 2, 6}, value, 1)),
        (Rect{4, 1, 2, 6}));
}

TEST(Trim, ColoursThatAreTransparentDoNotCount) {
  const Image image =
      image_of(spec_of({0, 0, 9, 9}, PixelType::u8, 4), [](int, int x, int y, int c) {
        if (x == 4 && y == 4) return 1.0f;
        return c == 3 ? 0.0f : static_cast<float>(x) / 9;
      });
  EXPECT_EQ(trimmed_display(image), (Rect{4, 4, 1, 1}));
}

TEST(Trim, WindowsStayWhereTheyWere) {
  Spec spec = spec_of({10, 20, 30, 12}, PixelType::f32, 3);
  spec.display_window = {5, 15, 60, 40};
  const Image image = framed(spec, {14, 22, 7, 5}, 0, 1);
  const Image made = run_chain("trim", image);
  EXPECT_EQ(made.spec().display_window, (Rect{14, 22, 7, 5}));
  EXPECT_EQ(made.spec().data_window, (Rect{14, 22, 7, 5}));
  // Outside of the data window is zero, from which a corner of another colour differs.
  const Image covers = framed(spec, {14, 22, 7, 5}, 1, 0);
  EXPECT_EQ(run_chain("trim", covers).spec().display_window, (Rect{10, 20, 30, 12}));
  spec.data_window = {0, 10, 40, 12};
  const Image overscan = framed(spec, {20, 16, 100, 100}, 1, 1);
  EXPECT_EQ(run_chain("trim", overscan).spec().display_window, (Rect{5, 15, 60, 40}));
  EXPECT_EQ(run_chain("trim", overscan).spec().data_window, (Rect{5, 15, 35, 7}));
}

TEST(Trim, LayersOfColourDecideAndAllAreCut) {
  Spec spec = spec_of({0, 0, 9, 9}, PixelType::half, 3);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  const Image image = image_of(spec, [](int layer, int x, int y, int) {
    if (layer > 0) return static_cast<float>(x + 10 * y);
    return x > 2 && y > 3 ? 1.0f : 0.0f;
  });
  const Image made = run_chain("trim", image);
  EXPECT_EQ(made.spec().display_window, (Rect{3, 4, 6, 5}));
  EXPECT_EQ(value_at(made, 3, 4, 0, 1), 43);
  EXPECT_EQ(value_at<std::uint32_t>(made, 3, 4, 0, 2), 43u);
}

TEST(Trim, MeasuresWhatTheStagesBeforeItMake) {
  const Image image = framed(spec_of({0, 0, 20, 20}, PixelType::f32, 3), {4, 6, 8, 4}, 1, 0);
  EXPECT_EQ(run_chain("invert + resize --size 50% --filter box + trim + flop", image)
                .spec()
                .display_window,
            (Rect{2, 3, 4, 2}));
  EXPECT_EQ(run_chain("trim + resize --size 200% + trim", image).spec().display_window,
            (Rect{4, 6, 16, 8}));
}

// With the program: files, folders, pipes and reports.
class TrimCommand : public testing::Test {
 protected:
  TrimCommand() {
    write("a.png", {2, 3, 4, 5});
    write("b.png", {1, 1, 7, 2});
  }
  void write(const std::string& name, const Rect& inner) const {
    write_image(folder_ / name, framed(spec_of({0, 0, 12, 10}, PixelType::u8, 3), inner, 1, 0),
                *codec_named("png"));
  }
  Outcome cuimg(std::vector<std::string> words, const std::string& input = "") const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    RunOptions options{.folder = folder_.path().string()};
    if (!input.empty()) options.input = read_file(folder_ / input);
    return run(words, options);
  }
  const TempDir folder_;
};

TEST_F(TrimCommand, EachImageIsMeasuredByItself) {
  ASSERT_EQ(cuimg({"trim", "-j", "2", "a.png", "b.png", "-o", "out/"}).exit, 0);
  EXPECT_EQ(read_image(folder_ / "out/a.png").spec().display_window, (Rect{0, 0, 4, 5}));
  EXPECT_EQ(read_image(folder_ / "out/b.png").spec().display_window, (Rect{0, 0, 7, 2}));
  const Outcome outcome = cuimg({"trim", "-", "piped.exr"}, "a.png");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(read_image(folder_ / "piped.exr").spec().display_window, (Rect{2, 3, 4, 5}));
}

TEST_F(TrimCommand, DryRunSaysThatItCannotKnow) {
  const Outcome outcome = cuimg({"trim", "--dry-run", "a.png", "o.png"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "a.png -> o.png: trim (trim measures the picture first; only then are its result and "
            "size known)\n");
  EXPECT_TRUE(has(cuimg({"trim", "--dry-run", "--json", "a.png", "o.png"}).out,
                  R"("measures_first":["trim"])"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o.png"));
}

TEST_F(TrimCommand, SourcesAndSinksMayBeInItsChain) {
  ASSERT_EQ(cuimg({"constant", "--size", "9x9", "--color", "1", "+", "pad", "--left", "3", "+",
                   "trim", "o.exr"})
                .exit,
            0);
  EXPECT_EQ(read_image(folder_ / "o.exr").spec().display_window, (Rect{3, 0, 9, 9}));
  const Outcome outcome = cuimg({"trim", "+", "stats", "a.png"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  ASSERT_EQ(cuimg({"append", "--gap", "0", "+", "trim", "a.png", "b.png", "-o", "row.png"}).exit,
            0);
  EXPECT_EQ(read_image(folder_ / "row.png").spec().display_window, (Rect{0, 0, 18, 7}));
}

TEST_F(TrimCommand, ADamagedFileIsAnErrorAndLeavesNothing) {
  const std::string whole = read_file(folder_ / "a.png");
  folder_.write("bad.png", whole.substr(0, whole.size() / 2));
  const Outcome outcome = cuimg({"trim", "bad.png", "o.png"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o.png"));
}

}  // namespace
}  // namespace cuimg::test
