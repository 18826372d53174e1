// SPDX-License-Identifier: Apache-2.0
// The transfer curves compared with their standards in long double, and with their own inverses.
#include "kernels/color/transfer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "kernels/ulp.h"

namespace {

using cuimg::Transfer;
using cuimg::TransferCurve;
using Real = long double;

// The curves as printed in the standards.
Real srgb_decode(Real x) {
  return x <= 0.04045f ? x / 12.92L : std::pow((x + 0.055L) / 1.055L, 2.4L);
}
Real srgb_encode(Real x) {
  return x <= 0.0031308f ? x * 12.92L : 1.055L * std::pow(x, 1 / 2.4L) - 0.055L;
}
constexpr Real alpha = 1.09929682680944L, beta = 0.018053968510807L;
Real rec709_decode(Real x) {
  return x < static_cast<float>(4.5L * beta) ? x / 4.5L
                                             : std::pow((x + (alpha - 1)) / alpha, 1 / 0.45L);
}
Real rec709_encode(Real x) {
  return x < static_cast<float>(beta) ? x * 4.5L : alpha * std::pow(x, 0.45L) - (alpha - 1);
}
constexpr Real m1 = 2610.0L / 16384, m2 = 2523.0L / 4096 * 128, c1 = 3424.0L / 4096,
               c2 = 2413.0L / 4096 * 32, c3 = 2392.0L / 4096 * 32;
Real pq_decode(Real x) {
  const Real power = std::pow(x, 1 / m2);
  return 100 * std::pow(std::max(power - c1, 0.0L) / (c2 - c3 * power), 1 / m1);
}
Real pq_encode(Real x) {
  const Real power = std::pow(x / 100, m1);
  return std::pow((c1 + c2 * power) / (1 + c3 * power), m2);
}
const Real hlg_a = 0.17883277L, hlg_b = 1 - 4 * hlg_a, hlg_c = 0.5L - hlg_a * std::log(4 * hlg_a);
Real hlg_decode(Real x) {
  return x <= 0.5L ? x * x / 3 : (std::exp((x - hlg_c) / hlg_a) + hlg_b) / 12;
}
Real hlg_encode(Real x) {
  return x <= static_cast<float>(1 / 12.0L) ? std::sqrt(3 * x)
                                            : hlg_a * std::log(12 * x - hlg_b) + hlg_c;
}
struct Case {
  const char* name;
  Transfer transfer;
  Real (*decode)(Real);
  Real (*encode)(Real);
  float darkest, brightest;  ///< Linear range over which errors are bounded.
  double decode_ulp, encode_ulp, round_trip_ulp;
};

// The bounds are the measured errors, rounded up. Near PQ's top one ulp of the stored value is
// several ulps of the light, so no arithmetic could make the round trip more exact.
const Case cases[] = {
    {"srgb", {TransferCurve::srgb}, srgb_decode, srgb_encode, 1e-6f, 64.0f, 4, 3, 8},
    {"rec709", {TransferCurve::rec709}, rec709_decode, rec709_encode, 1e-6f, 64.0f, 4, 3, 8},
    {"pq", {TransferCurve::pq}, pq_decode, pq_encode, 1e-4f, 100.0f, 20, 15, 50},
    {"hlg", {TransferCurve::hlg}, hlg_decode, hlg_encode, 1e-6f, 12.0f, 3, 3, 12},
};

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
float from_bits(std::uint32_t b) { return std::bit_cast<float>(b); }

TEST(Transfer, CurvesFollowTheirStandards) {
  for (const Case& c : cases) {
    double decode_error = 0, encode_error = 0;
    for (std::uint32_t b = bits(c.darkest); b <= bits(c.brightest); b += 1499) {
      const float light = from_bits(b);
      encode_error = std::max(
          encode_error, cuimg::test::ulp_error(cuimg::encode(c.transfer, light), c.encode(light)));
    }
    const float first = cuimg::encode(c.transfer, c.darkest);
    const float last = cuimg::encode(c.transfer, c.brightest);
    for (std::uint32_t b = bits(first); b <= bits(last); b += 499) {
      const float stored = from_bits(b);
      decode_error =
          std::max(decode_error,
                   cuimg::test::ulp_error(cuimg::decode(c.transfer, stored), c.decode(stored)));
    }
    RecordProperty(std::string(c.name) + "_decode_ulp", std::to_string(decode_error));
    RecordProperty(std::string(c.name) + "_encode_ulp", std::to_string(encode_error));
    EXPECT_LT(decode_error, c.decode_ulp) << c.name;
    EXPECT_LT(encode_error, c.encode_ulp) << c.name;
  }
}

TEST(Transfer, DecodingAnEncodedValueReturnsIt) {
  for (const Case& c : cases) {
    double worst = 0;
    for (std::uint32_t b = bits(c.darkest); b <= bits(c.brightest); b += 1499) {
      const float light = from_bits(b);
      // With sRGB's published constants there is a step of 3e-8 between the two pieces.
      if (c.transfer.curve == TransferCurve::srgb && std::fabs(light - 0.0031308f) < 1e-7f)
        continue;
      worst =
          std::max(worst, cuimg::test::ulp_error(
                              cuimg::decode(c.transfer, cuimg::encode(c.transfer, light)), light));
    }
    RecordProperty(std::string(c.name) + "_round_trip_ulp", std::to_string(worst));
    EXPECT_LT(worst, c.round_trip_ulp) << c.name;
  }
  for (float gamma : {0.45f, 1.0f, 1.8f, 2.2f, 2.6f}) {
    const Transfer transfer{TransferCurve::gamma, gamma};
    double worst = 0;
    for (std::uint32_t b = bits(1e-6f); b <= bits(64.0f); b += 1499)
      worst = std::max(
          worst, cuimg::test::ulp_error(
                     cuimg::decode(transfer, cuimg::encode(transfer, from_bits(b))), from_bits(b)));
    EXPECT_LT(worst, 4.0) << gamma;
  }
}

TEST(Transfer, CurvesKeepBlackWhiteAndNegativeLight) {
  for (TransferCurve curve : {TransferCurve::srgb, TransferCurve::rec709, TransferCurve::gamma}) {
    const Transfer transfer{curve, 2.2f};
    EXPECT_EQ(bits(cuimg::decode(transfer, 0.0f)), 0u);
    EXPECT_EQ(bits(cuimg::encode(transfer, -0.0f)), 0x80000000u);
    EXPECT_EQ(cuimg::decode(transfer, 1.0f), 1.0f);
    EXPECT_EQ(cuimg::encode(transfer, 1.0f), 1.0f);
    for (float x : {1e-6f, 0.002f, 0.3f, 1.0f, 17.0f}) {
      EXPECT_EQ(cuimg::decode(transfer, -x), -cuimg::decode(transfer, x));
      EXPECT_EQ(cuimg::encode(transfer, -x), -cuimg::encode(transfer, x));
    }
  }
  EXPECT_EQ(cuimg::pq_decode(1.0f), 100.0f);
  EXPECT_EQ(cuimg::pq_encode(100.0f), 1.0f);
  EXPECT_EQ(cuimg::pq_decode(-0.5f), 0.0f);
  EXPECT_EQ(cuimg::pq_decode(2.0f), 100.0f);
  EXPECT_EQ(cuimg::pq_encode(-3.0f), cuimg::pq_encode(0.0f));
  EXPECT_NEAR(cuimg::hlg_encode(1.0f), 1.0f, 1e-6f);
}

TEST(Transfer, CurvesKeepInfinityAndMakeOneNan) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (const Case& c : cases) {
    for (std::uint32_t b : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu}) {
      EXPECT_EQ(bits(cuimg::decode(c.transfer, from_bits(b))), 0x7fc00000u) << c.name;
      EXPECT_EQ(bits(cuimg::encode(c.transfer, from_bits(b))), 0x7fc00000u) << c.name;
    }
    if (c.transfer.curve == TransferCurve::pq) continue;
    EXPECT_EQ(cuimg::decode(c.transfer, inf), inf) << c.name;
    EXPECT_EQ(cuimg::encode(c.transfer, inf), inf) << c.name;
    EXPECT_EQ(cuimg::decode(c.transfer, -inf), -inf) << c.name;
    EXPECT_EQ(cuimg::encode(c.transfer, -inf), -inf) << c.name;
  }
  EXPECT_EQ(bits(cuimg::decode({TransferCurve::linear}, from_bits(0x7f812345u))), 0x7f812345u);
}

}  // namespace
