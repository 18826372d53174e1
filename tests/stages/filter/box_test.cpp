// SPDX-License-Identifier: Apache-2.0
// Box: means compared with brute force, constants that are preserved, values that leave no trace,
// any radius.
#include <functional>
#include <limits>

#include "base/error.h"
#include "kernels/stencil/box_mean.h"
#include "stages/warp/border_sampler.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

// Values between 1/4 and 1, for which sums in double are exact in any order.
Image tame(const Rect& window, int channels) {
  std::mt19937 random(7);
  return image_of(spec_of(window, PixelType::f32, channels), [&](int, int, int, int) {
    return 0.25f + 0.75f * static_cast<float>(random() >> 8) * 0x1p-24f;
  });
}

// Values of every size and sign, whose sums depend on the order.
Image wild(const Rect& window, int channels) {
  std::mt19937 random(11);
  return image_of(spec_of(window, PixelType::f32, channels), [&](int, int, int, int) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    return is_finite(value) ? value : 1.0f;
  });
}

// The definition in kernels/stencil/window.h, one window at a time.
double sum_of(const std::function<float(int)>& value, int begin, int width) {
  const auto add = [&](double sum, int i) { return sum + static_cast<double>(value(i)); };
  double left = -0.0, middle = -0.0, right = -0.0;
  const int end = begin + width;
  if (width <= 15) {
    for (int i = begin; i < end; ++i) left = add(left, i);
    return left;
  }
  const auto first_cut = static_cast<int>(std::floor(begin / 16.0)) * 16 + 16;
  const auto last_cut = static_cast<int>(std::floor((end - 1) / 16.0)) * 16;
  for (int i = first_cut - 1; i >= begin; --i) left = add(left, i);
  for (int i = last_cut; i < end; ++i) right = add(right, i);
  for (int cut = first_cut; cut < last_cut; cut += 16) {
    double total = -0.0;
    for (int i = cut; i < cut + 16; ++i) total = add(total, i);
    middle += total;
  }
  return left + middle + right;
}

Image brute_force(const Image& image, int rx, int ry, Border border) {
  const Spec& spec = image.spec();
  const BorderSampler borders(spec, border);
  const auto mean = [](int at, int radius, const std::function<float(int)>& value) {
    const int width = 2 * radius + 1;
    return canonical_nan(static_cast<float>(sum_of(value, at - radius, width) * (1.0 / width)));
  };
  const Image means = image_of(spec, [&](int, int x, int y, int c) {
    return mean(y, ry, [&](int i) {
      const int row = borders.rows(i);
      return row == BorderAxis::nothing ? 0 : value_at(image, x, row, c);
    });
  });
  return image_of(spec, [&](int, int x, int y, int c) {
    return mean(x, rx, [&](int i) {
      const int column = borders.columns(i);
      return column == BorderAxis::nothing ? 0 : value_at(means, column, y, c);
    });
  });
}

std::string words(int rx, int ry, std::string_view border) {
  return "box --radius " + std::to_string(rx) + "," + std::to_string(ry) + " --border " +
         std::string(border);
}

TEST(Box, IsTheMeanOfTheWindowInTheOrderThatIsDefined) {
  for (const int channels : {1, 2, 3, 4})
    for (const auto& [rx, ry] :
         {std::pair{1, 1}, {0, 3}, {7, 0}, {8, 7}, {3, 8}, {9, 24}, {40, 31}, {100, 77}})
      for (const Choice<Border>& border : choices_of(Border{})) {
        const Rect window = {-21, 13, 37, 41};
        const std::string chain = words(rx, ry, border.name);
        const Image a = tame(window, channels), b = wild(window, channels);
        ASSERT_TRUE(same_pixels(run_chain(chain, a), brute_force(a, rx, ry, border.value)))
            << chain << ", " << channels << " channels";
        ASSERT_TRUE(same_pixels(run_chain(chain, b), brute_force(b, rx, ry, border.value)))
            << chain << ", " << channels << " channels, wild";
      }
}

TEST(Box, KeepsAConstantConstantToTheLastBit) {
  for (const float value : {0.1f, 1.0f / 3, -0.0f, 0x1.fffffep127f, 0x1p-149f, 12345.678f})
    for (const int radius : {1, 5, 50, 300, 5000}) {
      const Image source = flat(spec_of({3, -2, 23, 19}, PixelType::f32, 4), value);
      EXPECT_TRUE(same_pixels(run_chain("box --radius " + std::to_string(radius), source), source))
          << value << ", radius " << radius;
    }
}

TEST(Box, ForgetsWhatHasLeftTheWindow) {
  const Rect window = {0, 0, 120, 90};
  for (const float bad : {infinity, -infinity, nan}) {
    const Image source = image_of(spec_of(window, PixelType::f32, 1), [&](int, int x, int y, int) {
      return x == 60 && y == 45 ? bad : 0.5f;
    });
    const Image result = run_chain("box --radius 10,20", source);
    for (int y = 0; y < 90; ++y)
      for (int x = 0; x < 120; ++x) {
        const bool reached = std::abs(x - 60) <= 10 && std::abs(y - 45) <= 20;
        const float expected = reached ? canonical_nan(bad) : 0.5f;
        ASSERT_EQ(bits_of(value_at(result, x, y)), bits_of(expected)) << x << "," << y;
      }
  }
}

TEST(Box, OfOppositeInfinitiesIsTheCanonicalNaN) {
  const Image source =
      image_of(spec_of({0, 0, 40, 1}, PixelType::f32, 1), [&](int, int x, int, int) {
        return x == 10 ? infinity : x == 20 ? -infinity : 0;
      });
  const Image result = run_chain("box --radius 12,0", source);
  EXPECT_EQ(bits_of(value_at(result, 15, 0)), canonical_nan_bits);
  EXPECT_EQ(value_at(result, 25, 0), -infinity);
  EXPECT_EQ(value_at(result, 33, 0), 0);
}

// Windows over more than 500 pixels use totals of totals.
TEST(Box, IsTheSameInAnyPieceOfAVeryWideWindow) {
  const Rect window = {-700, 0, 1500, 3};
  const Image source = wild(window, 1);
  for (const int radius : {263, 264, 265, 700, 4500}) {
    const Image whole = run_chain(words(radius, 0, "mirror"), source);
    const Image turned = image_of(spec_of({0, -700, 3, 1500}, PixelType::f32, 1),
                                  [&](int, int x, int y, int) { return value_at(source, y, x); });
    const Image down = run_chain(words(0, radius, "mirror"), turned);
    for (int y = 0; y < 3; ++y)
      for (int x = window.x; x < window.right(); ++x)
        ASSERT_EQ(bits_of(value_at(whole, x, y)), bits_of(value_at(down, y, x)))
            << radius << " at " << x;
    const Plan plan = plan_of(parse_chain(words(0, radius, "mirror")), turned.spec());
    const Operation& box = *plan.steps.front().operation;
    const Rect part = {0, -213, 3, 77};
    const Frame made = Frame::new_host({part, PixelType::f32, 1, Storage::host});
    const Frame all = Frame::over_image(turned, 0).cropped(box.needed(part));
    box.run(Queue::cpu(1), 0, std::vector<Frame>{all}, made);
    for (int y = part.y; y < part.bottom(); ++y)
      for (int x = 0; x < 3; ++x)
        ASSERT_EQ(bits_of(*made.pixel_as<float>(x, y)), bits_of(value_at(down, x, y)))
            << radius << " at " << y;
  }
}

TEST(Box, MixesLightWithPremultipliedAlpha) {
  // Half of the pixels are white and opaque, the others transparent with hidden red.
  const Image source =
      image_of(spec_of({0, 0, 30, 30}, PixelType::u8, 4), [](int, int x, int, int c) {
        return x < 15 ? 1.0f : c == 0 ? 1.0f : 0.0f;
      });
  const Image result = run_chain("box --radius 2", source, {.format = "png"});
  const std::byte* edge = result.row(0, 10) + 4 * 15;
  EXPECT_EQ(std::to_integer<int>(edge[0]), 255);
  EXPECT_EQ(std::to_integer<int>(edge[1]), 255);
  EXPECT_EQ(std::to_integer<int>(edge[3]), 102);  // 2 of 5 columns
}

// A data window inside the display window counts as the picture with zeros around it, and grows.
TEST(Box, SpreadsIntoTheDisplayWindow) {
  const Rect display = {0, 0, 60, 50}, data = {20, 11, 17, 23};
  for (const char* chain : {"box --radius 3", "box --radius 12,9", "box --radius 40,30"}) {
    Spec spec = spec_of(data, PixelType::f32, 3);
    spec.display_window = display;
    const Image small = noise(spec);
    const Image large =
        image_of(spec_of(display, PixelType::f32, 3), [&](int, int x, int y, int c) {
          return data.contains({x, y, 1, 1}) ? value_at(small, x, y, c) : 0.0f;
        });
    const Image from_small = run_chain(chain, small), from_large = run_chain(chain, large);
    const Rect& grown = from_small.spec().data_window;
    for (int y = 0; y < 50; ++y)
      for (int x = 0; x < 60; ++x)
        for (int c = 0; c < 3; ++c)
          ASSERT_EQ(grown.contains({x, y, 1, 1}) ? value_at(from_small, x, y, c) : 0.0f,
                    value_at(from_large, x, y, c))
              << chain << " at " << x << "," << y;
  }
}

TEST(Box, LeavesIdsAndRefusesInvalidRadii) {
  Spec spec = spec_of({0, 0, 9, 9}, PixelType::half, 3);
  spec.layers.push_back({"mask", {"id"}, PixelType::u32});
  const Image source = noise(spec);
  const Image result = run_chain("box --radius 3", source);
  for (int y = 0; y < 9; ++y)
    EXPECT_EQ(std::memcmp(source.row(1, y), result.row(1, y), source.row_bytes(1)), 0);
  for (const char* bad : {"-1", "1.5", "1,2,3", "32769", ""})
    EXPECT_THROW(parse_chain(std::string("box --radius '") + bad + "'"), Error) << bad;
}

}  // namespace
}  // namespace cuimg::test
