// SPDX-License-Identifier: Apache-2.0
// Interprets an embedded ICC profile in cuimg's terms: a curve and chromaticities. The pipeline,
// not the colour engine, converts colours, except for profiles that these terms cannot express.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "image/spec.h"
#include "io/tags/icc_conversion.h"

namespace cuimg {

struct IccInterpretation {
  /// With straight alpha; the caller changes that if its format says otherwise. It contains the
  /// profile if that is valid for such pixels and means the same as the encoding.
  ColorEncoding encoding = {Curve::srgb, 1.0f, false, {}};
  bool exact = false;    ///< Whether the encoding expresses the profile's complete meaning.
  bool refused = false;  ///< Whether the profile is meaningless for such pixels.
  std::string note;      ///< The decision, for Notify; empty if nothing needs to be reported.
  /// The profile's description, as programs display it; may be empty.
  std::string name = {};
  /// For profiles with tables (A2B), for others that no encoding expresses, and with
  /// IccMethod::tables for every profile: the conversion of the pixels, which are in `encoding`
  /// afterwards. Otherwise null.
  std::shared_ptr<const IccConversion> conversion = {};
};

/// @param profile its bytes, from any source: malformed profiles become sRGB with a note.
/// Grey pixels with an RGB profile use its tone curve.
///
/// Matrix profiles: the white is D50 with the profile's own adaptation (chad) reversed, otherwise
/// the media white. Chromaticities are the colorants, adapted to that white by Bradford's matrix
/// (ICC.1:2022, annex E), so that colours relative to white are the profile's. Chromaticities
/// within 0.002 of Rec.709's become Rec.709's. Tone curves within a quarter of an 8-bit code of
/// sRGB's or a power become these; others are Curve::profile. If a profile contains tables, they
/// are used, as in lcms2.
/// @param rendering does not affect PQ and HLG from a profile's code points, unless its method is
/// `tables`, which ignores code points.
/// @param stored u8 or u16, the type of the file's integers; it determines the type of a
/// conversion.
IccInterpretation interpret_icc(std::span<const std::byte> profile, IccPixels pixels,
                                const IccRendering& rendering = {},
                                PixelType stored = PixelType::u8);

/// The profile for an encoding of raw values: their meaning is unknown, but the profile is kept.
/// @returns nothing for bytes that are not a profile, or for a profile of pixels other than
/// `pixels`.
SharedProfile raw_profile(std::span<const std::byte> profile, IccPixels pixels);

/// How a file's pixels relate to light: with a profile as in interpret_icc(), otherwise as sRGB;
/// raw values only keep the profile. @param profile empty: none.
IccInterpretation interpret_pixels(std::span<const std::byte> profile, IccPixels pixels, bool raw,
                                   const IccRendering& rendering, PixelType stored);

/// Whether a file with an ICC profile can express that encoding: its own profile is for pixels of
/// that kind, or icc_for() can make one.
bool icc_describes(const ColorEncoding& color, bool grey);

/// The profile for pixels in that encoding: its own, otherwise one of version 4 that is made for
/// its tag, or for its curve and primaries. The bytes are always the same.
/// @returns nothing if a file without a profile already means sRGB, and for encodings that
/// !icc_describes().
std::vector<std::byte> icc_for(const ColorEncoding& color, bool grey);

}  // namespace cuimg
