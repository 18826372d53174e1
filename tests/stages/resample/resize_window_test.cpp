// SPDX-License-Identifier: Apache-2.0
// Data windows that differ from the display window: outside them pixels are zero, and where they
// reach the display window the border's rule applies.
#include <gtest/gtest.h>

#include <cstdint>

#include "base/error.h"
#include "pipeline/run/apply.h"
#include "stages/geometry/resize.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

Spec windowed(const Rect& data, const Rect& display, PixelType type = PixelType::f32,
              int channels = 3) {
  Spec spec = spec_of(data, type, channels);
  spec.display_window = display;
  return spec;
}

// The image in a larger data window, with zeros around it.
Image padded(const Image& image, const Rect& window) {
  Spec spec = image.spec();
  spec.data_window = window;
  Image result(spec);
  const Rect& r = image.spec().data_window;
  for (int y = window.y; y < window.bottom(); ++y) {
    std::memset(result.row(0, y), 0, result.row_bytes(0));
    if (y >= r.y && y < r.bottom())
      std::memcpy(result.row(0, y) +
                      static_cast<std::size_t>(r.x - window.x) * spec.layers[0].pixel_bytes(),
                  image.row(0, y), image.row_bytes(0));
  }
  return result;
}

float or_zero(const Image& image, int x, int y) {
  const Rect& r = image.spec().data_window;
  return r.contains({x, y, 1, 1}) ? value_at(image, x, y) : 0.0f;
}

// All filters except trilinear, which is a warp: warps read the display window.
std::vector<std::string> filters() {
  std::vector<std::string> names;
  for (const auto& choice : choices_of(ResizeFilter{}))
    if (choice.value != ResizeFilter::trilinear) names.emplace_back(choice.name);
  return names;
}

TEST(ResizeWindows, ReadsZeroWhereAPixelsCentreLiesOutsideTheDataWindow) {
  // Columns 1 and 2 of 10 are 0.5 to 1.5 of 5, outward 0 and 1.
  Spec spec;
  spec.display_window = {0, 0, 10, 10};
  spec.data_window = rect_from_edges(1, 1, 3, 3);
  spec.layers = {{"", {"id"}, PixelType::u32}};
  Image input(spec);
  for (int y = 1; y < 3; ++y)
    for (int x = 0; x < 2; ++x)
      reinterpret_cast<std::uint32_t*>(input.row(0, y))[x] = static_cast<std::uint32_t>(7 + x);
  Resize resize;
  resize.size = percent(50);
  const Image output = apply(input, {bind(*find_stage("resize"), resize)}, Queue::cpu(1));
  // The centres of pixels 0 and 1 are at 1 and 3: the first is inside, the second at the edge
  // outside.
  ASSERT_EQ(output.spec().data_window, rect_from_edges(0, 0, 2, 2));
  const auto* first = reinterpret_cast<const std::uint32_t*>(output.row(0, 0));
  const auto* second = reinterpret_cast<const std::uint32_t*>(output.row(0, 1));
  EXPECT_EQ(first[0], 7u);
  EXPECT_EQ(first[1], 0u);
  EXPECT_EQ(second[0], 0u);
  EXPECT_EQ(second[1], 0u);
}

TEST(ResizeWindows, ScaleOutward) {
  const auto data = [](const Rect& in, const char* size) {
    return plan_of(parse_chain(std::string("resize --size ") + size),
                   windowed(in, {0, 0, 100, 100}))
        .output()
        .data_window;
  };
  EXPECT_EQ(data({10, 20, 30, 40}, "50%"), (Rect{5, 10, 15, 20}));
  EXPECT_EQ(data({11, 21, 30, 40}, "50%"), (Rect{5, 10, 16, 21}));
  EXPECT_EQ(data({-7, -1, 200, 3}, "50%"), (Rect{-4, -1, 101, 2}));
  EXPECT_EQ(data({99, 99, 1, 1}, "10x10"), (Rect{9, 9, 1, 1}));
  EXPECT_EQ(data({10, 10, 5, 5}, "300%"), (Rect{30, 30, 15, 15}));
}

TEST(ResizeWindows, OutsideTheDataReadsZero) {
  // Inside of the display window and beyond it (overscan): the same as with stored zeros.
  const Rect displays[] = {{0, 0, 50, 40}, {-5, 3, 50, 40}, {10, 10, 20, 20}};
  const Rect datas[] = {{17, 12, 9, 8}, {1, 4, 31, 35}, {8, 9, 1, 1}, {11, 10, 3, 70}};
  for (const Rect& display : displays)
    for (const Rect& data : datas) {
      const Image image = noise(windowed(data, display));
      const Rect around =
          rect_from_edges(std::min(data.x, display.x) - 40, std::min(data.y, display.y) - 40,
                          std::max(data.right(), display.right()) + 40,
                          std::max(data.bottom(), display.bottom()) + 40);
      const Image all = padded(image, around);
      for (const std::string& filter : filters())
        for (const char* size : {"37%", "50%", "100%", "173%", "17x90", "3x2"})
          for (const char* more : {"", " --no-antialias"}) {
            const std::string words =
                "resize --border border --size " + std::string(size) + " --filter " + filter + more;
            const Image part = run_chain(words, image), whole = run_chain(words, all);
            const Rect& r = part.spec().data_window;
            for (int y = r.y; y < r.bottom(); ++y)
              for (int x = r.x; x < r.right(); ++x)
                ASSERT_EQ(value_at(part, x, y), or_zero(whole, x, y))
                    << words << " at " << x << "," << y << ", data " << data.x << "," << data.y
                    << ", display " << display.x << "," << display.y;
          }
    }
}

TEST(ResizeWindows, TheBorderRulesWhereTheDataMeetsTheDisplay) {
  // A constant in the left half: clamped on the left, fading on the right.
  const Image image = flat(windowed({0, 0, 8, 16}, {0, 0, 16, 16}), 1);
  for (const char* filter : {"linear", "triangle", "lanczos3", "bspline"})
    for (const char* border : {"clamp", "mirror"}) {
      const Image result = run_chain(
          std::string("resize --size 32x32 --filter ") + filter + " --border " + border, image);
      const std::string what = std::string(filter) + " " + border;
      for (int y = 0; y < 32; ++y) ASSERT_EQ(value_at(result, 0, y), 1.0f) << what;
      ASSERT_NE(value_at(result, 15, 3), 1.0f) << what;
      ASSERT_EQ(result.spec().data_window, (Rect{0, 0, 16, 32})) << what;
    }
}

TEST(ResizeWindows, TheBorderGoesOnWhereOverscanEnds) {
  const Image image = flat(windowed({-3, -2, 26, 20}, {0, 0, 20, 16}), 1);
  for (const std::string& filter : filters())
    for (const char* border : {"clamp", "mirror", "wrap"})
      for (const char* size : {"23%", "50%", "173%"}) {
        const std::string words =
            "resize --size " + std::string(size) + " --filter " + filter + " --border " + border;
        const Image result = run_chain(words, image);
        const Rect& r = result.spec().data_window;
        for (int y = r.y; y < r.bottom(); ++y)
          for (int x = r.x; x < r.right(); ++x)
            ASSERT_EQ(value_at(result, x, y), 1.0f) << words << " at " << x << "," << y;
      }
}

TEST(ResizeWindows, WrappingNeedsBothEdges) {
  Image image = flat(windowed({0, 0, 8, 4}, {0, 0, 8, 4}, PixelType::f32, 1), 0);
  for (int y = 0; y < 4; ++y) reinterpret_cast<float*>(image.row(0, y))[7] = 1;
  for (const char* filter : {"linear", "triangle"}) {
    const std::string words = std::string("resize --size 16x4 --border wrap --filter ") + filter;
    EXPECT_EQ(value_at(run_chain(words, image), 0, 1), 0.25f) << filter;
    Image part = image_of(windowed({1, 0, 7, 4}, {0, 0, 8, 4}, PixelType::f32, 1),
                          [](int, int x, int, int) { return x == 7 ? 1.0f : 0.0f; });
    EXPECT_EQ(value_at(run_chain(words, part), 15, 1), 0.75f) << filter;
  }
}

TEST(ResizeWindows, FormatsWithoutWindowsReceiveTheDisplayWindow) {
  const Image image = flat(windowed({4, 4, 4, 4}, {0, 0, 16, 16}), 1);
  const Image result = run_chain("resize --filter box", image, {.format = "png"});
  ASSERT_EQ(result.spec().data_window, (Rect{0, 0, 8, 8}));
  EXPECT_EQ(value_at<std::uint8_t>(result, 0, 0), 0);
  EXPECT_EQ(value_at<std::uint8_t>(result, 2, 2), 255);
  EXPECT_EQ(value_at<std::uint8_t>(result, 4, 2), 0);
}

TEST(ResizeWindows, FillCutsTheDataWindowToo) {
  const Image image = noise(windowed({-10, -10, 60, 40}, {0, 0, 40, 20}));
  const Image result = run_chain("resize --size 10x10 --fill", image);
  EXPECT_EQ(result.spec().data_window, (Rect{0, 0, 10, 10}));
  const Image corner = noise(windowed({0, 0, 3, 3}, {0, 0, 40, 20}));
  EXPECT_THROW(run_chain("resize --size 10x10 --fill --gravity east", corner), Error);
}

// @param whole the result of the step for the whole image.
void expect_alone_as_in_the_whole(const Operation& step, const Image& image, const Image& whole,
                                  const Rect& region) {
  const Rect& data = image.spec().data_window;
  const Rect& display = image.spec().display_window;
  const Rect needed = step.needed(region);
  ASSERT_TRUE(needed.empty() || image.spec().data_window.contains(needed));
  const int channels = image.spec().layers[0].channel_count();
  const Frame target = Frame::new_host({region, PixelType::f32, channels, Storage::host});
  // Exactly the required pixels, so that a sanitizer detects a read outside.
  const Frame source =
      Frame::new_host({needed, image.spec().layers[0].type, channels, Storage::host});
  for (int row = needed.y; row < needed.bottom() && needed.width > 0; ++row)
    std::memcpy(source.pixel(needed.x, row), Frame::over_image(image, 0).pixel(needed.x, row),
                static_cast<std::size_t>(needed.width) * source.format().pixel_bytes());
  step.run(Queue::cpu(1), 0, {&source, 1}, target);
  for (int row = region.y; row < region.bottom(); ++row)
    ASSERT_EQ(
        std::memcmp(target.pixel(region.x, row), Frame::over_image(whole, 0).pixel(region.x, row),
                    static_cast<std::size_t>(region.width) * target.format().pixel_bytes()),
        0)
        << row << ", data " << data.width << "x" << data.height << "+" << data.x << "+" << data.y
        << ", display " << display.width << "x" << display.height << "+" << display.x << "+"
        << display.y;
}

TEST(ResizeWindows, AnyRegionComesAloneAsInTheWhole) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 400; ++trial) {
    const auto number = [&](int low, int high) {
      return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
    };
    const Rect display = {number(-9, 9), number(-9, 9), number(1, 30), number(1, 30)};
    const Rect data = random() % 3 == 0
                          ? display
                          : Rect{number(-20, 20), number(-20, 20), number(1, 30), number(1, 30)};
    const std::vector<std::string> names = filters();
    const char* borders[] = {"clamp", "wrap", "mirror", "border"};
    const std::string words = "resize --raw --filter " + names[random() % names.size()] +
                              " --border " + borders[random() % 4] + " --size " +
                              std::to_string(number(1, 60)) + "x" + std::to_string(number(1, 60)) +
                              (random() % 3 == 0 ? " --no-antialias" : "") +
                              (random() % 4 == 0 ? " --clamp-ringing" : "");
    const Image image = noise(windowed(data, display, PixelType::f32, number(1, 4)));
    const Plan plan = plan_of(parse_chain(words), image.spec());
    const Image whole = run_plan(plan, image, {.whole = true});
    const Operation& step = *plan.steps.back().operation;
    const Rect window = step.output().data_window;
    const int x = number(window.x, window.right() - 1), y = number(window.y, window.bottom() - 1);
    const Rect region = {x, y, number(1, window.right() - x), number(1, window.bottom() - y)};
    SCOPED_TRACE(words);
    expect_alone_as_in_the_whole(step, image, whole, region);
    if (HasFatalFailure()) return;
  }
}

// Few output pixels, some of which are more than a texel beyond the data window.
TEST(ResizeWindows, EveryPixelComesAloneWhereLittleIsLeft) {
  for (const Rect& data : {Rect{17, 11, 1, 6}, Rect{-7, -9, 3, 2}, Rect{2, 3, 40, 1}})
    for (const char* border : {"clamp", "wrap", "mirror", "border"})
      for (const char* size : {"1x3", "16%", "5x1"}) {
        const std::string words = std::string("resize --raw --filter linear --no-antialias ") +
                                  "--border " + border + " --size " + size;
        SCOPED_TRACE(words);
        const Image image = noise(windowed(data, {-1, -4, 9, 20}, PixelType::half, 1));
        const Plan plan = plan_of(parse_chain(words), image.spec());
        const Image whole = run_plan(plan, image, {.whole = true});
        const Operation& step = *plan.steps.back().operation;
        const Rect& window = step.output().data_window;
        for (int y = window.y; y < window.bottom(); ++y)
          for (int x = window.x; x < window.right(); ++x) {
            expect_alone_as_in_the_whole(step, image, whole, {x, y, 1, 1});
            if (HasFatalFailure()) return;
          }
      }
}

}  // namespace
}  // namespace cuimg::test
