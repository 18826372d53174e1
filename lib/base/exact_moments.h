// SPDX-License-Identifier: Apache-2.0
// Mean and deviation of floats from exact sums: the same in any order and on any number of threads.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/math/bits.h"

namespace cuimg {

/// Sums of values and of their squares, separate for each exponent of the value. Supports 2^36
/// values.
class ExactMoments {
 public:
  /// @param value must be finite.
  void add(float value) {
    const std::uint32_t bits = bits_of(value);
    const std::uint32_t exponent = bits >> 23 & 0xffu;
    const std::uint64_t significand = (bits & 0x7fffffu) | (exponent == 0 ? 0u : 0x800000u);
    const std::size_t bin = exponent == 0 ? 0 : exponent - 1;
    add_square(bin, significand * significand);
    sums_[bin] += static_cast<std::int64_t>((bits >> 31) != 0 ? 0 - significand : significand);
    ++count_;
  }
  void add(std::uint32_t value) {
    const std::uint64_t wide = value;
    add_square(one, wide * wide);
    sums_[one] += static_cast<std::int64_t>(wide & 0xffffu);
    sums_[one + 16] += static_cast<std::int64_t>(wide >> 16);
    ++count_;
  }
  void merge(const ExactMoments& other);

  std::uint64_t count() const { return count_; }
  /// Within an ulp of the exact mean; 0 without values.
  double mean() const;
  /// The population's deviation: divided by the count. Within 2 ulp; 0 without values.
  double variance() const;
  double standard_deviation() const;

 private:
  static constexpr std::size_t bins = 254;
  /// The bin whose unit is 1: a bin's unit is 2^(bin - 149).
  static constexpr std::size_t one = 149;

  void add_square(std::size_t bin, std::uint64_t square) {
    low_[bin] += square & 0xffffffu;
    middle_[bin] += square >> 24 & 0xffffffu;
    high_[bin] += square >> 48;
  }

  std::uint64_t count_ = 0;
  std::array<std::int64_t, bins> sums_{};
  /// The squares' bits 0 to 23, 24 to 47, and the bits from 48 on.
  std::array<std::uint64_t, bins> low_{}, middle_{}, high_{};
};

}  // namespace cuimg
