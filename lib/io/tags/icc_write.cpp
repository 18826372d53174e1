// SPDX-License-Identifier: Apache-2.0
// The project's own profiles, made by lcms2.
#include <cmath>
#include <cstring>
#include <string>

#include "io/tags/cicp.h"
#include "io/tags/icc.h"
#include "io/tags/icc_handles.h"

namespace cuimg {
namespace {

struct IccCurveDeleter {
  void operator()(cmsToneCurve* curve) const { cmsFreeToneCurve(curve); }
};
using ToneCurvePointer = std::unique_ptr<cmsToneCurve, IccCurveDeleter>;

// Null for curves that ICC's formulas cannot express.
ToneCurvePointer tone_curve(cmsContext context, const ColorTag& tag) {
  const auto formula = [&](int type, std::initializer_list<double> parameters) {
    return ToneCurvePointer(cmsBuildParametricToneCurve(context, type, parameters.begin()));
  };
  if (tag.curve == CurveCode::linear) return formula(1, {1.0});
  if (tag.curve == CurveCode::power) return formula(1, {static_cast<double>(tag.gamma)});
  if (tag.curve == CurveCode::srgb)
    return formula(4, {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045});
  if (is_rec709_curve(tag.curve)) {
    constexpr double alpha = 1.09929682680944, beta = 0.018053968510807;
    return formula(4, {1 / 0.45, 1 / alpha, (alpha - 1) / alpha, 1 / 4.5, 4.5 * beta});
  }
  return nullptr;
}

// Checks that numbers fit into a profile: 16 bits before the point.
bool fits_colorants(const Chromaticities& c) {
  if (!spans_colors(c) || !(c.wy > 0.01f)) return false;
  const Matrix3 m = rgb_to_rgb(c, icc_connection_space());
  for (const auto& row : m.m)
    for (const double value : row)
      if (!(std::abs(value) < 1000)) return false;
  return true;
}

void describe_profile(cmsHPROFILE profile, cmsContext context, const std::string& text) {
  const auto write = [&](cmsTagSignature tag, const char* words) {
    cmsMLU* mlu = cmsMLUalloc(context, 1);
    if (mlu == nullptr) return;
    cmsMLUsetASCII(mlu, "en", "US", words);
    cmsWriteTag(profile, tag, mlu);
    cmsMLUfree(mlu);
  };
  write(cmsSigProfileDescriptionTag, text.c_str());
  write(cmsSigCopyrightTag, "No copyright, use freely");
}

std::string name_of_space(const ColorTag& tag, bool grey) {
  const Chromaticities c = tag.primaries.value_or(Chromaticities{});
  std::string text = grey                                    ? "Grey"
                     : near(c, primaries::rec709, 0.0005f)   ? "Rec.709"
                     : near(c, primaries::p3_d65, 0.0005f)   ? "Display P3"
                     : near(c, primaries::rec2020, 0.0005f)  ? "Rec.2020"
                     : near(c, primaries::aces_ap0, 0.0005f) ? "ACES AP0"
                     : near(c, primaries::aces_ap1, 0.0005f) ? "ACES AP1"
                                                             : "RGB";
  if (tag.curve == CurveCode::power) return text + ", gamma " + std::to_string(tag.gamma);
  return text + ", " + name_of(tag.curve);
}

std::vector<std::byte> saved_profile(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  if (!cmsSaveProfileToMem(profile, nullptr, &size) || size < 128) return {};
  std::vector<std::byte> bytes(size);
  if (!cmsSaveProfileToMem(profile, bytes.data(), &size)) return {};
  // lcms2 stores the current time there, on which files should not depend.
  constexpr unsigned char date[12] = {0x07, 0xd0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0};  // 2000-01-01
  std::memcpy(&bytes[24], date, sizeof date);
  return bytes;
}

std::vector<std::byte> made_profile(const ColorTag& tag, bool grey) {
  const IccContext context = silent_icc_context();
  if (!context) return {};
  auto* thread = static_cast<cmsContext>(context.get());
  const ToneCurvePointer curve = tone_curve(thread, tag);
  if (!curve) return {};
  const Chromaticities c = tag.primaries.value_or(Chromaticities{});
  const auto point = [](float x, float y) {
    return cmsCIExyY{static_cast<double>(x), static_cast<double>(y), 1.0};
  };
  const bool has_white = c.wx >= 0 && c.wy > 0.01f && c.wx + c.wy <= 1;
  const cmsCIExyY white =
      has_white ? point(c.wx, c.wy) : point(Chromaticities{}.wx, Chromaticities{}.wy);
  const cmsCIExyYTRIPLE colors = {point(c.rx, c.ry), point(c.gx, c.gy), point(c.bx, c.by)};
  cmsToneCurve* curves[] = {curve.get(), curve.get(), curve.get()};
  const IccProfile profile(grey ? cmsCreateGrayProfileTHR(thread, &white, curve.get())
                                : cmsCreateRGBProfileTHR(thread, &white, &colors, curves));
  if (!profile) return {};
  cmsSetProfileVersion(profile.get(), 4.3);
  describe_profile(profile.get(), thread, name_of_space(tag, grey));
  return saved_profile(profile.get());
}

// Whether a file without a profile already means this.
bool goes_without_saying(const ColorTag& tag, bool grey) {
  return tag.curve == CurveCode::unspecified ||
         (tag.curve == CurveCode::srgb &&
          (grey || near(tag.primaries.value_or(Chromaticities{}), primaries::rec709, 0.0005f)));
}

}  // namespace

bool icc_describes(const ColorEncoding& color, bool grey) {
  // Readers accept a profile only for the kind of pixels that it is made for.
  if (color.profile) return color.profile->grey == grey;
  if (color.curve == Curve::profile) return false;
  const ColorTag tag = tag_of(color);
  switch (tag.curve) {
    case CurveCode::unspecified:
      return true;
    case CurveCode::power:
      if (!(tag.gamma >= 0.1f && tag.gamma <= 10.0f)) return false;
      break;
    case CurveCode::linear:
    case CurveCode::srgb:
      break;
    default:
      if (!is_rec709_curve(tag.curve)) return false;
  }
  return grey || fits_colorants(tag.primaries.value_or(Chromaticities{}));
}

std::vector<std::byte> icc_for(const ColorEncoding& color, bool grey) {
  if (!icc_describes(color, grey)) return {};
  if (color.profile) return color.profile->bytes;
  const ColorTag tag = tag_of(color);
  if (goes_without_saying(tag, grey)) return {};
  return made_profile(tag, grey);
}

}  // namespace cuimg
