// SPDX-License-Identifier: Apache-2.0
// The colour description in a TIFF's tags: an ICC profile, else PrimaryChromaticities with
// WhitePoint (TIFF 6.0, section 20). The latter do not define the curve: integers are then sRGB and
// floats are light.
#pragma once

#include <cstdint>

#include "image/spec.h"
#include "io/byte_source.h"
#include "io/codec.h"
#include "io/tags/icc.h"
#include "io/tiff/tiff_handle.h"

namespace cuimg {

/// What --in-place says of TiffColor::loses_profile.
inline constexpr const char* lost_profile = "its ICC profile, which is not used, is left out";

struct TiffColor {
  ColorEncoding encoding;  ///< `premultiplied` is for the caller to set.
  /// What the pixels go through, as in IccInterpretation; mostly null.
  std::shared_ptr<const IccConversion> conversion;
  std::string profile_name = {};  ///< As in IccInterpretation.
  /// The file has a profile that was not taken, in part or at all, and is not written again.
  bool loses_profile = false;
};

/// What is said and ignored is reported to options.notify.
/// @param stored the type that holds the file's samples. @param pixels grey is one sample of
/// colour, and no palette.
TiffColor read_tiff_color(const TiffHandle& tiff, PixelType stored, IccPixels pixels,
                          const ByteSource& source, const DecodeOptions& options);

/// The name of a colour space that libtiff would turn into RGB wrongly or not at all, else null: it
/// takes CIELab's white, D50, for sRGB's, and tone-maps LogLuv to 8 bits.
const char* refused_tiff_color(std::uint16_t photometric);

}  // namespace cuimg
