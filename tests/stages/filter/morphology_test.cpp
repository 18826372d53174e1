// SPDX-License-Identifier: Apache-2.0
// Erode, dilate, open and close: brute force over every type and shape, and the laws of morphology.
#include <functional>
#include <limits>

#include "base/error.h"
#include "kernels/stencil/window_extremum.h"
#include "pipeline/difference.h"
#include "stages/filter/morphology/morphology.h"
#include "support/images.h"
#include "support/process.h"
#include "support/random_stage.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

// Random bits, including NaN with payloads, Inf, denormals and both zeros.
Image any_bits(const Rect& window, PixelType type, int channels, unsigned seed = 1) {
  Draw draw(seed);
  Image image(spec_of(window, type, channels));
  image.editable_spec().color = {};
  for (int y = window.y; y < window.bottom(); ++y) {
    std::byte* row = image.row(0, y);
    for (std::size_t i = 0; i < image.row_bytes(0); ++i)
      row[i] = static_cast<std::byte>(draw.bits());
    if (type != PixelType::f32) continue;
    for (int i = 0; i < window.width * channels; ++i)
      if (draw.one_in(4)) {
        const float special[] = {0.0f, -0.0f, std::numeric_limits<float>::infinity(),
                                 std::numeric_limits<float>::quiet_NaN()};
        std::memcpy(row + 4 * i, &special[draw.number(0, 3)], 4);
      }
  }
  return image;
}

bool in_element(Element shape, int rx, int ry, int dx, int dy) {
  if (std::abs(dx) > rx || std::abs(dy) > ry) return false;
  if (shape == Element::box) return true;
  const auto square = [](std::int64_t v) { return v * v; };
  return square(dx) * square(ry) + square(dy) * square(rx) <= square(rx) * square(ry);
}

// One pixel at a time, by comparisons in the order that is defined for values.
template <class T>
Image brute_force(const Image& image, Element shape, int rx, int ry, bool greatest) {
  const Rect r = image.spec().data_window;
  const int channels = image.spec().layers[0].channel_count();
  Image result(image.spec());
  for (int y = r.y; y < r.bottom(); ++y)
    for (int x = r.x; x < r.right(); ++x)
      for (int c = 0; c < channels; ++c) {
        T best = Order<T>::nan();
        bool found = false;
        for (int dy = -ry; dy <= ry; ++dy)
          for (int dx = -rx; dx <= rx; ++dx) {
            if (!in_element(shape, rx, ry, dx, dy) || !r.contains({x + dx, y + dy, 1, 1})) continue;
            const T value = value_at<T>(image, x + dx, y + dy, c);
            if (Order<T>::is_nan(value)) continue;
            const bool better = greatest ? Order<T>::key(value) > Order<T>::key(best)
                                         : Order<T>::key(value) < Order<T>::key(best);
            if (!found || better) best = value;
            found = true;
          }
        std::memcpy(
            result.row(0, y) + static_cast<std::size_t>((x - r.x) * channels + c) * sizeof(T),
            &best, sizeof best);
      }
  return result;
}

Image brute_force(PixelType type, const Image& image, Element shape, int rx, int ry,
                  bool greatest) {
  switch (type) {
    case PixelType::u8:
      return brute_force<std::uint8_t>(image, shape, rx, ry, greatest);
    case PixelType::u16:
      return brute_force<std::uint16_t>(image, shape, rx, ry, greatest);
    case PixelType::half:
      return brute_force<Half>(image, shape, rx, ry, greatest);
    default:
      return brute_force<float>(image, shape, rx, ry, greatest);
  }
}

constexpr PixelType types[] = {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32};

TEST(Morphology, IsTheExtremeOfTheElementByBruteForce) {
  int number = 0;
  for (const PixelType type : types)
    for (const Choice<Element>& shape : choices_of(Element{}))
      for (const auto& [rx, ry] : {std::pair{1, 1}, {0, 2}, {3, 0}, {8, 5}, {4, 9}, {50, 40}})
        for (const bool greatest : {false, true}) {
          ++number;
          const Image source =
              any_bits({-7, 5, 29, 23}, type, 1 + number % 4, static_cast<unsigned>(number));
          const std::string words = std::string(greatest ? "dilate" : "erode") + " --radius " +
                                    std::to_string(rx) + "," + std::to_string(ry) + " --shape " +
                                    std::string(shape.name) + " --raw";
          ASSERT_TRUE(same_pixels(run_chain(words, source),
                                  brute_force(type, source, shape.value, rx, ry, greatest)))
              << words << " of " << describe_pixels(source.spec());
        }
}

TEST(Morphology, OrdersMinusZeroBelowZeroAndIgnoresNaN) {
  const float nan = std::bit_cast<float>(0xffc12345u);
  const auto row = [&](const std::vector<float>& values, const std::string& words) {
    const Image source =
        image_of(spec_of({0, 0, static_cast<int>(values.size()), 1}, PixelType::f32, 1),
                 [&](int, int x, int, int) { return values[static_cast<std::size_t>(x)]; });
    std::vector<std::uint32_t> bits;
    const Image result = run_chain(words, source);
    for (int x = 0; x < static_cast<int>(values.size()); ++x)
      bits.push_back(bits_of(value_at(result, x, 0)));
    return bits;
  };
  EXPECT_EQ(row({0.0f, -0.0f}, "erode"), (std::vector<std::uint32_t>{0x80000000, 0x80000000}));
  EXPECT_EQ(row({0.0f, -0.0f}, "dilate"), (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(row({nan, nan, nan, 1}, "erode"),
            (std::vector<std::uint32_t>{0x7fc00000, 0x7fc00000, 0x3f800000, 0x3f800000}));
  EXPECT_EQ(row({nan, nan, nan, 1}, "close"),
            (std::vector<std::uint32_t>{0x7fc00000, 0x3f800000, 0x3f800000, 0x3f800000}));
}

TEST(Morphology, OpeningAndClosingTwiceIsOnce) {
  for (const char* stage : {"open", "close"})
    for (const char* shape : {"box", "disk"})
      for (const char* radius : {"1", "4", "9,2", "30"}) {
        const std::string words = std::string(stage) + " --radius " + radius + " --shape " + shape;
        const Image source = noise(spec_of({0, 0, 57, 43}, PixelType::u8, 3));
        const Image once = run_chain(words, source);
        EXPECT_TRUE(same_pixels(run_chain(words, once), once)) << words;
        EXPECT_FALSE(same_pixels(once, source)) << words;
      }
}

TEST(Morphology, OpeningLowersAndClosingRaises) {
  const Image source = noise(spec_of({0, 0, 50, 40}, PixelType::f32, 1));
  const Image opened = run_chain("open --radius 2 --shape disk", source);
  const Image closed = run_chain("close --radius 2 --shape disk", source);
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 50; ++x) {
      ASSERT_LE(value_at(opened, x, y), value_at(source, x, y));
      ASSERT_GE(value_at(closed, x, y), value_at(source, x, y));
    }
}

TEST(Morphology, ErodingIsDilatingTheNegative) {
  const Image source = noise(spec_of({0, 0, 50, 40}, PixelType::u8, 3));
  const auto negative = [](const Image& image) {
    Image result(image.spec());
    for (int y = 0; y < 40; ++y)
      for (std::size_t i = 0; i < image.row_bytes(0); ++i)
        result.row(0, y)[i] = ~image.row(0, y)[i];
    return result;
  };
  for (const std::string options : {" --radius 3", " --radius 6,2 --shape disk"}) {
    EXPECT_TRUE(same_pixels(negative(run_chain("erode" + options, source)),
                            run_chain("dilate" + options, negative(source))));
    EXPECT_TRUE(same_pixels(negative(run_chain("open" + options, source)),
                            run_chain("close" + options, negative(source))));
  }
}

// scipy.ndimage.grey_dilation(a, footprint=...), scikit-image's disk(2) as the footprint.
TEST(Morphology, AgreesWithTheWellKnownDisk) {
  const Image dot = image_of(spec_of({0, 0, 7, 7}, PixelType::u8, 1),
                             [](int, int x, int y, int) { return x == 3 && y == 3 ? 1.0f : 0.0f; });
  const Image made = run_chain("dilate --radius 2 --shape disk", dot);
  std::string picture;
  for (int y = 0; y < 7; ++y) {
    for (int x = 0; x < 7; ++x)
      picture += std::to_integer<int>(made.row(0, y)[x]) == 255 ? '#' : '.';
    picture += '\n';
  }
  EXPECT_EQ(picture,
            ".......\n"
            "...#...\n"
            "..###..\n"
            ".#####.\n"
            "..###..\n"
            "...#...\n"
            ".......\n");
}

TEST(Morphology, KeepsTheTypeAndHidesTransparentColours) {
  const Rect window = {0, 0, 9, 9};
  const auto hidden = [](int, int x, int, int c) {
    // Transparent pixels with bright red.
    return x < 4 ? (c == 3 ? 1.0f : 0.2f) : c == 0 ? 1.0f : 0.0f;
  };
  const Image straight = image_of(spec_of(window, PixelType::u8, 4), hidden);
  const Image grown = run_chain("dilate --radius 1", straight, {.format = "png"});
  const std::byte* pixel = grown.row(0, 4) + 4 * 4;
  EXPECT_EQ(std::to_integer<int>(pixel[0]), 51);
  EXPECT_EQ(std::to_integer<int>(pixel[3]), 255);
  EXPECT_EQ(run_chain("dilate", noise(spec_of(window, PixelType::u8, 3))).spec().layers[0].type,
            PixelType::u8);
  EXPECT_EQ(run_chain("dilate", noise(spec_of(window, PixelType::half, 4))).spec().layers[0].type,
            PixelType::half);
}

// A data window inside the display window counts as the picture with zeros around it.
TEST(Morphology, SpreadsIntoTheDisplayWindow) {
  const Rect display = {0, 0, 60, 50}, data = {4, 11, 17, 23};
  for (const std::string stage : {"erode", "dilate", "open", "close"})
    for (const char* options : {" --radius 3", " --radius 7,5 --shape disk", " --radius 40,30"}) {
      Spec spec = spec_of(data, PixelType::f32, 2);
      spec.display_window = display;
      std::mt19937 random(5);
      const Image small = image_of(spec, [&](int, int, int, int) {
        return static_cast<float>(random() >> 8) * 0x1p-23f - 1;
      });
      const Image large =
          image_of(spec_of(display, PixelType::f32, 2), [&](int, int x, int y, int c) {
            return data.contains({x, y, 1, 1}) ? value_at(small, x, y, c) : 0.0f;
          });
      const Image from_small = run_chain(stage + options, small);
      const Image from_large = run_chain(stage + options, large);
      const Rect& grown = from_small.spec().data_window;
      for (int y = 0; y < 50; ++y)
        for (int x = 0; x < 60; ++x)
          for (int c = 0; c < 2; ++c)
            ASSERT_EQ(grown.contains({x, y, 1, 1}) ? value_at(from_small, x, y, c) : 0.0f,
                      value_at(from_large, x, y, c))
                << stage << options << " at " << x << "," << y;
    }
}

// A PNG shows the display window, so most of its bands need no rows of this stage.
TEST(Morphology, OpensAPictureThatLiesAboveItsDisplayWindow) {
  TempDir folder;
  Image image = any_bits({8, -13, 37, 4}, PixelType::half, 2, 334);
  image.editable_spec().display_window = {2, 0, 17, 169};
  write_image(folder / "in.exr", image, *codec_named("exr"));
  const auto made = [&](const std::string& threads) {
    const Outcome outcome = run({CUIMG_PROGRAM, "open", "--radius", "1,9", "--raw", "--threads",
                                 threads, folder / "in.exr", folder / "out.png"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return read_image(folder / "out.png");
  };
  const Image one = made("1");
  EXPECT_EQ(one.spec().data_window.height, 169);
  EXPECT_EQ(difference(made("2"), one), std::nullopt);
}

}  // namespace
}  // namespace cuimg::test
