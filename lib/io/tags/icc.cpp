// SPDX-License-Identifier: Apache-2.0
// Reading matrix and grey profiles with lcms2, in double.
#include "io/tags/icc.h"

#include <lcms2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>

#include "base/exact_math.h"

namespace cuimg {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;
using Vector = std::array<double, 3>;

Vector operator*(const Matrix& m, const Vector& v) {
  Vector r{};
  for (std::size_t i = 0; i < 3; ++i) r[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return r;
}

Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix r{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      r[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  return r;
}

std::optional<Matrix> inverse(const Matrix& m) {
  const auto minor = [&](std::size_t r, std::size_t c) {
    const std::size_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
    return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
  };
  const double determinant = m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2);
  if (!(std::abs(determinant) > 1e-9)) return std::nullopt;
  Matrix r{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) r[j][i] = minor(i, j) / determinant;
  return r;
}

constexpr Vector d50 = {0.9642, 1.0, 0.8249};

// From D50 to `white` (ICC.1:2022, annex E.3, the other way round).
std::optional<Matrix> bradford_from_d50(const Vector& white) {
  constexpr Matrix cone = {
      {{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}};
  const Vector to = cone * white, from = cone * d50;
  Matrix scale{};
  for (std::size_t i = 0; i < 3; ++i) scale[i][i] = to[i] / from[i];
  return *inverse(cone) * scale * cone;
}

struct ContextDeleter {
  void operator()(void* context) const { cmsDeleteContext(static_cast<cmsContext>(context)); }
};
struct ProfileDeleter {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using Profile = std::unique_ptr<void, ProfileDeleter>;

std::optional<Vector> read_xyz(cmsHPROFILE profile, cmsTagSignature tag) {
  const auto* xyz = static_cast<const cmsCIEXYZ*>(cmsReadTag(profile, tag));
  if (xyz == nullptr) return std::nullopt;
  return Vector{xyz->X, xyz->Y, xyz->Z};
}

std::optional<Chromaticities> read_chromaticities(cmsHPROFILE profile) {
  const auto red = read_xyz(profile, cmsSigRedColorantTag);
  const auto green = read_xyz(profile, cmsSigGreenColorantTag);
  const auto blue = read_xyz(profile, cmsSigBlueColorantTag);
  if (!red || !green || !blue) return std::nullopt;

  std::optional<Matrix> from_d50;
  if (const auto* chad =
          static_cast<const double*>(cmsReadTag(profile, cmsSigChromaticAdaptationTag))) {
    Matrix m{};
    for (std::size_t i = 0; i < 9; ++i) m[i / 3][i % 3] = chad[i];
    from_d50 = inverse(m);
  } else if (const auto white = read_xyz(profile, cmsSigMediaWhitePointTag)) {
    from_d50 = bradford_from_d50(*white);
  }
  if (!from_d50) return std::nullopt;

  std::array<float, 8> xy{};
  const std::array<Vector, 4> colors = {*red, *green, *blue, d50};
  for (std::size_t i = 0; i < 4; ++i) {
    const Vector c = *from_d50 * colors[i];
    const double sum = c[0] + c[1] + c[2];
    if (!(std::abs(sum) > 1e-9)) return std::nullopt;
    xy[2 * i] = static_cast<float>(c[0] / sum);
    xy[2 * i + 1] = static_cast<float>(c[1] / sum);
    if (!std::isfinite(xy[2 * i]) || !std::isfinite(xy[2 * i + 1])) return std::nullopt;
  }
  const Chromaticities found{xy[0], xy[1], xy[2], xy[3], xy[4], xy[5], xy[6], xy[7]};
  return near(found, primaries::rec709, 0.002f) ? primaries::rec709 : found;
}

double srgb_light(double code) {
  return code <= 0.04045 ? code / 12.92 : exact::pow((code + 0.055) / 1.055, 2.4);
}

double srgb_code(double light) {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * exact::pow(light, 1 / 2.4) - 0.055;
}

double light_of(const cmsToneCurve* curve, double code) {
  return static_cast<double>(cmsEvalToneCurveFloat(curve, static_cast<float>(code)));
}

bool follows(const cmsToneCurve* curve, const std::function<double(double)>& shape) {
  constexpr int steps = 1023;
  for (int i = 0; i <= steps; ++i) {
    const double code = static_cast<double>(i) / steps;
    if (!(std::abs(light_of(curve, code) - shape(code)) <= 1.0 / 1024)) return false;
  }
  return true;
}

// The curve and gamma of one tone curve, or nothing when it is of another shape.
std::optional<ColorEncoding> classify(const cmsToneCurve* curve) {
  if (follows(curve, [](double v) { return v; })) return ColorEncoding{Curve::linear, 1.0f, false};
  if (follows(curve, srgb_light)) return ColorEncoding{Curve::srgb, 1.0f, false};
  const double gamma = cmsGetToneCurveParametricType(curve) == 1 ? cmsGetToneCurveParams(curve)[0]
                                                                 : cmsEstimateGamma(curve, 0.02);
  if (gamma > 0.05 && gamma < 20 &&
      follows(curve, [&](double v) { return v <= 0 ? 0.0 : exact::pow(v, gamma); }))
    return ColorEncoding{Curve::gamma, static_cast<float>(gamma), false};
  return std::nullopt;
}

std::vector<std::uint16_t> srgb_table(const cmsToneCurve* curve) {
  std::vector<std::uint16_t> table(65536);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double light = std::clamp(light_of(curve, static_cast<double>(i) / 65535), 0.0, 1.0);
    table[i] = static_cast<std::uint16_t>(std::lround(srgb_code(light) * 65535));
  }
  return table;
}

IccInterpretation taken_as_srgb(const std::string& why) {
  IccInterpretation result;
  result.note = "ICC profile " + why + "; taken as sRGB";
  return result;
}

}  // namespace

IccInterpretation interpret_icc(std::span<const std::byte> bytes, bool grey) {
  const std::unique_ptr<void, ContextDeleter> context(cmsCreateContext(nullptr, nullptr));
  if (!context) return taken_as_srgb("could not be read");
  auto* thread = static_cast<cmsContext>(context.get());
  cmsSetLogErrorHandlerTHR(thread, [](cmsContext, cmsUInt32Number, const char*) {});
  const Profile profile(
      cmsOpenProfileFromMemTHR(thread, bytes.data(), static_cast<cmsUInt32Number>(bytes.size())));
  if (!profile) return taken_as_srgb("is malformed");

  const cmsColorSpaceSignature space = cmsGetColorSpace(profile.get());
  std::vector<cmsTagSignature> tags;
  if (space == cmsSigGrayData && grey) {
    tags = {cmsSigGrayTRCTag};
  } else if (space == cmsSigRgbData) {
    if (!cmsIsMatrixShaper(profile.get())) return taken_as_srgb("is not a matrix profile");
    tags = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
    if (grey) tags.resize(1);
  } else {
    return taken_as_srgb("is for another kind of pixels");
  }
  std::vector<const cmsToneCurve*> curves;
  for (cmsTagSignature tag : tags) {
    curves.push_back(static_cast<const cmsToneCurve*>(cmsReadTag(profile.get(), tag)));
    if (curves.back() == nullptr) return taken_as_srgb("has no tone curve");
  }

  IccInterpretation result;
  result.exact = true;
  const auto first = classify(curves.front());
  const bool same = first && std::all_of(curves.begin(), curves.end(), [&](const auto* curve) {
                      return classify(curve) == first;
                    });
  if (same) {
    result.encoding = *first;
  } else {
    result.curves.emplace();
    for (const cmsToneCurve* curve : curves) result.curves->push_back(srgb_table(curve));
    result.note = "ICC tone curves are remapped to 16-bit sRGB";
  }
  if (!grey) {
    result.encoding.primaries = read_chromaticities(profile.get());
    if (!result.encoding.primaries) {
      result.exact = false;
      result.note = "ICC profile has unusable colorants; primaries taken as Rec.709's";
    }
  }
  return result;
}

void apply_curves(const ToneCurves& curves, std::byte* row, std::size_t pixels, int channels) {
  const auto stored = static_cast<std::size_t>(channels);
  const std::size_t colors = stored - (stored % 2 == 0 ? 1 : 0);
  for (std::size_t p = 0; p < pixels; ++p, row += 2 * stored)
    for (std::size_t c = 0; c < colors; ++c) {
      std::uint16_t code;
      std::memcpy(&code, row + 2 * c, 2);
      code = curves[c % curves.size()][code];
      std::memcpy(row + 2 * c, &code, 2);
    }
}

}  // namespace cuimg
