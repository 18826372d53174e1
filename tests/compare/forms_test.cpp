// SPDX-License-Identifier: Apache-2.0
// Sizes, windows, channels, types, encodings and parts that are not the golden's.
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
  std::vector<Image> one;
  one.push_back(part("left", 1));
  const Comparison missing = compare(golden, one);
  EXPECT_EQ(missing.verdict, Verdict::differs);
  EXPECT_TRUE(has_reason(missing, "parts"));
  Limits limits;
  limits.allow_parts = true;
  EXPECT_EQ(compare(golden, one, limits).verdict, Verdict::same);
}

}  // namespace
}  // namespace cuimg::test
