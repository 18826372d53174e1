// SPDX-License-Identifier: Apache-2.0
// Promises of resize: constants are preserved, edges stay opaque, light is mixed linearly,
// geometry, and exactly the texture unit's results where it is used.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "kernels/texture/texture_unit.h"
#include "stages/geometry/resize.h"
#include "stages/resample/resample_table.h"
#include "support/images.h"
#include "support/used_instruction_set.h"

namespace cuimg::test {
namespace {

std::vector<std::string> filters() {
  std::vector<std::string> names;
  for (const auto& choice : choices_of(ResizeFilter{})) names.emplace_back(choice.name);
  return names;
}

constexpr const char* sizes[] = {"37%", "50%", "100%", "173%", "400%", "1x1", "29x3", "5x31"};

TEST(Resize, KeepsAConstantConstantToTheLastBit) {
  for (const std::string& filter : filters())
    for (const char* border : {"clamp", "wrap", "mirror"})
      for (const char* size : sizes)
        for (const float value : {1.0f, 0.25f}) {
          const std::string words = "resize --size " + std::string(size) + " --filter " + filter +
                                    " --border " + border + " --raw";
          const Image result =
              run_chain(words, flat(spec_of({0, 0, 13, 7}, PixelType::f32, 3), value));
          const Image expected = flat(result.spec(), value);
          ASSERT_TRUE(same_pixels(result, expected)) << words << " of " << value;
        }
}

TEST(Resize, ClampedRingingKeepsAnyConstant) {
  for (const std::string& filter : filters()) {
    const Image image = flat(spec_of({0, 0, 9, 8}, PixelType::f32, 1), 0.7f);
    const Image result = run_chain("resize --size 61% --clamp-ringing --filter " + filter, image);
    ASSERT_TRUE(same_pixels(result, flat(result.spec(), 0.7f))) << filter;
  }
}

TEST(Resize, OfStoredRowsHasTheBytesOfConversionsBeforeAndAfter) {
  struct Stored {
    PixelType type;
    int channels;
    const char* format;
  };
  for (const Stored& stored : {Stored{PixelType::u8, 3, "png"}, Stored{PixelType::u8, 4, "png"},
                               Stored{PixelType::u8, 1, "png"}, Stored{PixelType::u16, 3, "png"},
                               Stored{PixelType::u8, 3, "jpeg"}, Stored{PixelType::half, 3, "exr"}})
    for (const char* options :
         {"--size 50%", "--size 61%", "--size 150%", "--size 25%x100%", "--size 100%x50%",
          "--size 9% --clamp-ringing", "--size 50% --border mirror", "--size 50% --border wrap",
          "--size 50% --border black", "--size 50% --raw", "--size 50% + resize --size 70%",
          "--size 50% + crop --region 90x40+3+5"}) {
      const Image image = noise(spec_of({2, -3, 301, 173}, stored.type, stored.channels));
      const std::string words = std::string("resize ") + options;
      const ChainOptions apart = {.format = stored.format, .whole = true};
      const Image expected = run_chain(words, image, apart);
      for (const InstructionSet set : usable_instruction_sets()) {
        const UsedInstructionSet used(set);
        ASSERT_TRUE(
            same_pixels(run_chain(words, image, {.threads = 2, .format = stored.format}), expected))
            << words << ", " << name_of(stored.type) << ", " << name_of(set);
      }
    }
}

TEST(Resize, OpaqueStaysOpaqueToTheEdge) {
  Spec spec = spec_of({0, 0, 11, 9}, PixelType::u8, 4);
  std::mt19937 random(5);
  const Image image = image_of(spec, [&](int, int, int, int c) {
    return c == 3 ? 1.0f : static_cast<float>(random() % 256) / 255.0f;
  });
  for (const std::string& filter : filters())
    for (const char* size : sizes) {
      const Image result =
          run_chain("resize --filter " + filter + " --size " + size, image, {.format = "png"});
      const Rect& r = result.spec().data_window;
      for (int y = r.y; y < r.bottom(); ++y)
        for (int x = r.x; x < r.right(); ++x)
          ASSERT_EQ(value_at<std::uint8_t>(result, x, y, 3), 255) << filter << " " << size;
    }
}

TEST(Resize, TheBorderColourIsBlackAndTransparent) {
  const Image image = flat(spec_of({0, 0, 8, 8}, PixelType::f32, 4), 1);
  for (const char* filter : {"linear", "triangle"}) {
    const Image result =
        run_chain(std::string("resize --size 16x16 --border border --filter ") + filter, image);
    EXPECT_EQ(value_at(result, 0, 0, 3), 0.5625f) << filter;
    EXPECT_EQ(value_at(result, 8, 0, 3), 0.75f) << filter;
    EXPECT_EQ(value_at(result, 8, 8, 3), 1.0f) << filter;
  }
}

TEST(Resize, MixesLightRatherThanCodes) {
  const Image image = image_of(spec_of({0, 0, 2, 1}, PixelType::u8, 3),
                               [](int, int x, int, int) { return static_cast<float>(x); });
  for (const char* filter : {"box", "triangle", "lanczos3", "linear"}) {
    const std::string words = std::string("resize --size 1x1 --filter ") + filter;
    EXPECT_EQ(value_at<std::uint8_t>(run_chain(words, image, {.format = "png"}), 0, 0), 188)
        << filter;
    EXPECT_EQ(value_at<std::uint8_t>(run_chain(words + " --raw", image, {.format = "png"}), 0, 0),
              128)
        << filter;
  }
}

TEST(Resize, RawAveragesCodes) {
  const Image image = image_of(spec_of({0, 0, 2, 1}, PixelType::u8, 1), [](int, int x, int, int) {
    return static_cast<float>(10 + 10 * x) / 255.0f;
  });
  EXPECT_EQ(value_at<std::uint8_t>(
                run_chain("resize --size 1x1 --filter box --raw", image, {.format = "png"}), 0, 0),
            15);
}

TEST(Resize, ATransparentNeighbourLeavesNoFringe) {
  // Straight alpha: transparent red next to opaque green.
  const Image image = image_of(spec_of({0, 0, 2, 1}, PixelType::u8, 4), [](int, int x, int, int c) {
    return x == 0 ? (c == 0 ? 1.0f : 0.0f) : (c == 1 || c == 3 ? 1.0f : 0.0f);
  });
  const Image result = run_chain("resize --size 1x1 --filter box", image, {.format = "png"});
  EXPECT_EQ(value_at<std::uint8_t>(result, 0, 0, 0), 0);
  EXPECT_EQ(value_at<std::uint8_t>(result, 0, 0, 1), 255);
  EXPECT_EQ(value_at<std::uint8_t>(result, 0, 0, 2), 0);
  EXPECT_EQ(value_at<std::uint8_t>(result, 0, 0, 3), 128);
}

TEST(Resize, ClampRingingStaysWithinTheRange) {
  // A highlight of 100 in a picture of values below 1.
  Image image = noise(spec_of({0, 0, 31, 17}, PixelType::f32, 3));
  for (int c = 0; c < 3; ++c) reinterpret_cast<float*>(image.row(0, 8))[15 * 3 + c] = 100;
  for (const std::string& filter : filters())
    for (const char* size : {"50%", "173%", "400%"}) {
      const std::string words = "resize --filter " + filter + " --size " + size;
      const Image result = run_chain(words + " --clamp-ringing", image);
      const Rect& r = result.spec().data_window;
      for (int y = r.y; y < r.bottom(); ++y)
        for (int x = r.x; x < r.right(); ++x)
          ASSERT_TRUE(value_at(result, x, y) >= 0 && value_at(result, x, y) <= 100) << words;
    }
  const Image ringing = run_chain("resize --filter lanczos3 --size 400%", image);
  float least = 0;
  for (int x = 0; x < ringing.spec().data_window.width; ++x)
    least = std::min(least, value_at(ringing, x, 34));
  EXPECT_LT(least, -1) << "without it a highlight rings";
}

// When shrinking, only for integer ratios: at others a wider triangle weighs positions unevenly.
TEST(Resize, TriangleKeepsALinearRampInside) {
  const Image ramp = image_of(spec_of({0, 0, 64, 3}, PixelType::f32, 1),
                              [](int, int x, int, int) { return static_cast<float>(x); });
  const struct {
    int width, margin;
    double tolerance;
  } cases[] = {{128, 2, 0}, {256, 4, 0}, {32, 2, 0}, {16, 2, 0}, {97, 4, 1e-5}};
  for (const auto& [width, margin, tolerance] : cases) {
    const Image result =
        run_chain("resize --filter triangle --size " + std::to_string(width) + "x3", ramp);
    for (int x = margin; x < width - margin; ++x)
      ASSERT_NEAR(value_at(result, x, 1), (x + 0.5) * 64 / width - 0.5, tolerance) << width;
  }
}

TEST(Resize, ChangesNothingAtFullSize) {
  const Image image = noise(spec_of({3, -4, 19, 23}, PixelType::f32, 4));
  for (const std::string& filter : filters()) {
    if (filter == "mitchell" || filter == "bspline" || filter == "gaussian" ||
        filter == "blackman-harris")
      continue;
    EXPECT_TRUE(same_pixels(run_chain("resize --size 100% --filter " + filter, image), image))
        << filter;
  }
}

TEST(Resize, DepthTakesTriangleAndIdsStayIds) {
  Spec spec = spec_of({0, 0, 40, 30}, PixelType::half, 4);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  const Image image = noise(spec);
  std::set<std::uint32_t> ids;
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) ids.insert(value_at<std::uint32_t>(image, x, y, 0, 2));
  for (const char* size : {"47%", "160%"}) {
    const std::string words = std::string("resize --size ") + size + " --filter ";
    const Image lanczos = run_chain(words + "lanczos3", image);
    const Image triangle = run_chain(words + "triangle", image);
    const Image point = run_chain(words + "point", image);
    const Rect& r = lanczos.spec().data_window;
    bool colours_differ = false;
    for (int y = 0; y < r.bottom(); ++y)
      for (int x = 0; x < r.right(); ++x) {
        ASSERT_EQ(value_at(lanczos, x, y, 0, 1), value_at(triangle, x, y, 0, 1));
        ASSERT_EQ(value_at<std::uint32_t>(lanczos, x, y, 0, 2),
                  value_at<std::uint32_t>(point, x, y, 0, 2));
        ASSERT_TRUE(ids.contains(value_at<std::uint32_t>(lanczos, x, y, 0, 2)));
        colours_differ = colours_differ || value_at(lanczos, x, y) != value_at(triangle, x, y);
      }
    EXPECT_TRUE(colours_differ);
  }
}

TEST(Resize, FitFillAndGravityKeepTheAspect) {
  const auto window = [](const std::string& words, int width = 40, int height = 20) {
    return plan_of(parse_chain("resize " + words), spec_of({0, 0, width, height}, PixelType::u8, 3))
        .output()
        .display_window;
  };
  EXPECT_EQ(window(""), (Rect{0, 0, 20, 10}));
  EXPECT_EQ(window("", 1, 5), (Rect{0, 0, 1, 3})) << "halves round up, and a side is at least 1";
  EXPECT_EQ(window("--size 30x0"), (Rect{0, 0, 30, 15}));
  EXPECT_EQ(window("--size 0x30"), (Rect{0, 0, 60, 30}));
  EXPECT_EQ(window("--size 30x30 --fit"), (Rect{0, 0, 30, 15}));
  EXPECT_EQ(window("--size 30x10 --fit"), (Rect{0, 0, 20, 10}));
  EXPECT_EQ(window("--size 30x30 --fill"), (Rect{0, 0, 30, 30}));
  EXPECT_EQ(window("--size 7x7 --fit", 3, 4000), (Rect{0, 0, 1, 7}));
  EXPECT_THROW(window("--size 30x30 --fill --fit"), Error);
  EXPECT_EQ(window("--size 30x10 --fit --no-enlarge"), (Rect{0, 0, 20, 10}));
  EXPECT_EQ(window("--size 50x50 --fit --no-enlarge"), (Rect{0, 0, 40, 20}));
  EXPECT_EQ(window("--size 80x0 --no-enlarge"), (Rect{0, 0, 40, 20}));
  EXPECT_EQ(window("--size 30x0 --no-enlarge"), (Rect{0, 0, 30, 15}));
  EXPECT_THROW(window("--size 30x30 --no-enlarge"), Error);
  EXPECT_THROW(window("--size 30x30 --fill --no-enlarge"), Error);

  // The picture is scaled to 60x30, and 30x30 of it are kept.
  const Image image = noise(spec_of({0, 0, 40, 20}, PixelType::f32, 1));
  const Image all = run_chain("resize --size 60x30", image);
  const std::pair<const char*, int> lefts[] = {{"west", 0},   {"center", 15},   {"east", 30},
                                               {"north", 15}, {"northwest", 0}, {"southeast", 30},
                                               {"south", 15}, {"southwest", 0}, {"northeast", 30}};
  for (const auto& [gravity, left] : lefts) {
    const Image part =
        run_chain(std::string("resize --size 30x30 --fill --gravity ") + gravity, image);
    for (int y = 0; y < 30; ++y)
      for (int x = 0; x < 30; ++x)
        ASSERT_EQ(value_at(part, x, y), value_at(all, x + left, y)) << gravity;
  }
}

// The results of the unit at the documented coordinates.
template <class T, int N>
void expect_unit_reads(PixelType type, int width, int height, int out_width, int out_height) {
  Spec spec = spec_of({0, 0, width, height}, type, N);
  const Image image = noise(spec, static_cast<unsigned>(width * 100 + out_width));
  const Image result = run_chain("resize --raw --filter linear --no-antialias --size " +
                                     std::to_string(out_width) + "x" + std::to_string(out_height),
                                 image);
  const Texture2D<T, N> texture{image.row(0, 0), image.row_bytes(0), width, height};
  for (int y = 0; y < out_height; ++y)
    for (int x = 0; x < out_width; ++x) {
      const auto at_x = static_cast<float>((x + 0.5) * width / out_width);
      const auto at_y = static_cast<float>((y + 0.5) * height / out_height);
      const Pixel<N> expected = sample(texture, Sampler{}, at_x, at_y);
      for (int c = 0; c < N; ++c)
        ASSERT_EQ(value_at(result, x, y, c), expected.v[c])
            << name_of(type) << " " << width << "x" << height << " to " << out_width << "x"
            << out_height << " at " << x << "," << y;
    }
}

TEST(Resize, LinearEnlargesByTheTextureUnitsOwnReads) {
  const int shapes[][4] = {{7, 5, 14, 10},   {1, 1, 5, 3},     {1, 9, 3, 40},    {12, 1, 31, 1},
                           {13, 11, 23, 19}, {64, 33, 65, 70}, {16, 16, 10, 11}, {5, 5, 5, 5}};
  for (const auto& s : shapes) {
    expect_unit_reads<float, 4>(PixelType::f32, s[0], s[1], s[2], s[3]);
    expect_unit_reads<float, 3>(PixelType::f32, s[0], s[1], s[2], s[3]);
    expect_unit_reads<Half, 2>(PixelType::half, s[0], s[1], s[2], s[3]);
    expect_unit_reads<Half, 4>(PixelType::half, s[0], s[1], s[2], s[3]);
    expect_unit_reads<std::uint8_t, 3>(PixelType::u8, s[0], s[1], s[2], s[3]);
    expect_unit_reads<std::uint8_t, 1>(PixelType::u8, s[0], s[1], s[2], s[3]);
    expect_unit_reads<std::uint16_t, 4>(PixelType::u16, s[0], s[1], s[2], s[3]);
  }
}

TEST(Resize, AWindowsOriginMovesThePictureAndChangesNothing) {
  const Image image = noise(spec_of({0, 0, 19, 23}, PixelType::f32, 2));
  Image moved = noise(spec_of({0, 0, 19, 23}, PixelType::f32, 2));
  moved.editable_spec().data_window = moved.editable_spec().display_window = {100, -31, 19, 23};
  for (const std::string& filter : filters())
    for (const char* size : {"37%", "173%"})
      for (const char* border : {"clamp", "wrap", "mirror", "border"}) {
        const std::string words =
            std::string("resize --size ") + size + " --filter " + filter + " --border " + border;
        Image result = run_chain(words, moved);
        const Image expected = run_chain(words, image);
        Rect& window = result.editable_spec().data_window;
        ASSERT_EQ(window.x, 100);
        ASSERT_EQ(window.y, -31);
        window.x = window.y = 0;
        ASSERT_TRUE(same_pixels(result, expected)) << words;
      }
}

TEST(Resize, RowsBeyond65536PixelsAreReadInTheRightPlace) {
  // A float32 cannot represent 1/256 texel there; the positions are exact integers.
  const int width = 70000, out = 105001;
  const Image image = noise(spec_of({0, 0, width, 2}, PixelType::f32, 1));
  const Image linear = run_chain("resize --filter linear --size 105001x3", image);
  const Image nearest = run_chain("resize --filter point --size 105001x2", image);
  const Image weighed = run_chain("resize --filter triangle --size 105001x2", image);
  const AxisGeometry axis{0, 0, width, out, 0, width};
  for (int x = 0; x < out; x += x < 98000 ? 97 : 1) {
    const std::int64_t q = axis.fixed_point(x);
    const auto texel = static_cast<int>(q >> 8);
    const float pair[4] = {
        value_at(image, std::max(texel, 0), 0), value_at(image, std::min(texel + 1, width - 1), 0),
        value_at(image, std::max(texel, 0), 1), value_at(image, std::min(texel + 1, width - 1), 1)};
    const Texture2D<float, 1> texture{pair, 8, 2, 2};
    const float at = 0.5f + static_cast<float>(q & 255) / 256.0f;
    ASSERT_EQ(value_at(linear, x, 1), sample(texture, Sampler{}, at, 1.0f).v[0]) << x;
    ASSERT_EQ(value_at(nearest, x, 1), value_at(image, axis.nearest(x, Border::clamp), 1)) << x;
    ASSERT_NEAR(value_at(weighed, x, 0), sample(texture, Sampler{}, at, 0.5f).v[0], 0.004) << x;
  }
}

TEST(Resize, BandsAndThreadsChangeNothing) {
  Spec spec = spec_of({-3, 5, 41, 150}, PixelType::half, 3);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  const Image image = noise(spec);
  for (const std::string& filter : filters())
    for (const char* more : {"--size 37%", "--size 173%", "--size 90x90 --border wrap",
                             "--size 20x300 --border mirror --clamp-ringing",
                             "--size 300x20 --border border --no-antialias"}) {
      const std::string words = "resize --filter " + filter + " " + more;
      const Image whole = run_chain(words, image, {.whole = true});
      for (const int threads : {1, 2, 5})
        ASSERT_TRUE(same_pixels(run_chain(words, image, {.threads = threads}), whole))
            << words << " with " << threads << " threads";
    }
}

TEST(Resize, OddShapesAndChannelCountsWork) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 7}, {9, 1}, {2, 2}, {33, 65}})
    for (int channels = 1; channels <= 4; ++channels)
      for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32})
        for (const char* size : {"50%", "300%", "7x1", "1x5"}) {
          const Image image = noise(spec_of({0, 0, width, height}, type, channels));
          for (const char* filter : {"point", "linear", "lanczos3", "box"}) {
            const std::string words = std::string("resize --size ") + size + " --filter " + filter;
            const Image result = run_chain(words, image, {.format = "exr"});
            const Rect& r = result.spec().data_window;
            ASSERT_EQ(result.spec().layers[0].channel_count(), channels);
            ASSERT_GT(r.pixels(), 0);
            ASSERT_TRUE(
                same_pixels(run_chain(words, image, {.format = "exr", .whole = true}), result));
          }
        }
}

TEST(Resize, ANanReachesNoFartherThanTheFilter) {
  Image image = flat(spec_of({0, 0, 40, 40}, PixelType::f32, 1), 1);
  reinterpret_cast<float*>(image.row(0, 20))[20] = __builtin_nanf("");
  for (const std::string& filter : filters()) {
    const Image result = run_chain("resize --size 200% --filter " + filter, image);
    for (int y = 0; y < 80; ++y)
      for (int x = 0; x < 80; ++x)
        if (std::abs(x - 40.5) > 9 || std::abs(y - 40.5) > 9) {
          ASSERT_EQ(value_at(result, x, y), 1.0f) << filter << " at " << x << "," << y;
        }
    EXPECT_TRUE(value_at(result, 40, 40) != value_at(result, 40, 40)) << filter;
  }
}

}  // namespace
}  // namespace cuimg::test
