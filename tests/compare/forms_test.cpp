// SPDX-License-Identifier: Apache-2.0
// Sizes, windows, channels, types, encodings and parts that differ from the golden's.
#include "pictures.h"

namespace cuimg::test {
namespace {

bool has_reason(const Comparison& comparison, std::string_view code) {
  return std::any_of(comparison.reasons.begin(), comparison.reasons.end(),
                     [&](const Reason& reason) { return reason.code == code; });
}

TEST(Forms, OtherFormsAreAllowedByNameOnly) {
  const Image golden = flat(spec_of({0, 0, 8, 8}, PixelType::u8, 4), 1);
  const auto check = [&](const Image& result, std::string_view code, bool Limits::*allowance) {
    const Comparison found = compare(golden, result);
    EXPECT_EQ(found.verdict, Verdict::differs) << code;
    EXPECT_TRUE(has_reason(found, code)) << code;
    Limits limits;
    limits.*allowance = true;
    const Comparison allowed = compare(golden, result, limits);
    EXPECT_EQ(allowed.verdict, Verdict::same) << code;
    EXPECT_FALSE(allowed.allowed.empty()) << code;
  };
  check(flat(spec_of({0, 0, 8, 8}, PixelType::u8, 3), 1), "channels", &Limits::allow_channels);
  Spec wide = spec_of({0, 0, 8, 8}, PixelType::u16, 4);
  check(flat(wide, 1), "types", &Limits::allow_types);
  Spec moved = golden.spec();
  moved.data_window.x = moved.display_window.x = 3;
  check(flat(moved, 1), "windows", &Limits::allow_windows);
  Spec linear = golden.spec();
  linear.color.curve = Curve::linear;
  check(flat(linear, 1), "encoding", &Limits::allow_encoding);
  check(flat(spec_of({0, 0, 9, 8}, PixelType::u8, 4), 1), "size", &Limits::allow_size);
}

TEST(Forms, OutsideOfADataWindowThereIsBlack) {
  Spec cropped = spec_of({0, 0, 8, 8}, PixelType::f32, 3);
  cropped.data_window = {2, 2, 4, 4};
  Spec whole = cropped;
  whole.data_window = cropped.display_window;
  const auto square = [](int, int x, int y, int) {
    return x >= 2 && y >= 2 && x < 6 && y < 6 ? 0.5f : 0.0f;
  };
  Limits limits;
  limits.allow_windows = true;
  EXPECT_EQ(verdict(image_of(cropped, square), image_of(whole, square)), Verdict::differs);
  EXPECT_EQ(verdict(image_of(cropped, square), image_of(whole, square), limits), Verdict::same);
  EXPECT_EQ(verdict(image_of(cropped, square), flat(whole, 0.5f), limits), Verdict::differs);
}

TEST(Forms, AnotherSizeAllowsNoOtherWindows) {
  const auto picture = [](const Rect& data, const Rect& display) {
    Spec spec = spec_of(display, PixelType::f32, 3);
    spec.data_window = data;
    return image_of(spec, [](int, int x, int y, int) { return x < 8 && y < 8 ? 0.5f : 0.25f; });
  };
  const Image golden = picture({0, 0, 32, 32}, {0, 0, 32, 32});
  Limits limits;
  limits.allow_size = true;
  EXPECT_EQ(verdict(golden, picture({0, 0, 31, 32}, {0, 0, 31, 32}), limits), Verdict::same);
  const Image crop = picture({0, 0, 8, 8}, {0, 0, 31, 32});
  EXPECT_TRUE(has_reason(compare(golden, crop, limits), "windows"));
  EXPECT_TRUE(
      has_reason(compare(golden, flat(spec_of({10, 20, 31, 32}, PixelType::f32, 3), 0.25f), limits),
                 "windows"));
  // Both have the same part of the picture, or the same overscan.
  EXPECT_EQ(verdict(picture({0, 0, 8, 8}, {0, 0, 32, 32}), crop, limits), Verdict::same);
  EXPECT_EQ(verdict(picture({-1, -1, 34, 34}, {0, 0, 32, 32}),
                    picture({-1, -1, 33, 34}, {0, 0, 31, 32}), limits),
            Verdict::same);
  // If other windows are allowed too, the golden's pixels are compared with black.
  limits.allow_windows = true;
  const Comparison found = compare(golden, crop, limits);
  EXPECT_EQ(found.verdict, Verdict::differs);
  EXPECT_EQ(found.pixels, 31u * 32u);
  EXPECT_EQ(found.pixels_differing, 31u * 32u - 64u);
}

TEST(Forms, ATagOfAnotherCurveIsAnotherEncoding) {
  Spec spec = spec_of({0, 0, 8, 8}, PixelType::u8, 3);
  spec.color = {Curve::srgb, 1.0f, false, {}};
  const Image plain = flat(spec, 0.5f);
  const auto tagged = [&](const ColorTag& tag) {
    Spec with = spec;
    with.color.tag = tag;
    return flat(with, 0.5f);
  };
  Limits allowed;
  allowed.allow_encoding = true;
  Chromaticities other;
  other.rx = 0.7f;
  for (const ColorTag& tag : {ColorTag{CurveCode::rec709, 1.0f, {}},
                              {CurveCode::power, 2.2f, {}},
                              {CurveCode::srgb, 1.0f, other}}) {
    EXPECT_TRUE(has_reason(compare(plain, tagged(tag)), "encoding"));
    EXPECT_TRUE(has_reason(compare(tagged(tag), plain), "encoding"));
    EXPECT_EQ(verdict(plain, tagged(tag), allowed), Verdict::same);
    EXPECT_EQ(verdict(tagged(tag), tagged(tag)), Verdict::same);
  }
  EXPECT_TRUE(has_reason(
      compare(tagged({CurveCode::power, 2.2f, {}}), tagged({CurveCode::power, 2.4f, {}})),
      "encoding"));
  // The tag states the encoding that a picture without a tag has anyway.
  EXPECT_EQ(verdict(plain, tagged({CurveCode::srgb, 1.0f, {}})), Verdict::same);
}

TEST(Forms, PartsAreFoundByNameOrNumber) {
  const auto part = [](const char* name, float value) {
    Spec spec = spec_of({0, 0, 4, 4}, PixelType::half, 3);
    spec.part_name = name;
    return flat(spec, value);
  };
  const auto list = [](Image a, Image b) {
    std::vector<Image> parts;
    parts.push_back(std::move(a));
    parts.push_back(std::move(b));
    return parts;
  };
  const auto golden = list(part("left", 1), part("right", 2));
  EXPECT_EQ(compare(golden, list(part("left", 1), part("right", 2))).verdict, Verdict::same);
  EXPECT_EQ(compare(golden, list(part("right", 2), part("left", 1))).verdict, Verdict::same);
  EXPECT_EQ(compare(golden, list(part("left", 1), part("right", 3))).verdict, Verdict::differs);
  EXPECT_EQ(compare(golden, list(part("left", 1), part("right", 3)))
                .reasons.front()
                .text.find("part right: RGB: "),
            0u);
  EXPECT_EQ(compare(list(part("", 1), part("", 2)), list(part("", 1), part("", 3)))
                .reasons.front()
                .text.find("part 1: RGB: "),
            0u);
  std::vector<Image> one;
  one.push_back(part("left", 1));
  const Comparison missing = compare(golden, one);
  EXPECT_EQ(missing.verdict, Verdict::differs);
  EXPECT_TRUE(has_reason(missing, "parts"));
  Limits limits;
  limits.allow_parts = true;
  EXPECT_EQ(compare(golden, one, limits).verdict, Verdict::same);
}

TEST(Forms, EqualDataWindowsInOtherDisplayWindowsAreNamedWithThem) {
  const Image golden = flat(spec_of({0, 0, 8, 6}, PixelType::u8, 3), 1);
  Spec larger = golden.spec();
  larger.display_window = {0, 0, 9, 7};
  Limits limits;
  limits.allow_size = true;
  const Comparison found = compare(golden, flat(larger, 1), limits);
  ASSERT_EQ(found.reasons.size(), 1u);
  EXPECT_EQ(found.reasons[0].text,
            "data window is 8x6+0+0 in 9x7+0+0, golden has 8x6+0+0 in 8x6+0+0");
}

TEST(Forms, WindowsFarApartAreRefusedBeforeMemoryIsAllocated) {
  const Image golden = flat(spec_of({0, 0, 8, 6}, PixelType::u8, 3), 1);
  Spec far = golden.spec();
  far.data_window = {100'000, 100'000, 11, 11};
  Limits limits;
  limits.allow_windows = true;
  try {
    compare(golden, flat(far, 1), limits);
    ADD_FAILURE() << "no error";
  } catch (const NotComparable& error) {
    EXPECT_EQ(error.code(), "windows");
    EXPECT_STREQ(error.what(),
                 "--allow-windows: 8x6+0+0 and 11x11+100000+100000 together have 10002200121 "
                 "pixels, more than the limit of 1073741824: raise it with --limit-pixels");
  }
  CompareOptions options;
  options.limit_pixels = 14 * 6;
  far.data_window = {3, 0, 11, 6};
  EXPECT_EQ(compare(golden, flat(far, 1), limits, options).verdict, Verdict::differs);
  far.data_window = {4, 0, 11, 6};
  EXPECT_THROW(compare(golden, flat(far, 1), limits, options), NotComparable);
}

}  // namespace
}  // namespace cuimg::test
