// SPDX-License-Identifier: Apache-2.0
// The logarithmic curves compared with their makers' printed formulas in long double, and with
// their own inverses.
#include "stages/color/curve_list.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/ulp.h"

namespace cuimg::test {
namespace {

using Real = long double;

Real power_of_10(Real x) { return std::pow(10.0L, x); }

Real acescct(Real x) {
  return x <= 0.0078125L ? 10.5402377416545L * x + 0.0729055341958355L
                         : (std::log2(x) + 9.72L) / 17.52L;
}
Real acescct_light(Real v) {
  return v <= 0.155251141552511L ? (v - 0.0729055341958355L) / 10.5402377416545L
                                 : std::exp2(v * 17.52L - 9.72L);
}
Real cineon(Real x) {
  const Real black = power_of_10((95 - 685.0L) / 300);
  return (685 + 300 * std::log10(x * (1 - black) + black)) / 1023;
}
Real cineon_light(Real v) {
  const Real black = power_of_10((95 - 685.0L) / 300);
  return (power_of_10((1023 * v - 685) / 300) - black) / (1 - black);
}
Real logc3(Real x) {
  return x > 0.010591L ? 0.247190L * std::log10(5.555556L * x + 0.052272L) + 0.385537L
                       : 5.367655L * x + 0.092809L;
}
Real logc3_light(Real v) {
  return v > 5.367655L * 0.010591L + 0.092809L
             ? (power_of_10((v - 0.385537L) / 0.247190L) - 0.052272L) / 5.555556L
             : (v - 0.092809L) / 5.367655L;
}
const Real c4_a = (std::pow(2.0L, 18) - 16) / 117.45L, c4_b = (1023 - 95) / 1023.0L,
           c4_c = 95 / 1023.0L;
const Real c4_s = 7 * std::log(2.0L) * std::exp2(7 - 14 * c4_c / c4_b) / (c4_a * c4_b);
const Real c4_t = (std::exp2(14 * (-c4_c / c4_b) + 6) - 64) / c4_a;
Real logc4(Real x) {
  return x >= c4_t ? (std::log2(c4_a * x + 64) - 6) / 14 * c4_b + c4_c : (x - c4_t) / c4_s;
}
Real logc4_light(Real v) {
  return v >= 0 ? (std::exp2(14 * (v - c4_c) / c4_b + 6) - 64) / c4_a : v * c4_s + c4_t;
}
Real slog3(Real x) {
  return x >= 0.01125L ? (420 + std::log10((x + 0.01L) / 0.19L) * 261.5L) / 1023
                       : (x * (171.2102946929L - 95) / 0.01125L + 95) / 1023;
}
Real slog3_light(Real v) {
  return v >= 171.2102946929L / 1023 ? power_of_10((v * 1023 - 420) / 261.5L) * 0.19L - 0.01L
                                     : (v * 1023 - 95) * 0.01125L / (171.2102946929L - 95);
}
Real vlog(Real x) {
  return x < 0.01L ? 5.6L * x + 0.125L : 0.241514L * std::log10(x + 0.00873L) + 0.598206L;
}
Real vlog_light(Real v) {
  return v < 0.181L ? (v - 0.125L) / 5.6L : power_of_10((v - 0.598206L) / 0.241514L) - 0.00873L;
}
Real clog2(Real light) {
  const Real x = light / 0.9L;
  return x < 0 ? -0.24136077L * std::log10(1 - 87.09937546L * x) + 0.092864125L
               : 0.24136077L * std::log10(87.09937546L * x + 1) + 0.092864125L;
}
Real clog2_light(Real v) {
  return 0.9L * (v < 0.092864125L
                     ? -(power_of_10((0.092864125L - v) / 0.24136077L) - 1) / 87.09937546L
                     : (power_of_10((v - 0.092864125L) / 0.24136077L) - 1) / 87.09937546L);
}
Real clog3(Real light) {
  const Real x = light / 0.9L;
  return x < -0.014L   ? -0.36726845L * std::log10(-x * 14.98325L + 1) + 0.12783901L
         : x <= 0.014L ? 1.9754798L * x + 0.12512219L
                       : 0.36726845L * std::log10(x * 14.98325L + 1) + 0.12240537L;
}
Real clog3_light(Real v) {
  return 0.9L * (v < 0.097465473L ? -(power_of_10((0.12783901L - v) / 0.36726845L) - 1) / 14.98325L
                 : v <= 0.15277891L
                     ? (v - 0.12512219L) / 1.9754798L
                     : (power_of_10((v - 0.12240537L) / 0.36726845L) - 1) / 14.98325L);
}
Real log3g10(Real light) {
  const Real x = light + 0.01L;
  return x < 0 ? x * 15.1927L : 0.224282L * std::log10(x * 155.975327L + 1);
}
Real log3g10_light(Real v) {
  return (v < 0 ? v / 15.1927L : (power_of_10(v / 0.224282L) - 1) / 155.975327L) - 0.01L;
}
Real davinci(Real x) {
  return x > 0.00262409L ? 0.07329248L * (std::log2(x + 0.0075L) + 7) : x * 10.44426855L;
}
Real davinci_light(Real v) {
  return v > 0.02740668L ? std::exp2(v / 0.07329248L - 7) - 0.0075L : v / 10.44426855L;
}
Real bmdfilm5(Real x) {
  return x < 0.005L
             ? 8.283605932402494L * x + 0.09246575342465753L
             : 0.08692876065491224L * std::log(x + 0.005494072432257808L) + 0.5300133392291939L;
}
Real bmdfilm5_light(Real v) {
  return v < 8.283605932402494L * 0.005L + 0.09246575342465753L
             ? (v - 0.09246575342465753L) / 8.283605932402494L
             : std::exp((v - 0.5300133392291939L) / 0.08692876065491224L) - 0.005494072432257808L;
}
Real flog(Real x) {
  return x >= 0.00089L ? 0.344676L * std::log10(0.555556L * x + 0.009468L) + 0.790453L
                       : 8.735631L * x + 0.092864L;
}
Real flog_light(Real v) {
  return v >= 0.100537775223865L
             ? power_of_10((v - 0.790453L) / 0.344676L) / 0.555556L - 0.009468L / 0.555556L
             : (v - 0.092864L) / 8.735631L;
}
Real flog2(Real x) {
  return x >= 0.000889L ? 0.245281L * std::log10(5.555556L * x + 0.064829L) + 0.384316L
                        : 8.799461L * x + 0.092864L;
}
Real flog2_light(Real v) {
  return v >= 0.100686685370811L
             ? power_of_10((v - 0.384316L) / 0.245281L) / 5.555556L - 0.064829L / 5.555556L
             : (v - 0.092864L) / 8.799461L;
}
Real dlog(Real x) {
  return x <= 0.0078L ? 6.025L * x + 0.0929L
                      : std::log10(x * 0.9892L + 0.0108L) * 0.256663L + 0.584555L;
}
// The paper prints a rounded inverse; this solves its curve.
Real dlog_light(Real v) {
  return v <= 6.025L * 0.0078L + 0.0929L
             ? (v - 0.0929L) / 6.025L
             : (power_of_10((v - 0.584555L) / 0.256663L) - 0.0108L) / 0.9892L;
}

struct Formula {
  const char* name;
  Real (*encode)(Real);
  Real (*decode)(Real);
  double step;  ///< Between the two pieces of the published curve; 0 if they meet.
};

const Formula formulas[] = {
    {"acescct", acescct, acescct_light, 0},    {"cineon", cineon, cineon_light, 0},
    {"logc3", logc3, logc3_light, 4e-6},       {"logc4", logc4, logc4_light, 0},
    {"slog3", slog3, slog3_light, 1e-7},       {"vlog", vlog, vlog_light, 1e-5},
    {"clog2", clog2, clog2_light, 0},          {"clog3", clog3, clog3_light, 1e-6},
    {"log3g10", log3g10, log3g10_light, 0},    {"davinci", davinci, davinci_light, 1e-6},
    {"bmdfilm5", bmdfilm5, bmdfilm5_light, 0}, {"flog", flog, flog_light, 1.1e-4},
    {"flog2", flog2, flog2_light, 1e-5},       {"dlog", dlog, dlog_light, 2e-4},
};

const NamedCurve& curve_named(const std::string& name) {
  return curve_of(choice_named<CurveNumber>(name));
}

std::vector<float> through(const std::vector<PixelOp>& ops, std::vector<float> values) {
  std::vector<float> rest(3 * values.size());
  float* const planes[4] = {values.data(), rest.data(), rest.data() + values.size(),
                            rest.data() + 2 * values.size()};
  run_pixel_ops(ops, planes, values.size(), {1, 1, -1});
  return values;
}
std::vector<float> encoded(const Formula& f, const std::vector<float>& light) {
  return through(encoding_ops(curve_named(f.name), 1), light);
}
std::vector<float> decoded(const Formula& f, const std::vector<float>& values) {
  return through(decoding_ops(curve_named(f.name), 1), values);
}

// From 2^-20 to 64 in steps of a hundredth of a stop, and some values below 0.
std::vector<float> much_light(float least) {
  std::vector<float> light;
  for (int i = 0; i < 2600; ++i) light.push_back(std::exp2(static_cast<float>(i) / 100 - 20));
  if (least < 0) {
    light.push_back(0);
    for (int i = 0; i < 2000; ++i) light.push_back(-std::exp2(static_cast<float>(i) / 100 - 20));
  }
  return light;
}

// Cineon's formula has no values for light far below black.
float least_light(const Formula& f) { return f.name == std::string("cineon") ? 0.0f : -1.0f; }

TEST(LogCurves, AreTheirMakersFormulas) {
  for (const Formula& f : formulas) {
    const std::vector<float> light = much_light(least_light(f));
    const std::vector<float> values = encoded(f, light);
    const std::vector<float> back = decoded(f, values);
    for (std::size_t i = 0; i < light.size(); ++i) {
      const Real exact = f.encode(static_cast<Real>(light[i]));
      EXPECT_NEAR(values[i], static_cast<double>(exact),
                  2.5e-7 * std::max(0.1, std::abs(static_cast<double>(exact))))
          << f.name << " " << light[i];
      // The light of a value's last bit, and the precision of the logarithm's argument.
      const Real value = static_cast<Real>(values[i]);
      const Real last_bit = std::ldexp(std::max(std::fabs(value), 0.05L), -24);
      const Real worth = std::fabs(f.decode(value + last_bit) - f.decode(value - last_bit));
      EXPECT_NEAR(back[i], static_cast<double>(f.decode(value)),
                  static_cast<double>(2 * worth + 4e-7L * std::fabs(f.decode(value)) + 2e-9L))
          << f.name << " " << values[i];
    }
  }
}

TEST(LogCurves, ComeBackToTheLightTheyWereMadeOf) {
  for (const Formula& f : formulas) {
    const std::vector<float> light = much_light(-1);
    const std::vector<float> back = decoded(f, encoded(f, light));
    // If two pieces do not meet, the error includes the step, at a slope of at least 4.
    for (std::size_t i = 0; i < light.size(); ++i)
      EXPECT_NEAR(back[i], light[i], 4e-6 * std::abs(light[i]) + 3e-8 + f.step / 4)
          << f.name << " " << light[i];
  }
}

TEST(LogCurves, RiseEverywhereButForTheStepsTheirMakersPrint) {
  for (const Formula& f : formulas) {
    std::vector<float> light;
    for (int i = -4000; i <= 40000; ++i) light.push_back(static_cast<float>(i) / 20000);
    const std::vector<float> values = encoded(f, light);
    for (std::size_t i = 1; i < light.size(); ++i)
      EXPECT_GT(values[i], values[i - 1]) << f.name << " " << light[i];
  }
}

TEST(LogCurves, KeepInfinityAndMakeOneNan) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (const Formula& f : formulas) {
    EXPECT_EQ(encoded(f, {inf, -inf}), (std::vector<float>{inf, -inf})) << f.name;
    EXPECT_EQ(decoded(f, {inf, -inf}), (std::vector<float>{inf, -inf})) << f.name;
    for (const std::uint32_t nan : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu}) {
      const std::vector<float> values = {std::bit_cast<float>(nan)};
      EXPECT_EQ(std::bit_cast<std::uint32_t>(encoded(f, values)[0]), 0x7fc00000u) << f.name;
      EXPECT_EQ(std::bit_cast<std::uint32_t>(decoded(f, values)[0]), 0x7fc00000u) << f.name;
    }
    const float largest = std::numeric_limits<float>::max();
    EXPECT_EQ(decoded(f, {largest})[0], inf) << f.name;
  }
}

TEST(LogCurves, AreAllHeldAgainstAFormula) {
  for (const NamedCurve& curve : named_curves()) {
    if (std::holds_alternative<Transfer>(curve.form)) continue;
    const bool is_there =
        std::ranges::any_of(formulas, [&](const Formula& f) { return f.name == curve.name; });
    EXPECT_TRUE(is_there) << curve.name;
  }
}

}  // namespace
}  // namespace cuimg::test
