// SPDX-License-Identifier: Apache-2.0
// What an embedded ICC profile says about an image's colours, in cuimg's own terms: a curve and
// chromaticities. Colours themselves are converted by the pipeline, not by the colour engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "image/spec.h"

namespace cuimg {

/// One table for all colours or three for R, G and B, from 65536 evenly spaced codes to the 16-bit
/// sRGB code of the same light. Code c of an 8-bit image is entry 257 c.
using ToneCurves = std::vector<std::vector<std::uint16_t>>;

struct IccInterpretation {
  /// Straight alpha; the caller changes that where its format says otherwise. The curve is linear,
  /// a pure power, or sRGB (also where `curves` are given: they lead there).
  ColorEncoding encoding = {Curve::srgb, 1.0f, false, {}};
  bool exact = false;  ///< Whether the profile's meaning is carried fully.
  std::string note;    ///< What was decided, for Notify; empty when nothing needs saying.
  std::optional<ToneCurves> curves;  ///< For tone curves of other shapes.
};

/// @param profile its bytes, of any origin: malformed ones are sRGB with a note.
/// @param grey whether the pixels are Y rather than RGB. Grey pixels with an RGB profile take its
/// tone curve.
///
/// Matrix profiles: chromaticities are the colorants taken back from the D50 of the connection
/// space by the profile's own adaptation (chad), else by Bradford's from D50 to its media white
/// (ICC.1:2022, annex E). Those within 0.002 of Rec.709's are Rec.709's. Tone curves within 1/1024
/// of sRGB's are sRGB's. Profiles made of lookup tables alone are taken as sRGB.
IccInterpretation interpret_icc(std::span<const std::byte> profile, bool grey);

/// In place, on the colours of u16 pixels; alpha, the last of 2 or 4 channels, stays, and
/// colours must not be premultiplied with it.
void apply_curves(const ToneCurves& curves, std::byte* row, std::size_t pixels, int channels);

}  // namespace cuimg
