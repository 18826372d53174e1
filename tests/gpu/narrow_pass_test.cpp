// SPDX-License-Identifier: Apache-2.0
// Passes over pictures as stored in files: every type, with and without alpha. A card processes
// them as a whole or channel by channel, with tables or computed.
#include "card.h"
#include "image/srgb_tables.h"
#include "stages/pass/pixel_pass.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

using NarrowPass = Card;

// Random bits, including NaN and infinities; every fourth alpha is 0 or 1.
Image any_pixels(const Rect& window, PixelType type, int channels) {
  Image image = random_image(window, type, channels);
  Spec spec = spec_of(window, type, channels);
  if (type == PixelType::half) spec.color.premultiplied = true;
  Image named(spec);
  const std::size_t alpha = channels == 4 ? 3 : 1, size = bytes_of(type);
  for (int y = window.y; y < window.bottom(); ++y) {
    std::memcpy(named.row(0, y), image.row(0, y), image.row_bytes(0));
    if (channels % 2 == 0 && !is_floating(type))
      for (int x = 0; x < window.width; x += 4)
        std::memset(named.row(0, y) + (static_cast<std::size_t>(x * channels) + alpha) * size,
                    y % 2 == 0 ? 0 : 255, size);
  }
  return named;
}

void expect_the_same(const Queue& card, const std::string& words, const Image& source,
                     const std::string& format) {
  const Queue cpu = Queue::cpu();
  const PixelType type = source.spec().layers[0].type;
  ChainOptions options{.format = format, .type = type};
  const Plan plan = plan_of(parse_chain(words), source.spec(), options);
  options.queue = &cpu;
  const Image expected = run_plan(plan, source, options);
  options.queue = &card;
  EXPECT_TRUE(same_pixels(run_plan(plan, source, options), expected))
      << words << ", " << name_of(type) << " x " << source.spec().layers[0].channel_count() << ", "
      << source.spec().data_window.width;
}

const char* const mixing[] = {"tonemap --curve agx",
                              "saturation --amount 1.3",
                              "grayscale",
                              "exposure --stops 1 + saturation --amount 0.7",
                              "encode --curve srgb + invert",
                              "premult",
                              "unpremult"};
const char* const by_channel[] = {"exposure --stops 0.7", "gain --value 0.4",
                                  "levels --black 0.1 --gamma 1.4",
                                  "curve --points '0,0 0.3,0.2 0.7,0.8 1,1'"};

TEST_F(NarrowPass, GivesTheSameBytes) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half})
    for (const int channels : {1, 2, 3, 4}) {
      const std::string format = type == PixelType::half ? "exr" : "png";
      for (const auto& [width, height] : {std::pair{1030, 7}, {61, 40}, {1, 3}}) {
        const Image source = any_pixels({3, -2, width, height}, type, channels);
        for (const char* words : mixing) expect_the_same(queue(), words, source, format);
        for (const char* words : by_channel) expect_the_same(queue(), words, source, format);
      }
    }
}

// Light at the boundary between two codes, and one float to each side of it.
TEST_F(NarrowPass, EncodesTheThresholdsOfEveryCode) {
  for (const PixelType type : {PixelType::u8, PixelType::u16}) {
    const int codes = type == PixelType::u8 ? 255 : 65535;
    const auto encoded = [&](float light) -> int {
      return type == PixelType::u8 ? linear_to_srgb8(srgb8_tables(), light)
                                   : linear_to_srgb16(srgb16_tables(), light);
    };
    Image source(spec_of({0, 0, 3 * 256, (codes + 256) / 256}, PixelType::f32, 4));
    for (int code = 1; code <= codes; ++code) {
      // Finds the smallest float of the code by bisection.
      std::uint32_t low = 0, high = bits_of(1.0f);
      while (high - low > 1) {
        const std::uint32_t middle = low + (high - low) / 2;
        (encoded(float_from_bits(middle)) < code ? low : high) = middle;
      }
      auto* const pixels = reinterpret_cast<float*>(source.row(0, code / 256)) + code % 256 * 12;
      for (int i = 0; i < 12; ++i)
        pixels[i] = i % 4 == 3 ? 1.0f : float_from_bits(high - 1 + static_cast<unsigned>(i / 4));
    }
    const Queue cpu = Queue::cpu();
    ChainOptions options{.format = "png", .type = type};
    const Plan plan = plan_of(parse_chain("exposure --stops 0"), source.spec(), options);
    options.queue = &cpu;
    const Image expected = run_plan(plan, source, options);
    options.queue = &queue();
    EXPECT_TRUE(same_pixels(run_plan(plan, source, options), expected)) << name_of(type);
  }
}

TEST_F(NarrowPass, LooksUpWhatTheProcessorComputes) {
  for (const int channels : {1, 2, 3, 4})
    for (const int width : {512, 517}) {
      const Image source = any_pixels({0, 0, width, 300}, PixelType::u8, channels);
      for (const char* words : by_channel) {
        const Plan plan =
            plan_of(parse_chain(words), source.spec(), {.format = "png", .type = PixelType::u8});
        const PixelPass& pass = *plan.steps.at(0).operation->plan().layer(0).pixel_pass;
        ASSERT_TRUE(CodeTable::fits(pass));
        Image expected(source.spec()), made(source.spec());
        run_pass_on_cpu(pass, Frame::over_image(source, 0), Frame::over_image(expected, 0));
        const Frame target = queue().allocate(
            {source.spec().data_window, PixelType::u8, channels, Storage::pitched});
        CodeTable(pass).apply_on_cuda(queue(), upload(queue(), source, Storage::pitched), target);
        RowProgress done;
        queue().download(target, made, 0, done);
        EXPECT_TRUE(same_pixels(made, expected)) << words << ", " << channels << ", " << width;
      }
    }
}

// With alphas for which divisions round in different ways.
TEST_F(NarrowPass, ScalesEveryCodeOf16Bits) {
  constexpr std::uint16_t alphas[] = {65535, 0, 1, 3, 255, 21845, 43691, 65534};
  for (const int channels : {3, 4}) {
    Image source(spec_of({0, 0, 256, 256 * int{std::size(alphas)}}, PixelType::u16, channels));
    for (int y = 0; y < source.spec().data_window.height; ++y) {
      auto* const row = reinterpret_cast<std::uint16_t*>(source.row(0, y));
      for (int x = 0; x < 256; ++x)
        for (int c = 0; c < channels; ++c)
          row[channels * x + c] =
              c == 3 ? alphas[y / 256] : static_cast<std::uint16_t>(256 * y + x + 21845 * c);
    }
    for (const char* words :
         {"exposure --stops 1", "exposure --stops -3", "exposure --stops 0.3", "gain --value 0.999",
          "gain --value -1", "gain --value 0.7 + exposure --stops 0.6 + gain --value 0.9"})
      expect_the_same(queue(), words, source, "png");
  }
}

TEST_F(NarrowPass, MovesTexelsOfEverySize) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32})
    for (const int channels : {1, 2, 3, 4})
      for (const auto& [width, height] : {std::pair{64, 48}, {96, 3}, {77, 41}, {1, 1}, {33, 64}}) {
        const Image source = any_pixels({5, -7, width, height}, type, channels);
        for (const char* words : {"flop", "flip", "rotate180", "rotate90", "rotate270",
                                  "flop + rotate90", "crop --region 24x2+21-7 + flop"})
          if (width > 40 || std::string(words).find("crop") == std::string::npos)
            expect_the_same(queue(), words, source, is_floating(type) ? "exr" : "png");
      }
}

}  // namespace
}  // namespace cuimg::test
