// SPDX-License-Identifier: Apache-2.0
// Kernels that decode when they load and encode when they store: every stored form that they
// support gives the CPU's bytes, and they do this wherever they can.
#include <algorithm>

#include "io/codec.h"
#include "pipeline/execute/execute.h"
#include "same_on_card.h"
#include "support/process.h"

namespace cuimg {
namespace {

using namespace test;

using StoredForms = Card;

const char* const every_chain[] = {
    "resize --size 50% --filter lanczos3",
    "resize --size 50% --filter triangle --clamp-ringing",
    "resize --size 37%x61%",
    "resize --size 200% --filter linear",
    "resize --size 200% --filter linear --border wrap",
    "resize --size 200% --filter lanczos3",
    "resize --size 150%x133% --filter linear",
    "blur --sigma 2",
    "blur --sigma 0.7,9",
    "blur --sigma 40,27",
    "blur --sigma 30,2 --border wrap",
    "unsharp --sigma 0.8 --border mirror",
    "unsharp --sigma 3,40",
    "convolve --kernel 3x3:0,-1,0,-1,5,-1,0,-1,0",
    "convolve --kernel 3x3:1,-3,1,-3,9,-3,1,-3,1",
    "convolve --kernel 3x3:2,4,2,4,8,4,2,4,2",
    "box --radius 5",
    "box --radius 2,0 --border wrap",
    "box --radius 1,9",
    "blur --sigma 1 + resize --size 50%",
    "rotate --angle 17",
    "rotate --angle 17 --border wrap",
    "affine --matrix 0.5,0,0,0.5,10,10",
    "perspective --corners 3,-5,130,9,120,50,-20,40",
};

struct Form {
  PixelType type;
  int channels;
  bool is_srgb, is_straight;
};

std::vector<Form> every_form() {
  std::vector<Form> forms;
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half})
    for (const int channels : {1, 2, 3, 4})
      for (const bool is_srgb : {true, false})
        for (const bool is_straight : {true, false}) {
          if (is_straight && channels % 2 != 0) continue;
          forms.push_back({type, channels, is_srgb, is_straight});
        }
  return forms;
}

std::string name_of(const Form& form) {
  return std::string(name_of(form.type)) + ", " + std::to_string(form.channels) + " channels" +
         (form.is_srgb ? ", sRGB" : ", linear") + (form.is_straight ? ", straight" : "");
}

// Sets rows and tiles to opaque and some columns to zero alpha, next to any other alphas.
void set_some_alphas(const Form& form, Image& image) {
  const Rect& window = image.spec().data_window;
  const std::size_t bytes = bytes_of(form.type),
                    texel = bytes * static_cast<std::size_t>(form.channels);
  for (int y = window.y; y < window.bottom(); ++y)
    for (int x = 0; x < window.width; ++x) {
      const bool is_opaque = y % 3 == 0 || x / 40 == 1, is_empty = x % 7 == 0 && x / 40 == 2;
      if (is_opaque || is_empty)
        std::fill_n(image.row(0, y) + static_cast<std::size_t>(x + 1) * texel - bytes, bytes,
                    is_opaque ? std::byte{255} : std::byte{0});
    }
}

// Random bits, as in a file of that form. The display window is larger on two sides.
Image picture(const Form& form, const Rect& window, int right = 9, int below = 5) {
  Image made = any_bits(form.type, form.channels,
                        {form.is_srgb ? Curve::srgb : Curve::linear, 1.0f, !form.is_straight, {}},
                        window, {window.x, window.y, window.width + right, window.height + below});
  if (form.is_straight && !is_floating(form.type)) set_some_alphas(form, made);
  return made;
}

TEST_F(StoredForms, GiveTheSameBytesWhateverTheKernelsConvert) {
  for (const Form& form : every_form()) {
    const Image source = picture(form, {-3, 5, 141, 57});
    for (const char* words : every_chain)
      for (const char* format : {"tiff", ""}) {
        ChainOptions options;
        options.format = format;
        if (*format != '\0') options.type = form.type;
        ASSERT_NO_FATAL_FAILURE(
            expect_the_same(queue(), words, source, options, name_of(form) + " to " + format));
      }
  }
}

TEST_F(StoredForms, GiveTheSameBytesInTilesAndBands) {
  const Image source = picture({PixelType::u8, 4, true, true}, {11, -2, 203, 601});
  for (const char* words : every_chain) {
    ChainOptions options;
    options.format = "png";
    expect_the_same_in_parts(queue(), words, source, options, 400000);
  }
}

// Each code alone: the sum has a single weight.
TEST_F(StoredForms, DecodeEveryCode) {
  for (const bool is_srgb : {true, false})
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half}) {
      Image source = picture({type, 2, is_srgb, false}, {0, 0, 256, 256});
      for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x)
          for (int c = 0; c < 2; ++c) {
            if (type == PixelType::u8)
              reinterpret_cast<std::uint8_t*>(source.row(0, y))[2 * x + c] =
                  static_cast<std::uint8_t>(x);
            else
              reinterpret_cast<std::uint16_t*>(source.row(0, y))[2 * x + c] =
                  static_cast<std::uint16_t>(256 * y + x);
          }
      expect_the_same(queue(), "blur --sigma 0.3", source, {}, std::string(name_of(type)));
    }
}

// Every code of 8 bits with every alpha; every code of 16 bits, opaque or not.
TEST_F(StoredForms, TakeEveryCodeOfFourChannels) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half})
    for (const int channels : {3, 4}) {
      Image source =
          picture({type, channels, type != PixelType::half, channels == 4}, {0, 0, 256, 256});
      for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x)
          for (int c = 0; c < channels; ++c) {
            const int at = channels * x + c;
            if (type == PixelType::u8)
              reinterpret_cast<std::uint8_t*>(source.row(0, y))[at] =
                  static_cast<std::uint8_t>(c == 3 ? y : x + 85 * c);
            else if (c < 3 || y % 2 == 0)
              reinterpret_cast<std::uint16_t*>(source.row(0, y))[at] =
                  static_cast<std::uint16_t>(c == 3 ? 65535 : 256 * y + x + 21845 * c);
          }
      for (const char* words : {"blur --sigma 0.3", "resize --size 200% --filter linear",
                                "resize --size 50% --filter box"}) {
        ChainOptions options;
        options.format = type == PixelType::half ? "exr" : "png";
        options.type = type;
        expect_the_same(queue(), words, source, options, std::string(name_of(type)));
      }
    }
}

TEST_F(StoredForms, LieOverEachOther) {
  const TempDir folder;
  for (const PixelType second : {PixelType::u8, PixelType::u16, PixelType::half}) {
    const bool is_half = second == PixelType::half;
    const std::string path = folder / (is_half ? "second.exr" : "second.png");
    write_image(path, picture({second, 4, !is_half, !is_half}, {0, 0, 100, 60}, 0, 0),
                *codec_named(is_half ? "exr" : "png"), {});
    for (const Form& form : every_form()) {
      if (form.is_straight && form.type == PixelType::half) continue;
      const Image source = picture(form, {0, 0, 300, 57});
      for (const std::string stage : {"over --at 20,-9", "atop --at 20,-9", "add --at 0,0"}) {
        ChainOptions options;
        options.format = form.type == PixelType::half ? "exr" : "png";
        options.type = form.type;
        expect_the_same(queue(), stage + " --with " + path, source, options, name_of(form));
      }
    }
  }
}

TEST(StoredFormsLayout, TakesTheConversionsPlaces) {
  Spec spec = one_layer({0, 0, 64, 64}, PixelType::u8, 4);
  spec.color = {Curve::srgb, 1.0f, false, {}};
  ChainOptions options;
  options.format = "png";
  for (const std::string stage : {"blur", "resize"}) {
    const Plan plan = plan_of(parse_chain(stage), spec, options);
    EXPECT_EQ(layout_on_card(plan),
              (std::vector<std::string>{"card: input: into rows",
                                        "card: convert + " + stage + " + convert: into rows"}));
  }
}

}  // namespace
}  // namespace cuimg
