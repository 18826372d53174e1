// SPDX-License-Identifier: Apache-2.0
#include "base/exact_moments.h"

#include <cmath>

namespace cuimg {
namespace {

// An unsigned integer of 768 bits, enough for the count times the sum of squares of both the
// largest and the smallest floats.
class Wide {
 public:
  void add(std::uint64_t value, std::size_t shift) {
    std::size_t word = shift / 32;
    const std::size_t bit = shift % 32;
    const std::uint64_t parts[3] = {(value << bit) & 0xffffffffu,
                                    (bit == 0 ? value >> 32 : value >> (32 - bit)) & 0xffffffffu,
                                    bit == 0 ? 0 : value >> (64 - bit)};
    std::uint64_t carry = 0;
    for (std::size_t i = 0; word < words.size() && (i < 3 || carry != 0); ++i, ++word) {
      carry += words[word] + (i < 3 ? parts[i] : 0);
      words[word] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  /// @param other not larger than this.
  void subtract(const Wide& other) {
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      borrow += static_cast<std::int64_t>(words[i]) - static_cast<std::int64_t>(other.words[i]);
      words[i] = static_cast<std::uint32_t>(borrow);
      borrow >>= 32;
    }
  }
  bool operator<(const Wide& other) const {
    for (std::size_t i = words.size(); i-- > 0;)
      if (words[i] != other.words[i]) return words[i] < other.words[i];
    return false;
  }
  Wide times(const Wide& other) const {
    Wide product;
    for (std::size_t i = 0; i < words.size(); ++i)
      for (std::size_t j = 0; words[i] != 0 && i + j < words.size(); ++j)
        if (other.words[j] != 0)
          product.add(std::uint64_t{words[i]} * other.words[j], 32 * (i + j));
    return product;
  }
  /// The double nearest to this times 2^exponent, which must be in the normal range.
  double scaled(int exponent) const {
    std::size_t top = words.size();
    while (top > 0 && words[top - 1] == 0) --top;
    if (top == 0) return 0;
    std::uint64_t value = 0;
    // Its highest 64 bits; the last one is also set if any omitted bit is set.
    const int length = static_cast<int>(32 * top) - 31 + floor_log2(words[top - 1]);
    const int dropped = length > 64 ? length - 64 : 0;
    for (int i = 0; i < 64 && dropped + i < length; ++i)
      value |= std::uint64_t{bit(dropped + i)} << i;
    for (int i = 0; i < dropped; ++i) value |= bit(i);
    return std::ldexp(static_cast<double>(value), dropped + exponent);
  }

 private:
  std::uint32_t bit(int i) const {
    return words[static_cast<std::size_t>(i / 32)] >> (i % 32) & 1u;
  }
  std::array<std::uint32_t, 24> words{};
};

// A sum's sign and magnitude, in units of 2^-149.
struct Sum {
  Wide magnitude;
  bool negative;
};

template <class Sums>
Sum sum_of(const Sums& sums) {
  Wide above, below;
  for (std::size_t bin = 0; bin < sums.size(); ++bin) {
    if (sums[bin] > 0) above.add(static_cast<std::uint64_t>(sums[bin]), bin);
    if (sums[bin] < 0) below.add(0 - static_cast<std::uint64_t>(sums[bin]), bin);
  }
  const bool negative = above < below;
  Wide& larger = negative ? below : above;
  larger.subtract(negative ? above : below);
  return {larger, negative};
}

}  // namespace

void ExactMoments::merge(const ExactMoments& other) {
  count_ += other.count_;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    sums_[bin] += other.sums_[bin];
    low_[bin] += other.low_[bin];
    middle_[bin] += other.middle_[bin];
    high_[bin] += other.high_[bin];
  }
}

double ExactMoments::mean() const {
  if (count_ == 0) return 0;
  const Sum sum = sum_of(sums_);
  const double magnitude = sum.magnitude.scaled(-149) / static_cast<double>(count_);
  return sum.negative ? -magnitude : magnitude;
}

double ExactMoments::variance() const {
  if (count_ == 0) return 0;
  Wide squares;  // in units of 2^-298
  for (std::size_t bin = 0; bin < bins; ++bin) {
    squares.add(low_[bin], 2 * bin);
    squares.add(middle_[bin], 2 * bin + 24);
    squares.add(high_[bin], 2 * bin + 48);
  }
  Wide count;
  count.add(count_, 0);
  const Wide sum = sum_of(sums_).magnitude;
  Wide spread = count.times(squares);
  spread.subtract(sum.times(sum));
  const double n = static_cast<double>(count_);
  return spread.scaled(-298) / n / n;
}

double ExactMoments::standard_deviation() const { return std::sqrt(variance()); }

}  // namespace cuimg
