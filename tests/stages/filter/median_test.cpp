// SPDX-License-Identifier: Apache-2.0
// Median: brute force over every size and type, NaN and both zeros, and the values that it
// preserves.
#include <algorithm>
#include <limits>

#include "base/error.h"
#include "kernels/math/order.h"
#include "stages/warp/border_sampler.h"
#include "support/images.h"
#include "support/random_stage.h"

namespace cuimg::test {
namespace {

enum class Content { numbers, some_nan, much_nan };

Image random_image(const Rect& window, PixelType type, int channels, Content content,
                   unsigned seed) {
  Draw draw(seed);
  Image image(spec_of(window, type, channels));
  image.editable_spec().color = {};
  const std::size_t bytes = bytes_of(type);
  for (int y = window.y; y < window.bottom(); ++y) {
    std::byte* row = image.row(0, y);
    for (std::size_t i = 0; i < image.row_bytes(0); i += bytes) {
      for (std::size_t k = 0; k < bytes; ++k) row[i + k] = static_cast<std::byte>(draw.bits());
      if (!is_floating(type)) continue;
      const bool nan = content == Content::much_nan   ? !draw.one_in(3)
                       : content == Content::some_nan ? draw.one_in(200)
                                                      : false;
      // The upper bits of the exponent are in the last byte; if all are set, the value is NaN or
      // Inf.
      std::byte& last = row[i + bytes - 1];
      last = nan ? last | std::byte{0x7f} : last & std::byte{0xbb};
      if (nan) row[i + bytes - 2] |= std::byte{0xf0};
      if (!nan && draw.one_in(9)) std::fill_n(row + i, bytes - 1, std::byte{0});
      if (!nan && draw.one_in(18)) last &= std::byte{0x80};  // zeros of both signs
    }
  }
  return image;
}

template <class T>
Image brute_force(const Image& image, int size, Border border) {
  const BorderSampler borders(image.spec(), border);
  const Rect r = image.spec().data_window;
  const int channels = image.spec().layers[0].channel_count(), radius = size / 2;
  Image result(image.spec());
  for (int y = r.y; y < r.bottom(); ++y)
    for (int x = r.x; x < r.right(); ++x)
      for (int c = 0; c < channels; ++c) {
        std::vector<T> values;
        for (int j = y - radius; j <= y + radius; ++j)
          for (int i = x - radius; i <= x + radius; ++i) {
            const int row = borders.rows(j), column = borders.columns(i);
            const bool nothing = row == BorderAxis::nothing || column == BorderAxis::nothing;
            const T value = nothing ? T{} : value_at<T>(image, column, row, c);
            if (!Order<T>::is_nan(value)) values.push_back(value);
          }
        std::sort(values.begin(), values.end(),
                  [](T a, T b) { return Order<T>::key(a) < Order<T>::key(b); });
        const T median = values.empty() ? Order<T>::nan() : values[(values.size() - 1) / 2];
        std::memcpy(
            result.row(0, y) + static_cast<std::size_t>((x - r.x) * channels + c) * sizeof(T),
            &median, sizeof median);
      }
  return result;
}

Image brute_force(PixelType type, const Image& image, int size, Border border) {
  switch (type) {
    case PixelType::u8:
      return brute_force<std::uint8_t>(image, size, border);
    case PixelType::u16:
      return brute_force<std::uint16_t>(image, size, border);
    case PixelType::half:
      return brute_force<Half>(image, size, border);
    default:
      return brute_force<float>(image, size, border);
  }
}

TEST(Median, IsTheMiddleValueByBruteForce) {
  unsigned number = 0;
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32})
    for (const int size : {3, 5, 7, 9, 13, 31})
      for (const Content content : {Content::numbers, Content::some_nan, Content::much_nan}) {
        if (content != Content::numbers && !is_floating(type)) continue;
        ++number;
        const int channels = 1 + static_cast<int>(number % 4);
        const Border border = choices_of(Border{})[number / 4 % 4].value;
        const Rect window = {-9, 4, size > 9 ? 21 : 70, size > 9 ? 17 : 45};
        const Image source = random_image(window, type, channels, content, number);
        const std::string words = "median --raw --size " + std::to_string(size) + " --border " +
                                  std::string(choices_of(Border{})[number / 4 % 4].name);
        ASSERT_TRUE(same_pixels(run_chain(words, source), brute_force(type, source, size, border)))
            << words << " of " << describe_pixels(source.spec()) << ", number " << number;
      }
}

// Larger than one tile of ranks in both directions, with repeated values.
TEST(Median, IsTheMiddleValueInLargePicturesToo) {
  for (const int levels : {2, 1000}) {
    std::mt19937 random(3);
    const Image source = image_of(
        spec_of({0, 0, 300, 90}, PixelType::f32, 1),
        [&](int, int, int, int) { return static_cast<float>(random() % unsigned(levels)) / 7; });
    for (const int size : {5, 11}) {
      const std::string words = "median --size " + std::to_string(size);
      const Image expected = brute_force(PixelType::f32, source, size, Border::clamp);
      EXPECT_TRUE(same_pixels(run_chain(words, source), expected)) << words;
      EXPECT_TRUE(same_pixels(run_chain(words, source, {.whole = true}), expected)) << words;
    }
  }
}

TEST(Median, IsMadeWholeOfVeryTallPictures) {
  const Image source = noise(spec_of({0, 0, 3, 1000}, PixelType::u8, 1));
  EXPECT_TRUE(same_pixels(run_chain("median --size 9", source, {.whole = true}),
                          run_chain("median --size 9", source)));
}

// scipy.ndimage.median_filter(a, size=3, mode="nearest") of numpy.arange(20).reshape(4, 5) * 7
// % 11.
TEST(Median, AgreesWithScipy) {
  const Image source =
      image_of(spec_of({0, 0, 5, 4}, PixelType::f32, 1),
               [](int, int x, int y, int) { return static_cast<float>((y * 5 + x) * 7 % 11); });
  const int expected[4][5] = {{2, 3, 7, 6, 6}, {2, 4, 5, 6, 8}, {4, 5, 5, 5, 5}, {4, 6, 5, 5, 3}};
  const Image result = run_chain("median", source);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x) EXPECT_EQ(value_at(result, x, y), expected[y][x]) << x << "," << y;
}

TEST(Median, TakesOutSpecksAndKeepsEdgesAndTypes) {
  const Image source =
      image_of(spec_of({0, 0, 40, 30}, PixelType::u16, 3), [](int, int x, int y, int) {
        return x == 7 && y == 9 ? 1.0f : x < 20 ? 0.25f : 0.75f;
      });
  const Image result = run_chain("median --size 7", source);
  EXPECT_EQ(result.spec().layers[0].type, PixelType::u16);
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x)
      EXPECT_EQ(value_at<std::uint16_t>(result, x, y),
                value_at<std::uint16_t>(source, x < 20 ? 0 : 39, 0));
}

TEST(Median, RefusesSizesWithoutAMiddle) {
  const Image source = noise(spec_of({0, 0, 4, 4}, PixelType::u8, 1));
  EXPECT_THROW(run_chain("median --size 4", source), Error);
  for (const char* size : {"1", "33", "-3"})
    EXPECT_THROW(parse_chain(std::string("median --size ") + size), Error) << size;
}

}  // namespace
}  // namespace cuimg::test
