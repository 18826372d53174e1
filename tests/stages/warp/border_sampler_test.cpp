// SPDX-License-Identifier: Apache-2.0
// The pixels of an image that appear in a region beyond its edges.
#include "stages/warp/border_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <random>

namespace cuimg::test {
namespace {

constexpr BorderRule rules[] = {BorderRule::clamp, BorderRule::wrap, BorderRule::mirror,
                                BorderRule::zero};

class Numbers {
 public:
  explicit Numbers(unsigned seed) : random_(seed) {}
  int operator()(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }

 private:
  std::mt19937 random_;
};

BorderAxis random_axis(Numbers& number, int i) {
  BorderAxis axis;
  axis.rule = rules[i % 4];
  axis.low = number(-6, 6);
  axis.high = axis.low + number(1, 12);
  axis.frame_low = number(0, 2) == 0 ? number(-6, 6) : axis.low;
  axis.frame_high =
      number(0, 2) == 0 ? axis.frame_low + number(1, 12) : std::max(axis.high, axis.frame_low + 1);
  return axis;
}

TEST(BorderSampler, SourcesHoldWhateverIsRead) {
  Numbers number(3);
  for (int i = 0; i < 200'000; ++i) {
    const BorderAxis axis = random_axis(number, i);
    const int from = number(-40, 40), to = from + number(1, 20);
    int low = INT_MAX, high = INT_MIN;
    for (int at = from; at < to; ++at)
      if (const int read = axis(at); read != BorderAxis::nothing)
        low = std::min(low, read), high = std::max(high, read + 1);
    const BorderSampler sampler(axis, axis);
    const Rect region{from, from, to - from, to - from};
    for (const Rect& sources : {sampler.sources(region), sampler.sources_one_by_one(region)}) {
      if (sources.empty()) {
        ASSERT_GT(low, high) << i;
        continue;
      }
      ASSERT_GE(sources.x, axis.low);
      ASSERT_LE(sources.right(), axis.high);
      if (low > high) continue;
      ASSERT_LE(sources.x, low) << i;
      ASSERT_GE(sources.right(), high) << i;
      ASSERT_EQ(sources.x, sources.y);
    }
  }
}

// The kernels of stencils rely on this: for a window that touches the picture they get only the
// visible part, and an axis for that part alone gives the same answer for every index.
TEST(BorderSampler, OfThePartThatIsReadSaysTheSame) {
  Numbers number(5);
  for (int i = 0; i < 400'000; ++i) {
    const BorderAxis axis = random_axis(number, i);
    const int inside = number(axis.low, axis.high - 1);
    const int from = inside - number(0, 25), to = inside + 1 + number(0, 25);
    const BorderSampler sampler(axis, axis);
    const Rect sources = sampler.sources({from, from, to - from, to - from});
    const BorderAxis part = sampler.within(sources).columns;
    for (int at = from; at < to; ++at)
      ASSERT_EQ(part(at), axis(at))
          << i << ": index " << at << " of [" << from << ", " << to << "), pixels [" << axis.low
          << ", " << axis.high << "), frame [" << axis.frame_low << ", " << axis.frame_high
          << "), rule " << static_cast<int>(axis.rule);
  }
}

TEST(BorderSampler, AMirrorNearOneEdgeReadsWhatLiesThere) {
  const auto read = [](const BorderAxis& axis, int from, int to) {
    const Rect r = BorderSampler(axis, axis).sources({from, from, to - from, to - from});
    return std::pair{r.x, r.right()};
  };
  const BorderAxis axis = {0, 100, 0, 100, BorderRule::mirror};
  EXPECT_EQ(read(axis, -5, 20), (std::pair{0, 20}));
  EXPECT_EQ(read(axis, -30, 10), (std::pair{0, 30}));
  EXPECT_EQ(read(axis, 90, 130), (std::pair{70, 100}));
  EXPECT_EQ(read(axis, -1, 101), (std::pair{0, 100}));
  EXPECT_EQ(read(axis, -101, 1), (std::pair{0, 100}));
  const BorderAxis overscan = {-20, 120, 0, 100, BorderRule::mirror};
  EXPECT_EQ(read(overscan, -25, -15), (std::pair{-20, -15}));
  EXPECT_EQ(read(overscan, 110, 125), (std::pair{110, 120}));
}

TEST(BorderSampler, OnOneSideOfAnEdgeOneSideOfThePictureIsRead) {
  const auto read = [](BorderRule rule, int from, int to) {
    const BorderAxis axis = {0, 100, 0, 100, rule};
    const Rect r = BorderSampler(axis, axis).sources_one_by_one({from, from, to - from, to - from});
    return std::pair{r.x, r.right()};
  };
  EXPECT_EQ(read(BorderRule::wrap, -30, -10), (std::pair{70, 90}));
  EXPECT_EQ(read(BorderRule::wrap, 100, 120), (std::pair{0, 20}));
  EXPECT_EQ(read(BorderRule::wrap, 320, 340), (std::pair{20, 40}));
  EXPECT_EQ(read(BorderRule::wrap, -1, 1), (std::pair{0, 100}));
  EXPECT_EQ(read(BorderRule::wrap, 190, 210), (std::pair{0, 100}));
  EXPECT_EQ(read(BorderRule::mirror, -30, -10), (std::pair{10, 30}));
  EXPECT_EQ(read(BorderRule::mirror, -5, 10), (std::pair{0, 10}));
  EXPECT_EQ(read(BorderRule::mirror, 90, 105), (std::pair{90, 100}));
  EXPECT_EQ(read(BorderRule::mirror, 250, 260), (std::pair{50, 60}));
  EXPECT_EQ(read(BorderRule::mirror, 195, 210), (std::pair{0, 100}));
}

}  // namespace
}  // namespace cuimg::test
