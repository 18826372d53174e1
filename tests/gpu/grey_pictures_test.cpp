// SPDX-License-Identifier: Apache-2.0
// Pictures with one channel, for which a card has kernels that process four neighbours at a time:
// in every type, at every position in their frame, over more than one block, with every border.
#include "same_on_card.h"

namespace cuimg {
namespace {

using namespace test;

using GreyPictures = Card;

const char* const every_chain[] = {
    "blur --sigma 0.3",
    "blur --sigma 0.6",
    "blur --sigma 1",
    "blur --sigma 1.3",
    "blur --sigma 1.6",
    "blur --sigma 2",
    "blur --sigma 2.3",
    "unsharp --sigma 2 --amount 1.5",
    "unsharp --sigma 0.6 --threshold 0.1",
    "convolve --kernel 5x5:1,2,3,2,1,2,4,6,4,2,3,6,9,6,3,2,4,6,4,2,1,2,3,2,1 --bias 0.1",
    "resize --size 50% --filter box",
    "resize --size 50% --filter triangle",
    "resize --size 50% --filter lanczos3 --no-antialias",
    "resize --size 50% --filter cubic",
    "resize --size 50% --filter lanczos3",
    "resize --size 50% --filter lanczos3 --clamp-ringing",
    "resize --size 200% --filter triangle",
    "resize --size 200% --filter cubic",
    "resize --size 200% --filter lanczos3",
    "resize --size 200% --filter linear",
};

constexpr PixelType every_type[] = {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32};

ColorEncoding encoding_of(PixelType type) {
  return {is_floating(type) ? Curve::linear : Curve::srgb, 1.0f, false, {}};
}

ChainOptions to_file(PixelType type) {
  ChainOptions options;
  options.format = "tiff";
  options.type = type;
  return options;
}

// Random bits, for half and float also NaN and infinities.
TEST_F(GreyPictures, GiveTheSameBytesInEveryType) {
  for (const PixelType type : every_type) {
    const Rect window{0, 0, 1053, 41};
    const Image source = any_bits(type, 1, encoding_of(type), window, window);
    for (const char* words : every_chain) {
      expect_the_same(queue(), words, source, to_file(type));
      expect_the_same(queue(), words, source, {}, "as light");
    }
  }
}

// Columns that do not fill whole words of both pictures, and data windows smaller than the display
// window.
TEST_F(GreyPictures, GiveTheSameBytesWhereverTheyLie) {
  for (const Rect& window : {Rect{-3, 5, 530, 23}, {2, -1, 517, 9}, {5, 3, 9, 40}, {1, 1, 1, 1}})
    for (const PixelType type : {PixelType::u8, PixelType::half}) {
      const Image source = any_bits(type, 1, encoding_of(type), window,
                                    {-4, 0, window.width + 11, window.height + 6});
      for (const char* words : every_chain) expect_the_same(queue(), words, source, to_file(type));
    }
}

TEST_F(GreyPictures, GiveTheSameBytesWithEveryBorder) {
  const Rect window{0, 0, 523, 37};
  const Image source = any_bits(PixelType::u16, 1, encoding_of(PixelType::u16), window, window);
  for (const char* border : {"clamp", "mirror", "border", "wrap"})
    for (const char* words : {"blur --sigma 2", "unsharp --sigma 1", "resize --size 50%",
                              "resize --size 200%", "resize --size 200% --filter linear"})
      expect_the_same(queue(), std::string(words) + " --border " + border, source,
                      to_file(PixelType::u16));
}

// Halves as pictures usually have them, unlike random bits: small ones, among them denormal ones
// and zeros of both signs, and few that are large, infinite or NaN.
TEST_F(GreyPictures, GiveTheSameBytesOfSmallHalves) {
  const Rect window{-2, 3, 1053, 41};
  for (const int channels : {1, 2, 3, 4}) {
    Image source =
        any_bits(PixelType::half, channels, encoding_of(PixelType::half), window, window);
    for (int y = window.y; y < window.bottom(); ++y) {
      auto* const row = reinterpret_cast<std::uint16_t*>(source.row(0, y));
      for (int i = 0; i < window.width * channels; ++i) {
        constexpr std::uint16_t below_two = 0xbfff, zeros = 0x8000;
        if (row[i] % 257 != 0) row[i] &= row[i] % 11 == 0 ? zeros : below_two;
      }
    }
    for (const char* words : {"resize --size 200% --filter linear",
                              "resize --size 200% --filter linear + rotate --angle 17",
                              "resize --size 200% --filter linear --border wrap"})
      for (const PixelType to : {PixelType::half, PixelType::f32})
        expect_the_same(queue(), words, source, to_file(to),
                        std::to_string(channels) + " channels to " + std::string(name_of(to)));
  }
}

// From a file of one type to a file of another.
TEST_F(GreyPictures, GiveTheSameBytesFromEveryTypeToEveryOther) {
  const Rect window{0, 0, 140, 21};
  for (const PixelType from : every_type) {
    const Image source = any_bits(from, 1, encoding_of(from), window, window);
    for (const PixelType to : every_type)
      for (const char* words : {"blur --sigma 1", "unsharp --sigma 1", "resize --size 50%",
                                "resize --size 200%", "resize --size 200% --filter linear"})
        expect_the_same(queue(), words, source, to_file(to), std::string(name_of(to)));
  }
}

TEST_F(GreyPictures, GiveTheSameBytesOfAlphaAlone) {
  for (const PixelType type : {PixelType::u8, PixelType::u16}) {
    const Rect window{0, 0, 301, 21};
    Image source = any_bits(type, 1, encoding_of(type), window, window);
    Spec spec = source.spec();
    spec.layers[0].channels = {"A"};
    Image alpha(spec);
    for (int y = 0; y < window.height; ++y)
      std::copy_n(source.row(0, y), source.row_bytes(0), alpha.row(0, y));
    for (const char* words : {"blur --sigma 2", "resize --size 50%", "resize --size 200%",
                              "resize --size 200% --filter linear"})
      expect_the_same(queue(), words, alpha, to_file(type));
  }
}

// Chains that read through a texture need an array, in which pairs of rows are stored together.
TEST_F(GreyPictures, GiveTheSameBytesIntoArrays) {
  for (const PixelType type : every_type)
    for (const Rect& window : {Rect{0, 0, 531, 33}, Rect{-3, 5, 530, 26}, Rect{4, -7, 37, 1},
                               Rect{1, 2, 1, 39}, Rect{2, 1, 1, 1}}) {
      const Image source = any_bits(type, 1, encoding_of(type), window, window);
      for (const char* words : every_chain)
        expect_the_same(queue(), std::string(words) + " + rotate --angle 17", source,
                        to_file(type));
    }
}

TEST_F(GreyPictures, GiveTheSameBytesInTilesAndBands) {
  const Rect window{11, -2, 611, 401};
  const Image source = any_bits(PixelType::u8, 1, encoding_of(PixelType::u8), window, window);
  for (const char* words : every_chain)
    expect_the_same_in_parts(queue(), words, source, to_file(PixelType::u8), 300000);
}

}  // namespace
}  // namespace cuimg
