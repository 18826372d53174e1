// SPDX-License-Identifier: Apache-2.0
// Tables 2 and 3 of ITU-T H.273 (2021), as far as they apply to pictures.
#include "io/tags/cicp.h"

namespace cuimg {
namespace {

struct CodedPrimaries {
  std::uint8_t code;
  Chromaticities chromaticities;
};

constexpr CodedPrimaries coded_primaries[] = {
    {1, primaries::rec709},
    {9, primaries::rec2020},
    {12, primaries::p3_d65},
    {4, {0.67f, 0.33f, 0.21f, 0.71f, 0.14f, 0.08f, 0.310f, 0.316f}},          // BT.470 M
    {5, {0.64f, 0.33f, 0.29f, 0.60f, 0.15f, 0.06f, 0.3127f, 0.3290f}},        // BT.470 B, G
    {6, {0.630f, 0.340f, 0.310f, 0.595f, 0.155f, 0.070f, 0.3127f, 0.3290f}},  // SMPTE ST 170
    {7, {0.630f, 0.340f, 0.310f, 0.595f, 0.155f, 0.070f, 0.3127f, 0.3290f}},  // SMPTE ST 240
    {10, primaries::xyz},                                                     // SMPTE ST 428-1
    {11, {0.680f, 0.320f, 0.265f, 0.690f, 0.150f, 0.060f, 0.314f, 0.351f}}};  // SMPTE RP 431-2

}  // namespace

bool is_rec709_curve(CurveCode code) {
  const auto number = static_cast<int>(code);
  return number == 1 || number == 6 || number == 14 || number == 15;
}

std::optional<Chromaticities> primaries_of_code(std::uint8_t code) {
  for (const CodedPrimaries& entry : coded_primaries)
    if (entry.code == code) return entry.chromaticities;
  return std::nullopt;
}

std::optional<std::uint8_t> code_of_primaries(const Chromaticities& primaries) {
  for (const CodedPrimaries& entry : coded_primaries)
    if (near(primaries, entry.chromaticities, 0.001f)) return entry.code;
  return std::nullopt;
}

bool set_curve(CurveCode code, ColorEncoding& color) {
  switch (static_cast<int>(code)) {
    case 4:  // BT.470 M
    case 5:  // BT.470 B, G
      color.curve = Curve::gamma;
      color.gamma = static_cast<int>(code) == 4 ? 2.2f : 2.8f;
      return true;
    case 8:
      color.curve = Curve::linear;
      return true;
    case 13:
      color.curve = Curve::srgb;
      return true;
    case 16:
      color.curve = Curve::pq;
      return true;
    case 18:
      color.curve = Curve::hlg;
      return true;
    default:
      return false;
  }
}

std::string name_of(CurveCode code) {
  if (code == CurveCode::pq) return "PQ";
  if (code == CurveCode::hlg) return "HLG";
  if (code == CurveCode::srgb) return "sRGB";
  if (code == CurveCode::linear) return "linear";
  if (code == CurveCode::power) return "a power of light";
  if (is_rec709_curve(code)) return "Rec.709's curve";
  return "curve " + std::to_string(static_cast<int>(code));
}

std::string decoder_of(CurveCode code) { return is_rec709_curve(code) ? "rec709" : ""; }

ColorTag tag_of(const ColorEncoding& color) {
  if (color.tag) return *color.tag;
  ColorTag tag{CurveCode::unspecified, color.gamma, color.primaries};
  if (color.curve == Curve::linear) tag.curve = CurveCode::linear;
  if (color.curve == Curve::srgb) tag.curve = CurveCode::srgb;
  if (color.curve == Curve::gamma) tag.curve = CurveCode::power;
  if (color.curve == Curve::pq) tag.curve = CurveCode::pq;
  if (color.curve == Curve::hlg) tag.curve = CurveCode::hlg;
  // The primaries of raw values are unknown.
  if (color.curve == Curve::raw) tag.primaries.reset();
  return tag;
}

}  // namespace cuimg
