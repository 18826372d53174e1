// SPDX-License-Identifier: Apache-2.0
// Maps stored values to integers in the same order, for comparisons: -0 is less than +0.
#pragma once

#include <cstdint>

#include "kernels/math/half.h"
#include "kernels/math/math.h"

namespace cuimg {

/// For a channel's type: its Key, the conversions in both directions, the highest Key, and the test
/// for NaN. No number's key is the highest, except for u8 and u16, which have only numbers.
template <class T>
struct Order;

template <>
struct Order<std::uint8_t> {
  using Key = std::uint8_t;
  static constexpr Key highest = 0xff;
  static constexpr bool has_nan = false;
  CUIMG_HD static Key key(std::uint8_t value) { return value; }
  CUIMG_HD static std::uint8_t value(Key key) { return key; }
  CUIMG_HD static bool is_nan(std::uint8_t) { return false; }
  CUIMG_HD static std::uint8_t nan() { return 0; }
};

template <>
struct Order<std::uint16_t> {
  using Key = std::uint16_t;
  static constexpr Key highest = 0xffff;
  static constexpr bool has_nan = false;
  CUIMG_HD static Key key(std::uint16_t value) { return value; }
  CUIMG_HD static std::uint16_t value(Key key) { return key; }
  CUIMG_HD static bool is_nan(std::uint16_t) { return false; }
  CUIMG_HD static std::uint16_t nan() { return 0; }
};

template <>
struct Order<Half> {
  using Key = std::int16_t;
  static constexpr Key highest = 0x7fff;
  static constexpr bool has_nan = true;
  CUIMG_HD static Key key(Half value) {
    const auto bits = static_cast<std::int16_t>(value.bits);
    return static_cast<Key>(bits ^ ((bits >> 15) & 0x7fff));
  }
  CUIMG_HD static Half value(Key key) {
    return {static_cast<std::uint16_t>(key ^ ((key >> 15) & 0x7fff))};
  }
  CUIMG_HD static bool is_nan(Half value) { return (value.bits & 0x7fff) > 0x7c00; }
  CUIMG_HD static Half nan() { return {half_quiet_nan}; }
};

template <>
struct Order<float> {
  using Key = std::int32_t;
  static constexpr Key highest = 0x7fffffff;
  static constexpr bool has_nan = true;
  CUIMG_HD static Key key(float value) { return order_key(value); }
  CUIMG_HD static float value(Key key) {
    return float_from_bits(static_cast<std::uint32_t>(key ^ ((key >> 31) & 0x7fffffff)));
  }
  CUIMG_HD static bool is_nan(float value) { return cuimg::is_nan(value); }
  CUIMG_HD static float nan() { return float_from_bits(canonical_nan_bits); }
};

}  // namespace cuimg
