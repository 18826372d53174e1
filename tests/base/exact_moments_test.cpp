// SPDX-License-Identifier: Apache-2.0
// Exact sums: known values, cancellation that floats would lose, any order.
#include "base/exact_moments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace cuimg::test {
namespace {

template <class T>
ExactMoments moments_of(const std::vector<T>& values) {
  ExactMoments moments;
  for (const T v : values) moments.add(v);
  return moments;
}

TEST(ExactMoments, OfNothingAreZero) {
  EXPECT_EQ(ExactMoments().count(), 0u);
  EXPECT_EQ(ExactMoments().mean(), 0);
  EXPECT_EQ(ExactMoments().standard_deviation(), 0);
}

TEST(ExactMoments, OfSmallNumbersAreTheFormulas) {
  const ExactMoments m = moments_of<float>({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(m.count(), 8u);
  EXPECT_EQ(m.mean(), 5);
  EXPECT_EQ(m.variance(), 4);
  EXPECT_EQ(m.standard_deviation(), 2);
  EXPECT_EQ(moments_of<float>({-3}).mean(), -3);
  EXPECT_EQ(moments_of<float>({0.1f, 0.1f, 0.1f}).mean(), static_cast<double>(0.1f));
  EXPECT_EQ(moments_of<float>({0.1f, 0.1f, 0.1f}).variance(), 0);
}

TEST(ExactMoments, KeepWhatDoublesWouldLose) {
  const float huge = std::numeric_limits<float>::max();
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(moments_of<float>({huge, tiny, -huge}).mean(), static_cast<double>(tiny) / 3);
  EXPECT_EQ(moments_of<float>({1e30f, 1, -1e30f, 1}).mean(), 0.5);
  // Large numbers with a small difference: only the difference of the squares matters.
  const ExactMoments near = moments_of<float>({16777214, 16777216});
  EXPECT_EQ(near.mean(), 16777215);
  EXPECT_EQ(near.variance(), 1);
  const ExactMoments extreme = moments_of<float>({huge, -huge});
  EXPECT_EQ(extreme.standard_deviation(), static_cast<double>(huge));
  EXPECT_EQ(moments_of<float>({tiny, -tiny}).standard_deviation(), static_cast<double>(tiny));
}

TEST(ExactMoments, OfIntegersReachThirtyTwoBits) {
  const ExactMoments m = moments_of<std::uint32_t>({0xffffffffu, 0xffffffffu, 0});
  EXPECT_EQ(m.mean(), 4294967295.0 * 2 / 3);
  const double spread = 4294967295.0 * std::sqrt(2.0) / 3;
  EXPECT_NEAR(m.standard_deviation() / spread, 1, 1e-15);
}

TEST(ExactMoments, DoNotDependOnTheOrder) {
  std::mt19937 random(1);
  std::vector<float> values;
  for (int i = 0; i < 5000; ++i) {
    const float v = float_from_bits(static_cast<std::uint32_t>(random()));
    if (std::isfinite(v)) values.push_back(v);
  }
  const ExactMoments forward = moments_of(values);
  std::shuffle(values.begin(), values.end(), random);
  ExactMoments pieces;
  for (std::size_t i = 0; i < values.size(); i += 77)
    pieces.merge(moments_of(std::vector<float>(
        values.begin() + static_cast<std::ptrdiff_t>(i),
        values.begin() + static_cast<std::ptrdiff_t>(std::min(i + 77, values.size())))));
  EXPECT_EQ(pieces.count(), forward.count());
  EXPECT_EQ(pieces.mean(), forward.mean());
  EXPECT_EQ(pieces.variance(), forward.variance());
  // Compared with long doubles, whose range is large enough for the squares.
  long double sum = 0, squares = 0;
  for (const float v : values) sum += v, squares += static_cast<long double>(v) * v;
  const long double n = static_cast<long double>(values.size());
  EXPECT_NEAR(static_cast<double>(forward.variance() / ((squares - sum * sum / n) / n)), 1, 1e-12);
}

}  // namespace
}  // namespace cuimg::test
