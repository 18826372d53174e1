// SPDX-License-Identifier: Apache-2.0
// What an embedded ICC profile says about an image's colours, in cuimg's own terms: a curve and
// chromaticities. The pipeline, not the colour engine, converts colours, except for profiles that
// these terms cannot express.
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
  /// Straight alpha; the caller changes that where its format says otherwise. It holds the profile
  /// where it is one for such pixels and means what the encoding says.
  ColorEncoding encoding = {Curve::srgb, 1.0f, false, {}};
  bool exact = false;    ///< Whether the profile's meaning is carried fully.
  bool refused = false;  ///< Whether it means nothing for such pixels.
  std::string note;      ///< What was decided, for Notify; empty when nothing needs saying.
  /// The profile's description, as programs show it; may be empty.
  std::string name = {};
  /// Of profiles with tables (A2B) and others that no encoding says, and with IccMethod::tables of
  /// every profile: the pixels go through it, and are in `encoding` then. Null for all others.
  std::shared_ptr<const IccConversion> conversion = {};
};

/// @param profile its bytes, of any origin: malformed ones are sRGB with a note.
/// Grey pixels with an RGB profile take its tone curve.
///
/// Matrix profiles: the white is D50 taken back by the profile's own adaptation (chad), else the
/// media white; chromaticities are the colorants, adapted to it by Bradford's matrix (ICC.1:2022,
/// annex E), so that colours relative to white are the profile's. Those within 0.002 of Rec.709's
/// are Rec.709's. Tone curves within a quarter of an 8-bit code of sRGB's or a power's are those;
/// others are Curve::profile. Where a profile holds tables they count, as in lcms2.
/// @param rendering PQ and HLG, which a profile's code points name, are no matter of it unless its
/// method is `tables`, which knows no code points.
/// @param stored u8 or u16, as the file has integers; it decides on the type of a conversion.
IccInterpretation interpret_icc(std::span<const std::byte> profile, IccPixels pixels,
                                const IccRendering& rendering = {},
                                PixelType stored = PixelType::u8);

/// The profile's encoding of raw values: nothing is known of them, the profile is kept.
/// @returns no profile for bytes that are not one, or one for other pixels than `pixels`.
SharedProfile raw_profile(std::span<const std::byte> profile, IccPixels pixels);

/// How a file's pixels relate to light: by its profile as interpret_icc() has it, sRGB's without
/// one; raw values keep the profile alone. @param profile empty: none.
IccInterpretation interpret_pixels(std::span<const std::byte> profile, IccPixels pixels, bool raw,
                                   const IccRendering& rendering, PixelType stored);

/// Whether a file that holds ICC profiles can say that pixels are in that encoding: its own profile
/// is for pixels of that kind, or icc_for() makes one.
bool icc_describes(const ColorEncoding& color, bool grey);

/// The profile for pixels in that encoding: its own, else one that is made, of version 4, for its
/// tag, or its curve and primaries. The same bytes every time.
/// @returns nothing for what sRGB's absence of a profile says, and for encodings that
/// !icc_describes().
std::vector<std::byte> icc_for(const ColorEncoding& color, bool grey);

}  // namespace cuimg
