// SPDX-License-Identifier: Apache-2.0
// Images: their windows, and memory that does not fit their spec.
#include "image/image.h"

#include <gtest/gtest.h>

#include <climits>
#include <utility>

#include "image/checksum.h"
#include "image/require_memory.h"
#include "support/images.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

std::string problem_of_windows(const Rect& data, const Rect& display) {
  Spec spec = spec_of(data, PixelType::u8, 1);
  spec.display_window = display;
  return error_of([&] { Image{spec}; });
}

TEST(Image, RefusesWindowsFarFromZero) {
  const Rect usual = {0, 0, 10, 10};
  for (const Rect& far : {Rect{0, INT_MIN, 10, 10}, Rect{INT_MAX - 2, 0, 10, 10},
                          Rect{-farthest_edge - 1, 0, 10, 10}, Rect{0, farthest_edge, 1, 1}}) {
    EXPECT_NE(problem_of_windows(far, usual).find("too far from 0"), std::string::npos);
    EXPECT_NE(problem_of_windows(usual, far).find("too far from 0"), std::string::npos);
  }
  EXPECT_EQ(problem_of_windows({-farthest_edge, farthest_edge - 10, 10, 10}, usual), "no error");
  EXPECT_NE(problem_of_windows(usual, {0, 0, -5, -5}).find("not a size"), std::string::npos);
}

TEST(Image, HasNoMemoryForALargerSpec) {
  Image image = flat(spec_of({0, 0, 8, 8}, PixelType::u8, 3), 0.5f);
  EXPECT_TRUE(image.has_memory());
  image.editable_spec().data_window.x = 5;
  EXPECT_TRUE(image.has_memory());
  image.editable_spec().data_window.width = 4000;
  EXPECT_FALSE(image.has_memory());
  EXPECT_NE(error_of([&] { copy_of(image); }), "no error");
  image.allocate();
  EXPECT_TRUE(image.has_memory());
  image.editable_spec().layers.front().type = PixelType::f32;
  EXPECT_FALSE(image.has_memory());
}

TEST(Image, IsEmptyOnceItWasMovedFrom) {
  Image image = flat(spec_of({0, 0, 8, 8}, PixelType::u8, 3), 0.5f);
  Image other = std::move(image);
  EXPECT_EQ(image.spec(), Spec());
  EXPECT_TRUE(other.has_memory());
  image = std::move(other);
  EXPECT_EQ(other.spec(), Spec());
  EXPECT_EQ(image.spec().data_window, (Rect{0, 0, 8, 8}));
}

TEST(Checksum, RefusesAnImageWithoutMemory) {
  const Image image = Image::without_memory(spec_of({0, 0, 8, 8}, PixelType::u8, 3));
  EXPECT_EQ(error_of([&] { pixel_checksum(image); }),
            "checksum: the image has no memory: call Image::allocate() first");
}

}  // namespace
}  // namespace cuimg::test
