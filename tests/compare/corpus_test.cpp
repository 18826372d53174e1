// SPDX-License-Identifier: Apache-2.0
// Wrong results that renderers and converters really produce: each is detected without any limit.
#include <cmath>
#include <functional>
#include <limits>

#include "kernels/color/transfer.h"
#include "pictures.h"

namespace cuimg::test {
namespace {

using Pixel = std::function<float(int x, int y, int c)>;

// A picture without symmetry, so that every fault is visible.
float scene(int x, int y, int c) {
  const float wave = std::sin(static_cast<float>(x) * 0.31f + static_cast<float>(c)) *
                     std::cos(static_cast<float>(y) * 0.23f - static_cast<float>(c * x) * 0.01f);
  return 0.5f + 0.35f * wave + (c == 3 ? 0.1f : 0.0f);
}

struct Fault {
  const char* name;
  std::function<Image(const Image& golden)> make;
};

Image changed(const Image& golden, const Pixel& pixel) {
  return image_of(golden.spec(), [&](int, int x, int y, int c) { return pixel(x, y, c); });
}

Image in_spec(const Image& golden, const std::function<void(Spec&)>& edit) {
  Spec spec = golden.spec();
  edit(spec);
  return image_of(spec, [](int, int x, int y, int c) { return scene(x, y, c); });
}

// Wrong values, in pictures of any type.
std::vector<Fault> faults_of_values() {
  const auto at = [](int x0, int y0, float value) -> std::function<Image(const Image&)> {
    return [=](const Image& g) { return with_value(g, x0, y0, 1, value); };
  };
  const auto all = [](const Pixel& pixel) -> std::function<Image(const Image&)> {
    return [=](const Image& g) { return changed(g, pixel); };
  };
  return {
      {"one pixel black", at(20, 13, 0)},
      {"one pixel white", at(0, 0, 1)},
      {"the last pixel", at(39, 29, 0)},
      {"one bit", [](const Image& g) { return with_bit_turned(g, 17, 11, 2); }},
      {"one bit of alpha", [](const Image& g) { return with_bit_turned(g, 1, 28, 3); }},
      {"all black", all([](int, int, int) { return 0.0f; })},
      {"all white", all([](int, int, int) { return 1.0f; })},
      {"alpha lost", all([](int x, int y, int c) { return c == 3 ? 1.0f : scene(x, y, c); })},
      {"alpha zero", all([](int x, int y, int c) { return c == 3 ? 0.0f : scene(x, y, c); })},
      {"alpha inverted",
       all([](int x, int y, int c) { return c == 3 ? 1 - scene(x, y, c) : scene(x, y, c); })},
      {"red and blue swapped",
       all([](int x, int y, int c) { return scene(x, y, c == 3 ? 3 : 2 - c); })},
      {"red lost", all([](int x, int y, int c) { return c == 0 ? 0.0f : scene(x, y, c); })},
      {"green in all channels",
       all([](int x, int y, int c) { return scene(x, y, c == 3 ? 3 : 1); })},
      {"mirrored", all([](int x, int y, int c) { return scene(39 - x, y, c); })},
      {"upside down", all([](int x, int y, int c) { return scene(x, 29 - y, c); })},
      {"turned by half", all([](int x, int y, int c) { return scene(39 - x, 29 - y, c); })},
      {"shifted by a pixel", all([](int x, int y, int c) { return scene(x + 1, y, c); })},
      {"shifted by a row", all([](int x, int y, int c) { return scene(x, y - 1, c); })},
      {"shifted by half a pixel",
       all([](int x, int y, int c) { return 0.5f * (scene(x, y, c) + scene(x + 1, y, c)); })},
      {"sRGB twice", all([](int x, int y, int c) {
         return c == 3 ? scene(x, y, c) : srgb_encode(scene(x, y, c));
       })},
      {"sRGB undone twice", all([](int x, int y, int c) {
         return c == 3 ? scene(x, y, c) : srgb_decode(scene(x, y, c));
       })},
      {"gamma 2.2 for sRGB", all([](int x, int y, int c) {
         return c == 3 ? scene(x, y, c) : srgb_encode(std::pow(scene(x, y, c), 2.2f));
       })},
      {"premultiplied twice", all([](int x, int y, int c) {
         return c == 3 ? scene(x, y, c) : scene(x, y, c) * scene(x, y, 3);
       })},
      {"not premultiplied", all([](int x, int y, int c) {
         return c == 3 ? scene(x, y, c) : std::min(1.0f, scene(x, y, c) / scene(x, y, 3));
       })},
      {"a percent brighter", all([](int x, int y, int c) { return 1.01f * scene(x, y, c); })},
      {"inverted", all([](int x, int y, int c) { return 1 - scene(x, y, c); })},
      {"grey", all([](int x, int y, int c) {
         const float grey = (scene(x, y, 0) + scene(x, y, 1) + scene(x, y, 2)) / 3;
         return c == 3 ? scene(x, y, 3) : grey;
       })},
      {"blurred", all([](int x, int y, int c) {
         return 0.25f * (scene(x - 1, y, c) + scene(x + 1, y, c) + 2 * scene(x, y, c));
       })},
      {"the lower half missing",
       all([](int x, int y, int c) { return y < 15 ? scene(x, y, c) : 0.0f; })},
      {"the last row missing",
       all([](int x, int y, int c) { return y < 29 ? scene(x, y, c) : 0.0f; })},
      {"the last column repeated",
       all([](int x, int y, int c) { return scene(std::min(x, 38), y, c); })},
      {"a block of another place", all([](int x, int y, int c) {
         const bool inside = x >= 8 && x < 16 && y >= 8 && y < 16;
         return scene(inside ? x + 8 : x, y, c);
       })},
      {"blocks of 8x8 in another order",
       all([](int x, int y, int c) { return scene(x ^ 8, y, c); })},
      {"every other row twice", all([](int x, int y, int c) { return scene(x, y & ~1, c); })},
      {"fields swapped", all([](int x, int y, int c) { return scene(x, y ^ 1, c); })},
      {"four bits a channel",
       all([](int x, int y, int c) { return std::round(scene(x, y, c) * 15) / 15; })},
      {"stretched", all([](int x, int y, int c) { return scene(x * 39 / 40, y, c); })},
      {"noise of one code",
       [](const Image& g) {
         Image image = copy_of(g);
         for (int i = 0; i < 30; ++i) image = with_bit_turned(image, i, i, i % 4);
         return image;
       }},
  };
}

// Wrong values that only floats can have.
std::vector<Fault> faults_of_floats() {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto all = [](const Pixel& pixel) -> std::function<Image(const Image&)> {
    return [=](const Image& g) { return changed(g, pixel); };
  };
  return {
      {"one NaN", [=](const Image& g) { return with_value(g, 5, 5, 0, nan); }},
      {"one infinity", [=](const Image& g) { return with_value(g, 5, 5, 0, infinity); }},
      {"a block of NaN",
       all([=](int x, int y, int c) { return x / 8 == 2 && y / 8 == 1 ? nan : scene(x, y, c); })},
      {"nothing but NaN", all([=](int, int, int) { return nan; })},
      {"NaN in alpha", all([=](int x, int y, int c) { return c == 3 ? nan : scene(x, y, c); })},
      {"a negative value", [](const Image& g) { return with_value(g, 9, 9, 2, -0.01f); }},
      {"a firefly", [](const Image& g) { return with_value(g, 30, 20, 0, 60000.0f); }},
      {"half a stop darker", all([](int x, int y, int c) { return 0.70710678f * scene(x, y, c); })},
      {"eight bits in between",
       all([](int x, int y, int c) { return std::round(scene(x, y, c) * 255) / 255; })},
      {"truncated to half", all([](int x, int y, int c) {
         return half_to_float(float_to_half_truncated(scene(x, y, c) * 1.0004f));
       })},
      {"clamped to a half",
       all([](int x, int y, int c) { return std::min(0.5f, scene(x, y, c)); })},
  };
}

// Wrong sizes, windows, channels and types.
std::vector<Fault> faults_of_form() {
  const auto edit =
      [](const std::function<void(Spec&)>& change) -> std::function<Image(const Image&)> {
    return [=](const Image& g) { return in_spec(g, change); };
  };
  return {
      {"one column less", edit([](Spec& s) { s.data_window.width = s.display_window.width = 39; })},
      {"twice as wide", edit([](Spec& s) { s.data_window.width = s.display_window.width = 80; })},
      {"width and height swapped", edit([](Spec& s) {
         s.data_window = s.display_window = {0, 0, 30, 40};
       })},
      {"one pixel", edit([](Spec& s) {
         s.data_window = s.display_window = {0, 0, 1, 1};
       })},
      {"a moved data window", edit([](Spec& s) { s.data_window.x += 1; })},
      {"a smaller data window", edit([](Spec& s) { s.data_window.height -= 4; })},
      {"another display window", edit([](Spec& s) { s.display_window.y -= 2; })},
      {"another pixel aspect", edit([](Spec& s) { s.pixel_aspect = 2; })},
      {"no alpha", edit([](Spec& s) { s.layers.front().channels.pop_back(); })},
      {"a channel of another name", edit([](Spec& s) { s.layers.front().channels.back() = "Z"; })},
      {"a layer of another name", edit([](Spec& s) { s.layers.front().name = "diffuse"; })},
      {"another layer too", edit([](Spec& s) {
         s.layers.push_back(s.layers.front());
         s.layers.back().name = "more";
       })},
      {"another type", edit([](Spec& s) {
         s.layers.front().type =
             s.layers.front().type == PixelType::half ? PixelType::f32 : PixelType::half;
       })},
      {"another curve", edit([](Spec& s) { s.color.curve = Curve::pq; })},
      {"straight for premultiplied alpha",
       edit([](Spec& s) { s.color.premultiplied = !s.color.premultiplied; })},
      {"other primaries", edit([](Spec& s) { s.color.primaries = primaries::p3_d65; })},
  };
}

std::size_t expect_caught(const std::vector<Fault>& faults, PixelType type) {
  const Image golden = image_of(spec_of({0, 0, 40, 30}, type, 4),
                                [](int, int x, int y, int c) { return scene(x, y, c); });
  EXPECT_EQ(verdict(golden, copy_of(golden)), Verdict::same);
  for (const Fault& fault : faults) {
    const Image result = fault.make(golden);
    EXPECT_EQ(verdict(golden, result), Verdict::differs) << fault.name << ", " << name_of(type);
    EXPECT_EQ(verdict(result, golden), Verdict::differs) << fault.name << ", " << name_of(type);
  }
  return faults.size();
}

TEST(Corpus, EveryWrongResultIsCaught) {
  std::size_t faults = 0;
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32}) {
    faults = expect_caught(faults_of_values(), type);
    faults += expect_caught(faults_of_form(), type);
    if (is_floating(type)) faults += expect_caught(faults_of_floats(), type);
  }
  EXPECT_GE(faults, 60u);
}

}  // namespace
}  // namespace cuimg::test
