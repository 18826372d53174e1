// SPDX-License-Identifier: Apache-2.0
// The list of sets of primaries; to add one, add a line. Cameras' chromaticities are those that
// their makers published; the white is nearly always D65, 0.3127 and 0.3290.
#include "image/named_primaries.h"

namespace cuimg {
namespace {

constexpr Chromaticities under_d65(float rx, float ry, float gx, float gy, float bx, float by) {
  return {rx, ry, gx, gy, bx, by, 0.3127f, 0.3290f};
}

constexpr NamedPrimaries sets[] = {
    {"rec709", "ITU-R BT.709-6, D65", "bt709 srgb", primaries::rec709},
    {"p3", "Display P3, SMPTE EG 432-1, D65", "p3-d65 p3d65", primaries::p3_d65},
    {"rec2020", "ITU-R BT.2020-2, D65; also Fujifilm F-Gamut, Nikon N-Gamut", "bt2020",
     primaries::rec2020},
    {"ap0", "ACES2065-1, SMPTE ST 2065-1", "aces aces2065-1", primaries::aces_ap0},
    {"ap1", "ACEScg, S-2014-004", "acescg", primaries::aces_ap1},
    {"xyz", "CIE 1931 X, Y, Z; white E", "", primaries::xyz},
    {"adobergb", "Adobe RGB (1998), D65", "adobe-rgb",
     under_d65(0.64f, 0.33f, 0.21f, 0.71f, 0.15f, 0.06f)},
    // ISO 22028-2.
    {"prophoto",
     "ProPhoto, ROMM RGB, D50",
     "romm",
     {0.7347f, 0.2653f, 0.1596f, 0.8404f, 0.0366f, 0.0001f, 0.3457f, 0.3585f}},
    // ARRI, "ALEXA Log C Curve - Usage in VFX" (2017).
    {"awg3", "ARRI Wide Gamut 3", "arri-wide-gamut-3",
     under_d65(0.6840f, 0.3130f, 0.2210f, 0.8480f, 0.0861f, -0.1020f)},
    // ARRI, "LogC4 Logarithmic Color Space Specification" (2022).
    {"awg4", "ARRI Wide Gamut 4", "arri-wide-gamut-4",
     under_d65(0.7347f, 0.2653f, 0.1424f, 0.8576f, 0.0991f, -0.0308f)},
    // Sony, "Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3" (2014).
    {"sgamut3", "Sony S-Gamut3", "s-gamut3",
     under_d65(0.730f, 0.280f, 0.140f, 0.855f, 0.100f, -0.050f)},
    {"sgamut3.cine", "Sony S-Gamut3.Cine", "s-gamut3.cine sgamut3cine",
     under_d65(0.766f, 0.275f, 0.225f, 0.800f, 0.089f, -0.087f)},
    // Panasonic, "VARICAM V-Log/V-Gamut" (2014).
    {"vgamut", "Panasonic V-Gamut", "v-gamut",
     under_d65(0.730f, 0.280f, 0.165f, 0.840f, 0.100f, -0.030f)},
    // Canon, "EOS C500 Firmware Update" (2014).
    {"cgamut", "Canon Cinema Gamut", "cinema-gamut",
     under_d65(0.740f, 0.270f, 0.170f, 1.140f, 0.080f, -0.100f)},
    // RED, "White Paper on REDWideGamutRGB and Log3G10" (2017).
    {"rwg", "REDWideGamutRGB", "redwidegamutrgb red-wide-gamut",
     under_d65(0.780308f, 0.304253f, 0.121595f, 1.493994f, 0.095612f, -0.084589f)},
    // Blackmagic Design, "DaVinci Resolve 17 Wide Gamut Intermediate" (2020).
    {"davinci", "DaVinci Wide Gamut", "davinci-wide-gamut",
     under_d65(0.8000f, 0.3130f, 0.1682f, 0.9877f, 0.0790f, -0.1155f)},
    // "Blackmagic Generation 5 Color Science Technical Reference" (2021), including the white.
    {"bmdwg5",
     "Blackmagic Wide Gamut Gen 5",
     "blackmagic-wide-gamut",
     {0.7177215f, 0.3171181f, 0.2280410f, 0.8615690f, 0.1005841f, -0.0820452f, 0.3127170f,
      0.3290312f}},
    // DJI, "White Paper on D-Log and D-Gamut of DJI Cinema Color System" (2017).
    {"dgamut", "DJI D-Gamut", "d-gamut", under_d65(0.71f, 0.31f, 0.21f, 0.88f, 0.09f, -0.08f)},
};

}  // namespace

std::span<const NamedPrimaries> named_primaries() { return sets; }

std::optional<Chromaticities> primaries_named(std::string_view name) {
  for (const NamedPrimaries& set : sets)
    if (set.name == name) return set.space;
  return std::nullopt;
}

}  // namespace cuimg
