// SPDX-License-Identifier: Apache-2.0
// ICC profiles for tests, made by lcms2: with matrix and curves, for grey, and with tables.
#pragma once

#include <lcms2.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace cuimg::test {

using ProfileBytes = std::vector<std::byte>;

inline ProfileBytes saved(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  ProfileBytes bytes(size);
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  return bytes;
}

inline constexpr cmsCIExyY d65_white = {0.3127, 0.3290, 1.0};
inline constexpr cmsCIExyYTRIPLE rec709_colors = {
    {0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
inline constexpr cmsCIExyYTRIPLE p3_colors = {
    {0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};
inline constexpr cmsCIExyYTRIPLE adobe_colors = {{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
inline constexpr cmsCIExyYTRIPLE rec2020_colors = {
    {0.708, 0.292, 1}, {0.170, 0.797, 1}, {0.131, 0.046, 1}};

inline cmsToneCurve* power_curve(double value) { return cmsBuildGamma(nullptr, value); }

inline cmsToneCurve* srgb_curve() {
  const double parameters[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  return cmsBuildParametricToneCurve(nullptr, 4, parameters);
}

/// As in most profiles: 1024 samples of a curve in 16 bits.
inline cmsToneCurve* sampled_curve(double (*shape)(double)) {
  std::vector<cmsUInt16Number> table(1024);
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<cmsUInt16Number>(
        std::lround(65535 * shape(static_cast<double>(i) / double(table.size() - 1))));
  return cmsBuildTabulatedToneCurve16(nullptr, 1024, table.data());
}

/// An unusual curve, as scanners have them.
inline double odd_shape(double v) { return v < 0.5 ? v * v : 0.25 + (v - 0.5) * 1.5; }

/// @param curve is freed here.
inline ProfileBytes rgb_profile(const cmsCIExyYTRIPLE& primaries, cmsToneCurve* curve,
                                double version = 4.3, const cmsCIExyY& white = d65_white) {
  cmsToneCurve* curves[] = {curve, curve, curve};
  cmsHPROFILE profile = cmsCreateRGBProfile(&white, &primaries, curves);
  cmsSetProfileVersion(profile, version);
  cmsFreeToneCurve(curve);
  return saved(profile);
}

/// @param curve is freed here.
inline ProfileBytes grey_profile(cmsToneCurve* curve) {
  cmsHPROFILE profile = cmsCreateGrayProfile(&d65_white, curve);
  cmsFreeToneCurve(curve);
  return saved(profile);
}

// The Lab value between black and white, in lcms2's 16 bits.
inline cmsInt32Number sample_inks(const cmsUInt16Number in[], cmsUInt16Number out[], void* inks) {
  double paper[3];
  const bool cmyk = inks != nullptr;
  for (int c = 0; c < 3; ++c)
    paper[c] = cmyk ? (1 - in[c] / 65535.0) * (1 - in[3] / 65535.0) : in[c] / 65535.0;
  const double lightness = 0.3 * paper[0] + 0.6 * paper[1] + 0.1 * paper[2];
  const double lab[3] = {lightness * 100, 60 * (paper[0] - paper[1]), 60 * (paper[1] - paper[2])};
  out[0] = static_cast<cmsUInt16Number>(std::lround(lab[0] / 100 * 65535));
  for (int c = 1; c < 3; ++c)
    out[c] = static_cast<cmsUInt16Number>(
        std::lround(std::clamp((lab[c] + 128) / 255 * 65535, 0.0, 65535.0)));
  return TRUE;
}

/// A profile that has tables (A2B0) and no matrix.
inline ProfileBytes table_profile(bool cmyk) {
  cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
  cmsSetProfileVersion(profile, 4.3);
  cmsSetDeviceClass(profile, cmyk ? cmsSigOutputClass : cmsSigInputClass);
  cmsSetColorSpace(profile, cmyk ? cmsSigCmykData : cmsSigRgbData);
  cmsSetPCS(profile, cmsSigLabData);
  cmsWriteTag(profile, cmsSigMediaWhitePointTag, cmsD50_XYZ());
  const cmsUInt32Number inks = cmyk ? 4 : 3;
  cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, inks, 3);
  cmsStage* grid = cmsStageAllocCLut16bit(nullptr, 9, inks, 3, nullptr);
  cmsStageSampleCLut16bit(grid, sample_inks, cmyk ? profile : nullptr, 0);
  cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, inks, nullptr));
  cmsPipelineInsertStage(pipeline, cmsAT_END, grid);
  cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, 3, nullptr));
  cmsWriteTag(profile, cmsSigAToB0Tag, pipeline);
  cmsPipelineFree(pipeline);
  return saved(profile);
}

/// The colours of a device for one intent.
struct MadeRendering {
  bool cmyk;
  double vividness, black;  ///< L* of the darkest colour.
};

inline cmsInt32Number sample_rendering(const cmsUInt16Number in[], cmsUInt16Number out[],
                                       void* cargo) {
  const auto& shown = *static_cast<const MadeRendering*>(cargo);
  double paper[3];
  for (int c = 0; c < 3; ++c)
    paper[c] = shown.cmyk ? (1 - in[c] / 65535.0) * (1 - in[3] / 65535.0) : in[c] / 65535.0;
  const double lightness = 0.3 * paper[0] + 0.6 * paper[1] + 0.1 * paper[2];
  const double lab[3] = {shown.black + (100 - shown.black) * lightness,
                         shown.vividness * (paper[0] - paper[1]),
                         shown.vividness * (paper[1] - paper[2])};
  out[0] = static_cast<cmsUInt16Number>(std::lround(lab[0] / 100 * 65535));
  for (int c = 1; c < 3; ++c)
    out[c] = static_cast<cmsUInt16Number>(std::lround((lab[c] + 128) / 255 * 65535));
  return TRUE;
}

/// A press or scanner with a separate table for each intent, on yellowish paper, whose black is
/// above 0.
inline ProfileBytes renderings_profile(bool cmyk) {
  cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
  cmsSetProfileVersion(profile, 4.3);
  cmsSetDeviceClass(profile, cmyk ? cmsSigOutputClass : cmsSigInputClass);
  cmsSetColorSpace(profile, cmyk ? cmsSigCmykData : cmsSigRgbData);
  cmsSetPCS(profile, cmsSigLabData);
  const cmsCIEXYZ paper = {0.87, 0.9, 0.66};
  cmsWriteTag(profile, cmsSigMediaWhitePointTag, &paper);
  const cmsUInt32Number inks = cmyk ? 4 : 3;
  const std::pair<cmsTagSignature, MadeRendering> tables[] = {{cmsSigAToB0Tag, {cmyk, 35, 4}},
                                                              {cmsSigAToB1Tag, {cmyk, 50, 12}},
                                                              {cmsSigAToB2Tag, {cmyk, 70, 8}}};
  for (auto [tag, shown] : tables) {
    cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, inks, 3);
    cmsStage* grid = cmsStageAllocCLut16bit(nullptr, 9, inks, 3, nullptr);
    cmsStageSampleCLut16bit(grid, sample_rendering, &shown, 0);
    cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, inks, nullptr));
    cmsPipelineInsertStage(pipeline, cmsAT_END, grid);
    cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, 3, nullptr));
    cmsWriteTag(profile, tag, pipeline);
    cmsPipelineFree(pipeline);
  }
  return saved(profile);
}

}  // namespace cuimg::test
