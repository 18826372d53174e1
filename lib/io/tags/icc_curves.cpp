// SPDX-License-Identifier: Apache-2.0
// The formulas of ICC.1:2022, 10.18, and samples with linear interpolation of light.
#include "io/tags/icc_curves.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/exact_math.h"

namespace cuimg {
namespace {

double srgb_light_of(double code) {
  return code <= 0.04045 ? code / 12.92 : exact::pow((code + 0.055) / 1.055, 2.4);
}

double srgb_code_of(double light) {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * exact::pow(light, 1 / 2.4) - 0.055;
}

double power_of(double base, double exponent) {
  return base <= 0 ? 0.0 : exact::pow(base, exponent);
}

// lcms2's numbers are ICC's function types plus 1; so is the order of parameters: g, a, b, c, ...
double formula(int type, const std::array<double, 7>& p, double x) {
  const double inside = p[1] * x + p[2];
  switch (type) {
    case 1:
      return power_of(x, p[0]);
    case 2:
      return power_of(inside, p[0]);
    case 3:
      return power_of(inside, p[0]) + p[3];
    case 4:
      return x >= p[4] ? power_of(inside, p[0]) : p[3] * x;
    case 5:
      return x >= p[4] ? power_of(inside, p[0]) + p[5] : p[3] * x + p[6];
    default:
      return x;
  }
}

double light_of_lightness(double lightness) {
  const double f = (100 * lightness + 16) / 116;
  return lightness > 0.08 ? f * f * f : lightness * 100 * 27 / 24389;
}

constexpr int test_steps = 1023;

// Whether every light is within a quarter of an 8-bit step of the given code's light, or within the
// rounding of 16 bits.
template <class Light, class Code>
bool follows(const IccCurve& curve, const Light& light_of, const Code& code_of) {
  for (int i = 0; i <= test_steps; ++i) {
    const double code = static_cast<double>(i) / test_steps;
    const double light = curve.light(code);
    const bool near = std::abs(light - light_of(code)) <= 1.0 / 65535 ||
                      std::abs(code_of(light) - code) <= 1.0 / 1024;
    if (!near) return false;
  }
  return true;
}

}  // namespace

IccCurve::IccCurve(const cmsToneCurve* curve, bool lightness) : lightness_(lightness) {
  type_ = cmsGetToneCurveParametricType(curve);
  if (type_ >= 1 && type_ <= 5) {
    constexpr std::size_t counts[] = {0, 1, 3, 4, 5, 7};
    const cmsFloat64Number* given = cmsGetToneCurveParams(curve);
    std::copy_n(given, counts[type_], parameters_.begin());
    return;
  }
  type_ = 0;
  const cmsUInt16Number* table = cmsGetToneCurveEstimatedTable(curve);
  samples_.assign(table, table + cmsGetToneCurveEstimatedTableEntries(curve));
}

double IccCurve::light(double code) const {
  double value = code;
  if (type_ != 0) {
    value = formula(type_, parameters_, code);
  } else if (samples_.size() == 1) {
    value = samples_[0] / 65535.0;
  } else if (!samples_.empty()) {
    const double at = code * static_cast<double>(samples_.size() - 1);
    const std::size_t first = std::min(static_cast<std::size_t>(at), samples_.size() - 2);
    const double low = samples_[first], high = samples_[first + 1];
    value = (low + (at - static_cast<double>(first)) * (high - low)) / 65535;
  }
  if (!(value > 0)) return 0;  // also for NaN
  value = std::min(value, 1.0);
  return lightness_ ? light_of_lightness(value) : value;
}

bool IccCurve::classify(ColorEncoding& color) const {
  const auto same = [](double v) { return v; };
  const bool is_linear = follows(*this, same, same);
  if (is_linear || follows(*this, srgb_light_of, srgb_code_of)) {
    color.curve = is_linear ? Curve::linear : Curve::srgb;
    return true;
  }
  double gamma = parameters_[0];
  if (type_ != 1) {
    // For samples, determined at the middle of the curve in steps of 1/256, as profiles store
    // powers.
    const double middle = light(0.5);
    if (!(middle > 0 && middle < 1)) return false;
    gamma = std::round(-exact::log(middle) / exact::log(2.0) * 256) / 256;
  }
  if (!(gamma >= 0.1 && gamma <= 10)) return false;
  if (!follows(
          *this, [&](double v) { return power_of(v, gamma); },
          [&](double v) { return power_of(v, 1 / gamma); }))
    return false;
  color.curve = Curve::gamma;
  color.gamma = static_cast<float>(gamma);
  return true;
}

bool sample_curves(std::span<const IccCurve> curves, ColorProfile& profile) {
  constexpr std::size_t count = ColorProfile::samples;
  const auto lights = std::make_shared<std::vector<float>>();
  const auto codes = std::make_shared<std::vector<float>>();
  for (std::size_t c = 0; c < 3; ++c) {
    const IccCurve& curve = curves[c % curves.size()];
    if (c > 0 && curve == curves[(c - 1) % curves.size()]) {
      const std::vector<float> light(lights->end() - count, lights->end());
      const std::vector<float> code(codes->end() - count, codes->end());
      lights->insert(lights->end(), light.begin(), light.end());
      codes->insert(codes->end(), code.begin(), code.end());
      continue;
    }
    std::vector<double> light(count);
    for (std::size_t i = 0; i < count; ++i)
      light[i] = curve.light(static_cast<double>(i) / (count - 1));
    if (!std::ranges::is_sorted(light) || light.front() == light.back()) return false;
    lights->insert(lights->end(), light.begin(), light.end());
    std::size_t at = 0;  // the last with light[at] <= wanted, if any
    for (std::size_t i = 0; i < count; ++i) {
      const double root = static_cast<double>(i) / (count - 1), wanted = root * root * root;
      while (at + 1 < count && light[at + 1] <= wanted && light[at] < light.back()) ++at;
      double code = wanted <= light.front() ? 0.0 : static_cast<double>(at);
      if (at + 1 < count && light[at] < wanted && wanted < light[at + 1])
        code += (wanted - light[at]) / (light[at + 1] - light[at]);
      codes->push_back(static_cast<float>(code / (count - 1)));
    }
  }
  profile.light = lights;
  profile.codes = codes;
  return true;
}

}  // namespace cuimg
