// SPDX-License-Identifier: Apache-2.0
// Filters that select one of a window's values: a card compares codes if that is valid, otherwise
// light, and both give the CPU's bytes.
#include <algorithm>
#include <limits>

#include "pipeline/execute/execute.h"
#include "same_on_card.h"

namespace cuimg {
namespace {

using namespace test;

using RankFilters = Card;

enum class Alphas { opaque, one_clear, any };

struct Kind {
  PixelType type;
  int channels;
  bool is_srgb, is_straight;
  Alphas alphas;
};

std::string name_of(const Kind& kind) {
  static const char* const alphas[] = {"opaque", "one pixel clear", "any alpha"};
  return std::string(name_of(kind.type)) + ", " + std::to_string(kind.channels) + " channels" +
         (kind.is_srgb ? ", sRGB" : ", linear") + (kind.is_straight ? ", straight, " : ", ") +
         alphas[static_cast<int>(kind.alphas)];
}

std::vector<Kind> every_kind() {
  std::vector<Kind> kinds;
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32})
    for (const int channels : {1, 2, 3, 4}) {
      if (channels % 2 != 0) {
        kinds.push_back({type, channels, false, false, Alphas::any});
        continue;
      }
      for (const bool is_srgb : {true, false})
        for (const Alphas alphas : {Alphas::opaque, Alphas::one_clear, Alphas::any})
          kinds.push_back({type, channels, is_srgb, true, alphas});
      kinds.push_back({type, channels, true, false, Alphas::any});
    }
  return kinds;
}

template <class T>
void set_alphas(Image& image, Alphas alphas, T opaque) {
  if (alphas == Alphas::any) return;
  const Rect window = image.spec().data_window;
  const int channels = image.spec().layers[0].channel_count();
  for (int y = window.y; y < window.bottom(); ++y)
    for (int x = 0; x < window.width; ++x)
      reinterpret_cast<T*>(image.row(0, y))[(x + 1) * channels - 1] = opaque;
  if (alphas == Alphas::one_clear)
    reinterpret_cast<T*>(image.row(
        0, window.y + window.height / 2))[(window.width * 2 / 3 + 1) * channels - 1] = T{};
}

// Random bits. The display window is larger on the sides that `frame` selects.
Image picture(const Kind& kind, const Rect& window, int frame = 0) {
  Image made = any_bits(
      kind.type, kind.channels,
      {kind.is_srgb ? Curve::srgb : Curve::linear, 1.0f, !kind.is_straight, {}}, window,
      {window.x - frame, window.y - frame / 2, window.width + 2 * frame, window.height + frame});
  if (kind.is_straight) {
    if (kind.type == PixelType::u8) set_alphas<std::uint8_t>(made, kind.alphas, 255);
    if (kind.type == PixelType::u16) set_alphas<std::uint16_t>(made, kind.alphas, 65535);
    if (kind.type == PixelType::half) set_alphas<std::uint16_t>(made, kind.alphas, 0x3c00);
    if (kind.type == PixelType::f32) set_alphas<float>(made, kind.alphas, 1.0f);
  }
  return made;
}

const char* const every_chain[] = {"erode --radius 1",
                                   "dilate --radius 2,0",
                                   "dilate --radius 0,7",
                                   "erode --radius 7,3",
                                   "close --radius 1",
                                   "erode --radius 9",
                                   "erode --radius 9 --shape disk",
                                   "median --size 3",
                                   "median --size 5 --border border",
                                   "median --size 7 --border wrap",
                                   "median --size 9 --border mirror"};

TEST_F(RankFilters, GiveTheSameBytesWhateverIsTransparent) {
  for (const Kind& kind : every_kind()) {
    const Image source = picture(kind, {-3, 5, 151, 41});
    for (const char* words : every_chain)
      for (const char* format : {"tiff", ""}) {
        ChainOptions options;
        options.format = format;
        if (*format != '\0') options.type = kind.type;
        ASSERT_NO_FATAL_FAILURE(
            expect_the_same(queue(), words, source, options, name_of(kind) + " to " + format));
      }
  }
}

// Data windows smaller than the display window, and sizes near those of tiles and their parts.
TEST_F(RankFilters, GiveTheSameBytesOfEverySize) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half})
    for (const int channels : {1, 4})
      for (const auto& [width, height] :
           {std::pair{1, 1}, {3, 2}, {1, 70}, {125, 1}, {124, 16}, {501, 17}, {130, 67}})
        for (const int frame : {0, 5}) {
          const Kind kind{type, channels, true, channels == 4, Alphas::one_clear};
          const Image source = picture(kind, {7, -9, width, height}, frame);
          ChainOptions options;
          options.format = "tiff";
          options.type = type;
          for (const char* words : {"erode --radius 1", "dilate --radius 3", "median --size 5",
                                    "median --size 3 --border border"})
            ASSERT_NO_FATAL_FAILURE(expect_the_same(
                queue(), words, source, options,
                name_of(kind) + ", " + std::to_string(width) + 'x' + std::to_string(height)));
        }
}

// Of little alpha, light is divided by so much that most codes of medians are in doubt.
TEST_F(RankFilters, GiveTheSameBytesOfPixelsThatAreNearlyClear) {
  for (const int highest_alpha : {1, 17, 60}) {
    const Kind kind{PixelType::u8, 4, true, true, Alphas::any};
    Image source = picture(kind, {-3, 5, 131, 70});
    for (int y = 5; y < 75; ++y) {
      std::byte* const row = source.row(0, y);
      for (int i = 3; i < 4 * 131; i += 4)
        row[i] = static_cast<std::byte>(std::to_integer<int>(row[i]) % (highest_alpha + 1));
    }
    ChainOptions options;
    options.format = "tiff";
    options.type = kind.type;
    for (const char* words : {"median --size 5", "median --size 5 --border border"})
      ASSERT_NO_FATAL_FAILURE(
          expect_the_same(queue(), words, source, options, std::to_string(highest_alpha)));
  }
}

// Windows whose medians are far from the middle of their tile's values. Some pictures have a few
// NaNs, half NaNs, or only NaNs.
TEST_F(RankFilters, LargeMediansGiveTheSameBytesWhereverTheyLieInTheirTile) {
  constexpr int width = 97, height = 75;
  const auto values = [](const std::string& shape, int x, int y) -> float {
    if (shape == "slope") return static_cast<float>(width * y + x);
    if (shape == "falling") return -static_cast<float>(3 * x + y);
    if (shape == "step") return x < 40 ? 40.0f : 180.0f;
    if (shape == "corner") return x > 60 && y > 50 ? 200.0f : 10.0f;
    if (shape == "few") return static_cast<float>((x * 7 + y * 13) % 3 * 80);
    return 90.0f;
  };
  for (const PixelType type : {PixelType::u8, PixelType::half, PixelType::f32})
    for (const char* shape : {"slope", "falling", "step", "corner", "few", "one"})
      for (const int nan_every : {0, 50, 2, 1}) {  // 0: no NaN; 1: nothing else
        if (nan_every != 0 && !is_floating(type)) continue;
        Image source(spec_of({0, 0, width, height}, type, 1));
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x) {
            const bool is_nan = nan_every != 0 && (x * 31 + y * 17) % nan_every == 0;
            const float value = is_nan ? std::nanf("") : values(shape, x, y);
            std::byte* const at = source.row(0, y) + static_cast<std::size_t>(x) * bytes_of(type);
            if (type == PixelType::u8)
              *at = static_cast<std::byte>(static_cast<int>(std::abs(value)) % 256);
            else if (type == PixelType::half)
              reinterpret_cast<Half*>(at)[0] = float_to_half(value);
            else
              std::memcpy(at, &value, sizeof value);
          }
        for (const char* words : {"median --raw --size 9", "median --raw --size 15 --border wrap",
                                  "median --raw --size 23", "median --raw --size 31",
                                  "median --raw --size 31 --border border"})
          ASSERT_NO_FATAL_FAILURE(expect_the_same(queue(), words, source, {}, shape));
      }
}

// Medians of single bytes from words that begin anywhere: different first columns of windows, and
// different numbers of columns in a row's last word.
TEST_F(RankFilters, GiveTheSameBytesOfBytesInWords) {
  for (const auto& [left, width] : {std::pair{0, 1033}, {1, 1030}, {2, 1031}, {3, 1028}, {-5, 13}})
    for (const int frame : {0, 3}) {
      const Kind kind{PixelType::u8, 1, false, false, Alphas::any};
      const Image source = picture(kind, {left, 2, width, 67}, frame);
      ChainOptions options;
      options.format = "tiff";
      options.type = PixelType::u8;
      for (const int size : {3, 5, 7})
        for (const char* border : {"clamp", "mirror", "border", "wrap"})
          ASSERT_NO_FATAL_FAILURE(expect_the_same(
              queue(), "median --size " + std::to_string(size) + " --border " + border, source,
              options, std::to_string(left) + ", " + std::to_string(width)));
    }
}

// Rows in words, in strips of 30 lanes: radii of one to three for pixels of any size, edges within
// a lane's 16 bytes, and zeros beyond them.
TEST_F(RankFilters, GiveTheSameBytesInWords) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half})
    for (const int channels : {1, 2, 3})
      for (const auto& [width, height] : {std::pair{1, 3}, {2, 2}, {17, 66}, {121, 7}, {483, 5}})
        for (const int frame : {0, 5}) {
          const Kind kind{type, channels, false, false, Alphas::any};
          const Image source = picture(kind, {7, -9, width, height}, frame);
          ChainOptions options;
          options.format = "tiff";
          options.type = type;
          for (const char* words :
               {"dilate --radius 1", "erode --radius 2", "dilate --radius 2", "erode --radius 3"})
            ASSERT_NO_FATAL_FAILURE(expect_the_same(
                queue(), words, source, options,
                name_of(kind) + ", " + std::to_string(width) + 'x' + std::to_string(height)));
        }
}

// Parts of a strip are opaque and others are not, so rows of codes are next to rows of light. A few
// rows are fewer than a warp processes together.
TEST_F(RankFilters, GiveTheSameBytesWherePartsAreOpaque) {
  for (const PixelType type : {PixelType::u8, PixelType::u16})
    for (const int height : {75, 4, 3, 2, 1})
      for (const int clear_every : {5, 9, 23}) {
        const int bytes = type == PixelType::u8 ? 1 : 2;
        Image source = picture({type, 4, true, true, Alphas::any}, {0, 0, 260, height}, 3);
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < 260; ++x)
            if (y % clear_every != 0 || (x / 110 + y / clear_every) % 2 == 0)
              std::fill_n(source.row(0, y) + (4 * x + 3) * bytes, bytes, std::byte{255});
        ChainOptions options;
        options.format = "png";
        for (const char* words : {"erode --radius 1", "dilate --radius 1"})
          expect_the_same(queue(), words, source, options,
                          std::to_string(clear_every) + ", " + std::to_string(height) + " rows");
      }
}

// Adds zeros of both signs and NaN; for integers the smallest and the largest value.
void mix_in_specials(Image& image, int seed) {
  const Rect window = image.spec().data_window;
  const LayerSpec& layer = image.spec().layers[0];
  constexpr float floats[] = {0.0f, -0.0f, std::numeric_limits<float>::quiet_NaN()};
  constexpr std::uint16_t halves[] = {0, 0x8000, 0x7e01};
  for (int y = window.y; y < window.bottom(); ++y)
    for (int i = seed % 3; i < window.width * layer.channel_count(); i += 3) {
      const int kind = (i + y - window.y) % 7 % 3;
      std::byte* const row = image.row(0, y);
      if (layer.type == PixelType::f32) reinterpret_cast<float*>(row)[i] = floats[kind];
      if (layer.type == PixelType::half) reinterpret_cast<std::uint16_t*>(row)[i] = halves[kind];
      if (layer.type == PixelType::u16)
        reinterpret_cast<std::uint16_t*>(row)[i] = kind == 0 ? 0 : 65535;
      if (layer.type == PixelType::u8) row[i] = std::byte(kind == 0 ? 0 : 255);
    }
}

// Columns are processed in pairs, for any channels, type and edges.
TEST_F(RankFilters, GiveTheSameBytesOfEveryCircle) {
  for (int radius = 1; radius <= 16; ++radius)
    for (const PixelType type : {PixelType::f32, PixelType::u8, PixelType::u16, PixelType::half})
      for (const int channels : {1, 2, 3, 4})
        for (const auto& [width, height] : {std::pair{1, 1}, {5, 40}, {131, 9}, {530, 3}})
          for (const int frame : {0, 5}) {
            if (width > 200 && channels != 1) continue;
            if (type != PixelType::f32 && (radius + channels + frame) % 3 != 0) continue;
            const Kind kind{type, channels, false, false, Alphas::any};
            Image source = picture(kind, {-3, 5, width, height}, frame);
            mix_in_specials(source, radius);
            ChainOptions options;
            options.format = "tiff";
            options.type = type;
            const std::string stage = (radius + channels + frame) % 2 == 0 ? "erode" : "dilate";
            ASSERT_NO_FATAL_FAILURE(expect_the_same(
                queue(), stage + " --shape disk --radius " + std::to_string(radius), source,
                options,
                name_of(kind) + ", " + std::to_string(width) + 'x' + std::to_string(height)));
          }
}

TEST_F(RankFilters, GiveTheSameBytesInTilesAndBands) {
  for (const int channels : {1, 4}) {
    const Kind kind{PixelType::u8, channels, true, channels == 4, Alphas::one_clear};
    const Image source = picture(kind, {11, -2, 203, 301});
    for (const char* words : every_chain) {
      ChainOptions options;
      options.format = "png";
      expect_the_same_in_parts(queue(), words, source, options, channels * 100000);
    }
  }
}

// Comparing codes requires that a code converted to light and back is the same code.
TEST(RankFiltersOfCodes, KeepEveryCodeOfAnOpaquePicture) {
  for (const bool is_srgb : {true, false})
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
      Image source = picture({type, 4, is_srgb, true, Alphas::opaque}, {0, 0, 256, 256});
      for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x)
          for (int c = 0; c < 3; ++c) {
            if (type == PixelType::u8)
              reinterpret_cast<std::uint8_t*>(source.row(0, y))[4 * x + c] =
                  static_cast<std::uint8_t>(x + c);
            else
              reinterpret_cast<std::uint16_t*>(source.row(0, y))[4 * x + c] =
                  static_cast<std::uint16_t>(256 * y + x + c);
          }
      ChainOptions options;
      options.format = "tiff";
      options.type = type;
      for (const char* words : {"erode --radius 0", "dilate --radius 0"})
        EXPECT_TRUE(same_pixels(made_on(Queue::cpu(), words, source, options), source))
            << words << ", " << name_of(type);
    }
}

TEST(RankFiltersLayout, TakesTheConversionsPlaces) {
  Spec spec = one_layer({0, 0, 64, 64}, PixelType::u8, 4);
  spec.color = {Curve::srgb, 1.0f, false, {}};
  ChainOptions options;
  options.format = "png";
  for (const std::string stage : {"erode", "close"}) {
    const Plan plan = plan_of(parse_chain(stage), spec, options);
    EXPECT_EQ(layout_on_card(plan),
              (std::vector<std::string>{"card: input: into rows",
                                        "card: convert + " + stage + " + convert: into rows"}));
  }
}

}  // namespace
}  // namespace cuimg
