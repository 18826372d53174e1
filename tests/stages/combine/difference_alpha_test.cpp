// SPDX-License-Identifier: Apache-2.0
// After absdiff, alpha does not cover anything: for later stages it is an ordinary value.
#include <gtest/gtest.h>

#include "io/codec.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

using Values = std::vector<float>;

Image pixel(const Values& values) {
  return image_of(spec_of({0, 0, 1, 1}, PixelType::f32, 4),
                  [&](int, int, int, int c) { return values[static_cast<std::size_t>(c)]; });
}

// The result of `words` for the difference of two pictures.
Image behind_difference(const std::string& words, const Image& first, const Image& second) {
  const TempDir folder;
  write_image(folder / "second.exr", second, *codec_named("exr"));
  return run_chain("absdiff --with " + (folder / "second.exr") + " + " + words, first);
}

TEST(DifferenceAlpha, IsNoCoverageOfColours) {
  const auto made = [](const std::string& words) {
    const Image image = behind_difference(words, pixel({0.5f, 0.375f, 0.25f, 0.75f}),
                                          pixel({0.125f, 0.125f, 0.125f, 1}));
    Values values;
    for (int c = 0; c < 4; ++c) values.push_back(value_at(image, 0, 0, c));
    return values;
  };
  EXPECT_EQ(made("clamp --max 0.3125"), (Values{0.3125f, 0.25f, 0.125f, 0.25f}));
  EXPECT_EQ(made("matrix --values 1,0,0,1,0,1,0,0,0,0,2,0"), (Values{1.375f, 0.25f, 0.25f, 0.25f}));
  EXPECT_EQ(made("invert"), (Values{0.625f, 0.75f, 0.875f, 0.25f}));
}

TEST(DifferenceAlpha, OfTwoOpaquePicturesHidesNothing) {
  const auto opaque = [](auto value) {
    return image_of(spec_of({0, 0, 3, 1}, PixelType::f32, 4),
                    [&](int, int x, int, int c) { return c == 3 ? 1.0f : value(x); });
  };
  const Image wide =
      behind_difference("normalize --high 2", opaque([](int x) { return static_cast<float>(x); }),
                        opaque([](int) { return 1.0f; }));
  for (int x = 0; x < 3; ++x) {
    for (int c = 0; c < 3; ++c) EXPECT_EQ(value_at(wide, x, 0, c), x == 1 ? 0 : 2);
    EXPECT_EQ(value_at(wide, x, 0, 3), 0);
  }
}

}  // namespace
}  // namespace cuimg::test
