// SPDX-License-Identifier: Apache-2.0
// Comparing pictures on a card: every figure, position and map equals the processor's in every bit.
#include <cmath>
#include <span>

#include "card.h"
#include "compare/compare.h"
#include "compare/devices_agree.h"
#include "compare/metrics/flip_map.h"
#include "compare/metrics/metric.h"
#include "compare/metrics/weighted_values.h"
#include "support/random_picture.h"

namespace cuimg::test {
namespace {

class CompareOnCard : public Card {
 protected:
  /// Whether the card's results equal the processor's.
  testing::AssertionResult agrees(const Image& golden, const Image& result, const Limits& limits,
                                  const CompareOptions& options, const std::string& what) const {
    static const Queue cpu = Queue::cpu(1);
    const Comparison here = compare(golden, result, limits, options, cpu);
    const Comparison there = compare(golden, result, limits, options, queue());
    if (const auto text = figure_that_differs(here, there, "the CPU", "the card"))
      return testing::AssertionFailure() << *text << "\n" << what;
    return testing::AssertionSuccess();
  }
};

CompareOptions everything() {
  CompareOptions options;
  for (const Metric* metric : metrics()) options.metrics.emplace_back(metric->name);
  options.keeps_flip_maps = true;
  // Also for integers, for which HDR-FLIP does not choose exposures.
  options.metric.exposures = Exposures{-1, 2, 2};
  return options;
}

Image copy_of_all(const Image& image) {
  Image copy(image.spec());
  const Rect& window = image.spec().data_window;
  for (int l = 0; l < image.spec().layer_count(); ++l)
    for (int y = window.y; y < window.bottom(); ++y)
      std::memcpy(copy.row(l, y), image.row(l, y), image.row_bytes(l));
  return copy;
}

/// A copy with one byte in `n` changed, in the rows from `from` on.
Image changed(const Image& image, int n, int from, Draw& draw) {
  Image copy = copy_of_all(image);
  const Rect& window = image.spec().data_window;
  for (int l = 0; l < image.spec().layer_count(); ++l)
    for (int y = window.y + from; y < window.bottom(); ++y)
      for (std::size_t i = 0; i < copy.row_bytes(l); ++i)
        if (draw.one_in(n)) copy.row(l, y)[i] = static_cast<std::byte>(draw.bits());
  return copy;
}

/// Changes floats by factors. @param of_result the factors depend on the result's values and are
/// near 1. Otherwise they are between 2^-8 and 2^8, so that sums of the differences depend on their
/// order.
void scale(Image& image, bool of_result, Draw& draw) {
  const Rect& window = image.spec().data_window;
  for (int l = 0; l < image.spec().layer_count(); ++l) {
    if (image.spec().layer(l).type != PixelType::f32) continue;
    for (int y = window.y; y < window.bottom(); ++y)
      for (float& value :
           std::span(reinterpret_cast<float*>(image.row(l, y)), image.row_bytes(l) / sizeof(float)))
        value *= of_result ? draw.real(0.7f, 1.3f) : std::ldexp(1.0f, draw.number(-8, 8));
  }
}

/// Two pictures of a size that differ in some of their values. @param tame they differ in all
/// values, but slightly.
struct RandomPair {
  Image golden, result;
};
RandomPair random_pair(int width, int height, PixelType type, int channels, Draw& draw,
                       bool tame = false) {
  const Rect window = {draw.number(-9, 9), draw.number(-9, 9), width, height};
  Spec spec = spec_of(window, type, channels);
  if (draw.one_in(3)) spec.display_window = {-20, -10, 90, 70};
  if (draw.one_in(4)) spec.layers.push_back({"depth", {"Z"}, PixelType::f32});
  if (draw.one_in(4)) spec.layers.push_back({"object", {"id"}, PixelType::u32});
  if (draw.one_in(4)) {
    LayerSpec matte{"crypto", {"R", "G", "B", "A"}, PixelType::f32};
    matte.is_matte = true;
    spec.layers.push_back(matte);
  }
  RandomPair pair{noise(spec, draw.bits()), {}};
  if (tame) {
    scale(pair.golden, false, draw);
    pair.result =
        type == PixelType::f32 ? copy_of_all(pair.golden) : changed(pair.golden, 3, 0, draw);
    scale(pair.result, true, draw);
    return pair;
  }
  if (draw.one_in(3)) add_special_values(pair.golden, draw.one_in(2) ? 3 : 40, draw);
  pair.result = changed(pair.golden, draw.of(std::vector<int>{1, 7, 60, 2000}),
                        draw.one_in(3) ? height / 2 : 0, draw);
  if (draw.one_in(3)) add_special_values(pair.result, draw.one_in(2) ? 3 : 40, draw);
  return pair;
}

/// @param picture some of its pixels remain to be compared.
Limits random_limits(Draw& draw, const Rect& picture) {
  Limits limits;
  const auto some = [&](auto& limit) {
    if (draw.one_in(3)) limit = draw.real(0, draw.one_in(2) ? 1.0f : 0.01f);
  };
  some(limits.fail), some(limits.fail_relative), some(limits.hard_fail);
  some(limits.warn), some(limits.warn_relative), some(limits.hard_warn);
  some(limits.fail_density);
  if (draw.one_in(4)) limits.max_ulp = draw.number(0, 1000);
  if (draw.one_in(4)) limits.nan = NanRule::fails;
  limits.allow_non_finite = draw.one_in(3);
  // Both options together are refused.
  if (limits.allow_non_finite) limits.nan = NanRule::same;
  limits.allow_shift = draw.one_in(4);
  limits.antialiasing = draw.one_in(4);
  if (draw.one_in(3)) {
    const Rect ignored = {draw.number(-9, 20), draw.number(-9, 20), 11, 5};
    if (!ignored.contains(picture)) limits.ignore.all = {ignored};
  }
  if (draw.one_in(3)) {
    limits.fail_flip = 0.1f;
    limits.flip_statistic.percent = draw.number(0, 100);
  }
  return limits;
}

std::string describe(const Image& image, unsigned number) {
  return describe_pixels(image.spec()) + ", case " + std::to_string(number) +
         " of CUIMG_PARITY_SEED=" + std::to_string(parity_seed());
}

TEST_F(CompareOnCard, FindsWhatTheProcessorDoesInRandomPairs) {
  const std::vector<PixelType> types = {PixelType::u8, PixelType::u16, PixelType::half,
                                        PixelType::f32};
  const std::vector<int> sides = {1, 2, 3, 7, 10, 11, 12, 31, 33, 45};
  const unsigned cases = number_in("CUIMG_COMPARE_CASES", 400);
  for (unsigned number = 0; number < cases; ++number) {
    Draw draw(seed_of("compare", number));
    const RandomPair pair =
        random_pair(draw.of(sides), draw.of(sides), types[number % 4],
                    1 + static_cast<int>(number / 4 % 4), draw, number % 3 == 0);
    CompareOptions options = everything();
    options.metric.pixels_per_degree = draw.one_in(3) ? draw.real(1, 130) : 67.0206432f;
    options.metric.range = draw.one_in(3) ? draw.real(0.1f, 100) : 1.0f;
    if (draw.one_in(2)) options.metric.exposures.reset();
    ASSERT_TRUE(agrees(pair.golden, pair.result,
                       random_limits(draw, pair.golden.spec().data_window), options,
                       describe(pair.golden, number)));
  }
}

TEST_F(CompareOnCard, FindsWhatTheProcessorDoesAcrossTilesAndLanes) {
  struct Size {
    int width, height, channels;
  };
  // Sizes larger than a block's lanes, an SSIM tile, a segment of FLIP's rows, and what MS-SSIM
  // needs.
  constexpr Size sizes[] = {{300, 3, 4},  {1, 300, 3},   {513, 2, 3},
                            {140, 80, 3}, {163, 161, 1}, {270, 36, 3}};
  for (unsigned number = 0; number < std::size(sizes); ++number) {
    Draw draw(seed_of("compare large", number));
    const auto [width, height, channels] = sizes[number];
    const PixelType type = number % 2 == 0 ? PixelType::f32 : PixelType::u8;
    const RandomPair pair = random_pair(width, height, type, channels, draw, true);
    CompareOptions options = everything();
    if (number == 0) options.metric.exposures.reset();
    ASSERT_TRUE(agrees(pair.golden, pair.result, {}, options, describe(pair.golden, number)));
  }
}

TEST_F(CompareOnCard, FindsNothingInEqualPictures) {
  Draw draw(1);
  for (const PixelType type : {PixelType::u8, PixelType::f32}) {
    const Image golden = noise(spec_of({2, -3, 37, 23}, type, 4), 5);
    const Image same = copy_of_all(golden);
    ASSERT_TRUE(agrees(golden, same, {}, everything(), "equal"));
    EXPECT_EQ(compare(golden, same, {}, everything(), queue()).verdict, Verdict::same);
    // NaN in both pictures, with different bits.
    const Image nan = changed(golden, 3, 0, draw);
    Limits limits;
    limits.nan = NanRule::fails;
    ASSERT_TRUE(agrees(nan, nan, limits, everything(), "equal with NaN"));
  }
}

TEST_F(CompareOnCard, ExposesDarkPicturesAsTheProcessorDoes) {
  CompareOptions options = everything();
  options.metric.exposures.reset();
  for (const int bright_one_in : {2, 3, 9, 100000}) {
    Draw draw(static_cast<unsigned>(bright_one_in));
    Image golden = noise(spec_of({0, 0, 35, 20}, PixelType::f32, 3), 4);
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 35; ++x)
        if (!draw.one_in(bright_one_in))
          for (int c = 0; c < 3; ++c)
            reinterpret_cast<float*>(golden.row(0, y))[3 * x + c] = draw.one_in(3) ? -0.5f : 0.0f;
    ASSERT_TRUE(agrees(golden, changed(golden, 50, 0, draw), {}, options,
                       "a bright pixel of " + std::to_string(bright_one_in)));
  }
}

// Since results are only compared with the processor's, check that at least one figure can differ.
TEST_F(CompareOnCard, SeesOneValueThatDiffers) {
  const Image golden = noise(spec_of({0, 0, 280, 20}, PixelType::f32, 3), 9);
  Image result = copy_of_all(golden);
  reinterpret_cast<float*>(result.row(0, 13))[3 * 270 + 1] += 0.25f;
  const Comparison found = compare(golden, result, {}, everything(), queue());
  ASSERT_TRUE(found.worst.has_value());
  EXPECT_EQ(found.worst->x, 270);
  EXPECT_EQ(found.worst->y, 13);
  EXPECT_EQ(found.worst->channel, 1);
  EXPECT_EQ(found.pixels_differing, 1u);
  EXPECT_GT(*found.metric("flip.mean"), 0);
  EXPECT_LT(*found.metric("ssim"), 1);
  Comparison other = compare(golden, result, {}, everything(), Queue::cpu(1));
  EXPECT_FALSE(figure_that_differs(found, other, "a", "b"));
  other.layers.front().differences.sum_of_squares *= 1 + 0x1p-52;
  EXPECT_TRUE(figure_that_differs(found, other, "a", "b"));
}

TEST_F(CompareOnCard, MakesTheSamePictureOfFlip) {
  const Image golden = noise(spec_of({-3, 4, 61, 40}, PixelType::half, 4), 2);
  Draw draw(3);
  const Image result = changed(golden, 9, 5, draw);
  MetricOptions options;
  options.exposures = Exposures{-2, 1, 3};
  expect_same(flip_image(golden, result, 0, options, queue()),
              flip_image(golden, result, 0, options, Queue::cpu(1)), "FLIP");
}

TEST_F(CompareOnCard, MakesFlipInBandsAsInOnePiece) {
  const Image golden = noise(spec_of({5, -7, 40, 171}, PixelType::f32, 3), 2);
  Draw draw(3);
  const Image result = changed(golden, 9, 5, draw);
  const ComparedLayers layers(golden, result, 0, queue());
  const DisplayPair shown = display_pair(layers, {0.5f, 0.5f, 0.5f});
  const std::vector<std::optional<float>> exposures = {0.5f, 2.0f};
  for (const double pixels_per_degree : {10.0, 67.0206432}) {
    const FlipFilters filters = flip_filters(pixels_per_degree);
    const auto made = [&](std::size_t bytes) {
      return download(queue(), flip_errors_on_cuda(queue(), shown, filters, exposures, bytes));
    };
    expect_same(made(1), made(std::size_t{1} << 30), "FLIP in bands");
  }
}

TEST_F(CompareOnCard, SeesPicturesFromAnyDistance) {
  CompareOptions options = everything();
  for (const float pixels_per_degree : {1.0f, 400.0f, 1000.0f}) {
    options.metric.pixels_per_degree = pixels_per_degree;
    const Image golden = noise(spec_of({0, 0, 21, 13}, PixelType::f32, 3), 2);
    Draw draw(3);
    ASSERT_TRUE(agrees(golden, changed(golden, 9, 0, draw), {}, options,
                       std::to_string(pixels_per_degree) + " pixels per degree"));
  }
}

TEST_F(CompareOnCard, ComparesOnBothDevicesWhereAsked) {
  const Image golden = noise(spec_of({0, 0, 30, 20}, PixelType::u8, 3), 2);
  Draw draw(3);
  CompareOptions options = everything();
  options.keeps_flip_maps = false;
  options.also_on = &queue();
  const Comparison found = compare(golden, changed(golden, 9, 5, draw), {}, options, Queue::cpu(1));
  EXPECT_TRUE(found.layers.front().flip_map.empty());
  EXPECT_GT(found.pixels_differing, 0u);
}

}  // namespace
}  // namespace cuimg::test
