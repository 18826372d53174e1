// SPDX-License-Identifier: Apache-2.0
// Fixnan: every mode, at edges, in every float type, and when there is nothing to fix.
#include <cmath>
#include <limits>

#include "base/error.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

Image with_bad_pixel(PixelType type, int bad_x, int bad_y, float bad) {
  return image_of(spec_of({0, 0, 5, 4}, type, 4), [=](int, int x, int y, int c) {
    return x == bad_x && y == bad_y && c == 1 ? bad : static_cast<float>(x + 10 * y + c);
  });
}

TEST(FixNan, BlackPutsZeroWhereNoNumberIs) {
  for (const float bad : {NAN, inf, -inf})
    for (const PixelType type : {PixelType::f32, PixelType::half}) {
      const Image source = with_bad_pixel(type, 2, 1, bad);
      EXPECT_TRUE(same_pixels(run_chain("fixnan", source), with_bad_pixel(type, 2, 1, 0)));
    }
}

TEST(FixNan, Box3TakesTheMeanOfFiniteNeighbours) {
  for (const PixelType type : {PixelType::f32, PixelType::half}) {
    // In the middle the mean of the eight neighbours equals the slope's value there: 2 + 10 + 1.
    EXPECT_TRUE(same_pixels(run_chain("fixnan --mode box3", with_bad_pixel(type, 2, 1, NAN)),
                            with_bad_pixel(type, 2, 1, 13)));
    // A corner has three neighbours: 2, 11 and 12.
    EXPECT_TRUE(
        same_pixels(run_chain("fixnan --mode box3", with_bad_pixel(type, 0, 0, -inf)),
                    with_bad_pixel(type, 0, 0,
                                   type == PixelType::half ? half_to_float(float_to_half(25 / 3.0f))
                                                           : static_cast<float>(25.0 / 3))));
  }
}

TEST(FixNan, Box3LeavesOutNeighboursThatAreNoNumbersToo) {
  const Spec spec = spec_of({0, 0, 3, 3}, PixelType::f32, 1);
  const Image source = image_of(spec, [](int, int x, int y, int) {
    return x == 0 && y == 0 ? 8.0f : x == 2 && y == 2 ? 4.0f : y == 1 ? NAN : inf;
  });
  const Image made = run_chain("fixnan --mode box3", source);
  EXPECT_EQ(value_at(made, 1, 1), 6.0f);
  EXPECT_EQ(value_at(made, 0, 1), 8.0f);
  EXPECT_EQ(value_at(made, 2, 0), 0.0f);  // no neighbour is finite
  EXPECT_EQ(value_at(made, 0, 0), 8.0f);
}

TEST(FixNan, Box3OfTheLargestNumbersIsNoInfinity) {
  const float most = std::numeric_limits<float>::max();
  const Image source =
      image_of(spec_of({0, 0, 3, 3}, PixelType::f32, 1),
               [=](int, int x, int y, int) { return x == 1 && y == 1 ? NAN : most; });
  EXPECT_EQ(value_at(run_chain("fixnan --mode box3", source), 1, 1), most);
}

TEST(FixNan, ErrorNamesTheFirstPixel) {
  Image source = noise(spec_of({-3, 7, 200, 300}, PixelType::f32, 3));
  const auto set = [&](int x, int y, int c) {
    const float bad = NAN;
    std::memcpy(source.row(0, y) + (x + 3) * 12 + c * 4, &bad, 4);
  };
  EXPECT_TRUE(same_pixels(run_chain("fixnan --mode error", source, {.threads = 2}), source));
  set(0, 299, 0);
  set(17, 100, 2);
  set(150, 100, 1);
  try {
    run_chain("fixnan --mode error", source, {.threads = 2});
    FAIL() << "three NaN";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("pixel 17,100: its B is not finite"),
              std::string::npos)
        << error.what();
  }
}

// A card never makes such a layer, so the CPU must not check it either.
TEST(FixNan, RefusesNothingInALayerThatTheOutputDrops) {
  Spec spec = spec_of({0, 0, 40, 70}, PixelType::f32, 3);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  Image source = noise(spec);
  const float bad = NAN;
  std::memcpy(source.row(1, 3), &bad, 4);
  for (const char* words : {"fixnan --mode error", "fixnan --mode error + rotate90 + blur"}) {
    EXPECT_NO_THROW(run_chain(words, source, {.format = "png"})) << words;
    EXPECT_THROW(run_chain(words, source, {.format = "exr"}), Error) << words;
  }
}

TEST(FixNan, TouchesAlphaAndDepthAndNoIntegers) {
  Spec spec = spec_of({0, 0, 4, 4}, PixelType::half, 4);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  Image source = noise(spec);
  const float bad = inf;
  std::memcpy(source.row(1, 2) + 4, &bad, 4);
  const std::uint16_t nan = 0x7e01;
  std::memcpy(source.row(0, 1) + 6, &nan, 2);
  const std::uint32_t id = 0x7fc00000u;  // an id; as a float these bits would be NaN
  std::memcpy(source.row(2, 0), &id, 4);
  LayerSpec matte{"CryptoObject00", {"R", "G", "B", "A"}, PixelType::f32};
  matte.is_matte = true;
  spec.layers.push_back(matte);
  Image with_ids = noise(spec);
  for (int layer = 0; layer < 3; ++layer)
    for (int y = 0; y < 4; ++y)
      std::memcpy(with_ids.row(layer, y), source.row(layer, y), source.row_bytes(layer));
  std::memcpy(with_ids.row(3, 2), &id, 4);
  for (const char* words : {"fixnan", "fixnan --mode box3", "fixnan --mode black"}) {
    const Image made = run_chain(words, with_ids);
    EXPECT_EQ(std::memcmp(made.row(3, 2), with_ids.row(3, 2), with_ids.row_bytes(3)), 0) << words;
    EXPECT_TRUE(std::isfinite(value_at(made, 1, 2, 0, 1))) << words;
    EXPECT_EQ(std::memcmp(made.row(2, 0), source.row(2, 0), 16), 0) << words;
    EXPECT_NE(std::memcmp(made.row(0, 1) + 6, &nan, 2), 0) << words;
    EXPECT_EQ(std::memcmp(made.row(0, 1), source.row(0, 1), 6), 0) << words;
  }
  const Image png = noise(spec_of({0, 0, 9, 9}, PixelType::u8, 4));
  EXPECT_TRUE(same_pixels(run_chain("fixnan --mode error", png), png));
}

}  // namespace
}  // namespace cuimg::test
