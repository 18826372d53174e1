// SPDX-License-Identifier: Apache-2.0
// Decides which profiles an encoding can express and which lcms2 must convert.
#include "io/tags/icc.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <utility>

#include "io/tags/cicp.h"
#include "io/tags/icc_curves.h"
#include "io/tags/icc_handles.h"

namespace cuimg {
namespace {

bool is_singular(const Matrix3& m) {
  const auto& a = m.m;
  const double determinant = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
                             a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                             a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
  return !(std::abs(determinant) > 1e-6 && std::abs(determinant) < 1e6);
}

std::optional<Xyz> read_xyz(const IccProfile& profile, cmsTagSignature tag) {
  const auto* xyz = static_cast<const cmsCIEXYZ*>(cmsReadTag(profile.get(), tag));
  if (xyz == nullptr) return std::nullopt;
  return Xyz{{xyz->X, xyz->Y, xyz->Z}};
}

// The white point before it was adapted to the profile's D50.
std::optional<Xyz> white_of(const IccProfile& profile) {
  if (const auto* chad =
          static_cast<const double*>(cmsReadTag(profile.get(), cmsSigChromaticAdaptationTag))) {
    Matrix3 m;
    for (int i = 0; i < 9; ++i) m.m[i / 3][i % 3] = chad[i];
    if (is_singular(m)) return std::nullopt;
    return inverse(m) * icc_white;
  }
  return read_xyz(profile, cmsSigMediaWhitePointTag);
}

bool set_xy(const Xyz& c, float& x, float& y) {
  const double sum = c.v[0] + c.v[1] + c.v[2];
  if (!(std::abs(sum) > 1e-6)) return false;
  x = static_cast<float>(c.v[0] / sum);
  y = static_cast<float>(c.v[1] / sum);
  return std::isfinite(x) && std::isfinite(y);
}

// The primaries of a named set, if the difference is no larger than the rounding of a profile's
// numbers.
Chromaticities named_if_near(const Chromaticities& found) {
  if (near(found, primaries::rec709, 0.002f)) return primaries::rec709;
  constexpr float rounding = 0.0002f;
  for (const char* name : {"p3", "rec2020", "ap0", "ap1", "xyz"})
    if (const auto set = primaries_named(name); near(found, *set, rounding)) return *set;
  return found;
}

// Nothing if the colorants do not add up to the white, or if no set of primaries describes them.
std::optional<Chromaticities> chromaticities_of(const IccProfile& profile) {
  const auto red = read_xyz(profile, cmsSigRedColorantTag);
  const auto green = read_xyz(profile, cmsSigGreenColorantTag);
  const auto blue = read_xyz(profile, cmsSigBlueColorantTag);
  const auto white = white_of(profile);
  if (!red || !green || !blue || !white || !(white->v[1] > 1e-3)) return std::nullopt;
  constexpr double rounding = 0.002;
  for (int i = 0; i < 3; ++i)
    if (!(std::abs(red->v[i] + green->v[i] + blue->v[i] - icc_white.v[i]) < rounding))
      return std::nullopt;
  const Matrix3 from_d50 = adaptation(icc_white, *white);
  Chromaticities c;
  if (!set_xy(from_d50 * *red, c.rx, c.ry) || !set_xy(from_d50 * *green, c.gx, c.gy) ||
      !set_xy(from_d50 * *blue, c.bx, c.by) || !set_xy(*white, c.wx, c.wy) || !spans_colors(c))
    return std::nullopt;
  return named_if_near(c);
}

IccInterpretation taken_as_srgb(const std::string& why) {
  IccInterpretation result;
  result.refused = true;
  result.note = "ICC profile " + why + "; sRGB is assumed";
  return result;
}

// Whether lcms2 finds tables for an intent; they take precedence over a matrix.
bool has_tables(const IccProfile& profile, IccIntent intent) {
  constexpr cmsTagSignature floats[] = {cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag,
                                        cmsSigDToB3Tag};
  constexpr cmsTagSignature integers[] = {cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigAToB2Tag,
                                          cmsSigAToB1Tag};
  const auto i = static_cast<std::size_t>(intent);
  for (const cmsTagSignature tag : {floats[i], integers[i], cmsSigAToB0Tag})
    if (cmsIsTag(profile.get(), tag)) return true;
  return false;
}

// PQ and HLG can only be expressed in a profile by its code points (ICC.1:2022, 9.2.17).
bool read_hdr_code_points(const IccProfile& profile, ColorEncoding& color) {
  unsigned char data[12];
  if (cmsReadRawTag(profile.get(), cmsSigcicpTag, data, sizeof data) != sizeof data) return false;
  const auto curve = static_cast<CurveCode>(data[9]);
  const auto primaries = primaries_of_code(data[8]);
  const bool full_range_rgb = data[10] == 0 && data[11] == 1;
  if (!primaries || !full_range_rgb || (curve != CurveCode::pq && curve != CurveCode::hlg))
    return false;
  set_curve(curve, color);
  color.primaries = primaries;
  color.tag = ColorTag{curve, 1.0f, primaries};
  return true;
}

ColorProfile kept_profile(std::span<const std::byte> bytes, bool grey) {
  return {{bytes.begin(), bytes.end()}, grey};
}

// A profile and the requested conversion.
struct IccRequest {
  std::span<const std::byte> bytes;
  IccPixels pixels;
  IccRendering rendering;
  PixelType stored;
  bool is_like(const IccRequest& other) const {
    return pixels == other.pixels && rendering == other.rendering && stored == other.stored &&
           std::ranges::equal(bytes, other.bytes);
  }
};

// Converted by lcms2.
IccInterpretation converted(const IccRequest& request, const std::string& why) {
  IccInterpretation result;
  result.conversion =
      IccConversion::make(request.bytes, request.pixels, request.rendering, request.stored);
  if (!result.conversion) return taken_as_srgb("cannot be used");
  result.exact = true;
  result.encoding = result.conversion->encoding();
  result.note = why + ": " +
                (request.rendering.method == IccMethod::tables
                     ? "colours are converted to sRGB by lcms2's tables"
                 : result.encoding.primaries ? "colours are converted to Rec.2020's primaries"
                                             : "it is converted to sRGB's curve");
  return result;
}

std::vector<IccCurve> curves_of(const IccProfile& profile, bool of_grey, bool grey) {
  std::vector<cmsTagSignature> tags = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
  if (of_grey) tags = {cmsSigGrayTRCTag};
  if (grey) tags.resize(1);
  std::vector<IccCurve> curves;
  for (const cmsTagSignature tag : tags) {
    const auto* curve = static_cast<const cmsToneCurve*>(cmsReadTag(profile.get(), tag));
    if (curve == nullptr) return {};
    curves.emplace_back(curve, of_grey && cmsGetPCS(profile.get()) == cmsSigLabData);
  }
  return curves;
}

// Sets curve and gamma, or the profile's samples. @returns false if the samples cannot be inverted.
bool set_curves(const std::vector<IccCurve>& curves, ColorEncoding& color, ColorProfile& profile) {
  const bool classified = curves.front().classify(color);
  const bool same = classified && std::ranges::all_of(curves, [&](const IccCurve& curve) {
                      ColorEncoding other = color;
                      return curve == curves.front() || (curve.classify(other) && other == color);
                    });
  if (same) return true;
  if (!sample_curves(curves, profile)) return false;
  color.curve = Curve::profile;
  color.gamma = 1.0f;
  return true;
}

IccRendering chosen(IccRendering rendering, IccPixels pixels) {
  if (rendering.method == IccMethod::automatic)
    rendering.method = pixels == IccPixels::cmyk ? IccMethod::tables : IccMethod::exact;
  return rendering;
}

std::string description_of(const IccProfile& profile) {
  constexpr cmsUInt32Number most = 256;
  std::array<char, most> text = {};
  cmsGetProfileInfoASCII(profile.get(), cmsInfoDescription, "en", "US", text.data(), most - 1);
  return text.data();
}

IccInterpretation interpreted(const IccProfile& profile, const IccRequest& request) {
  const auto& [bytes, pixels, rendering, stored] = request;
  const cmsColorSpaceSignature space = cmsGetColorSpace(profile.get());
  const bool grey = pixels == IccPixels::grey, of_grey = space == cmsSigGrayData && grey;
  if (pixels == IccPixels::cmyk) {
    if (space == cmsSigCmykData) return converted(request, "CMYK with an ICC profile");
    return taken_as_srgb("is for another kind of pixels");
  }
  if (!of_grey && space != cmsSigRgbData) return taken_as_srgb("is for another kind of pixels");
  if (rendering.method == IccMethod::tables) return converted(request, "ICC profile");

  IccInterpretation result;
  ColorProfile own = kept_profile(bytes, of_grey);
  if (!grey && read_hdr_code_points(profile, result.encoding)) {
    result.exact = true;
    result.encoding.profile = SharedProfile(std::move(own));
    return result;
  }
  if (!grey && has_tables(profile, rendering.intent))
    return converted(request, "ICC profile with tables");
  if ((rendering.intent == IccIntent::absolute || rendering.black_point) &&
      moves_black_or_white(bytes, rendering))
    return converted(request, rendering.black_point ? "ICC profile whose black is not 0"
                                                    : "ICC profile of tinted paper");
  const std::vector<IccCurve> curves = curves_of(profile, of_grey, grey);
  if (curves.empty()) return taken_as_srgb("has no tone curve");
  if (!grey) result.encoding.primaries = chromaticities_of(profile);
  if ((!grey && !result.encoding.primaries) || !set_curves(curves, result.encoding, own)) {
    if (grey) return taken_as_srgb("has a tone curve that falls");
    return converted(request, "ICC profile of unusual colorants or curves");
  }
  result.exact = true;
  result.encoding.profile = SharedProfile(std::move(own));
  return result;
}

IccInterpretation interpreted_anew(const IccRequest& request) {
  const IccContext context = silent_icc_context();
  const IccProfile profile = open_icc(context, request.bytes);
  if (!profile) return taken_as_srgb("is malformed");
  IccInterpretation result = interpreted(profile, request);
  result.name = description_of(profile);
  return result;
}

// The pictures of a folder usually have the same profile. Finding its curve takes a twentieth of
// the time of a thumbnail, and tables made by lcms2 take even longer.
struct LastProfile {
  std::mutex mutex;
  std::vector<std::byte> bytes;
  IccRequest request = {};  // for those bytes; empty: there is no last profile
  IccInterpretation interpretation;
};

LastProfile& last_profile() {
  static LastProfile* const instance = new LastProfile;
  return *instance;
}

}  // namespace

IccInterpretation interpret_icc(std::span<const std::byte> bytes, IccPixels pixels,
                                const IccRendering& asked, PixelType stored) {
  const IccRendering rendering = chosen(asked, pixels);
  LastProfile& last = last_profile();
  const IccRequest request = {bytes, pixels, rendering, stored};
  {
    const std::lock_guard lock(last.mutex);
    if (!last.bytes.empty() && request.is_like(last.request)) return last.interpretation;
  }
  IccInterpretation result = interpreted_anew(request);
  constexpr std::size_t small = std::size_t{64} << 10, small_of_tables = std::size_t{4} << 20;
  if (result.exact && bytes.size() <= (result.conversion ? small_of_tables : small)) {
    const std::lock_guard lock(last.mutex);
    last.bytes.assign(bytes.begin(), bytes.end());
    last.request = {last.bytes, pixels, rendering, stored};
    last.interpretation = result;
  }
  return result;
}

SharedProfile raw_profile(std::span<const std::byte> bytes, IccPixels pixels) {
  const IccContext context = silent_icc_context();
  const IccProfile profile = open_icc(context, bytes);
  if (!profile || pixels == IccPixels::cmyk) return {};
  const cmsColorSpaceSignature space = cmsGetColorSpace(profile.get());
  const bool of_grey = space == cmsSigGrayData && pixels == IccPixels::grey;
  if (!of_grey && space != cmsSigRgbData) return {};
  return SharedProfile(kept_profile(bytes, of_grey));
}

IccInterpretation interpret_pixels(std::span<const std::byte> profile, IccPixels pixels, bool raw,
                                   const IccRendering& rendering, PixelType stored) {
  if (!raw && !profile.empty()) return interpret_icc(profile, pixels, rendering, stored);
  IccInterpretation result;
  if (raw) result.encoding.curve = Curve::raw;
  if (!profile.empty()) result.encoding.profile = raw_profile(profile, pixels);
  return result;
}

}  // namespace cuimg
