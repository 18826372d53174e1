// SPDX-License-Identifier: Apache-2.0
// The colour description in a TIFF's tags: an ICC profile, otherwise PrimaryChromaticities with
// WhitePoint (TIFF 6.0, section 20). These tags do not define the curve: then integers are sRGB and
// floats are linear.
#pragma once

#include <cstdint>

#include "image/spec.h"
#include "io/byte_source.h"
#include "io/codec.h"
#include "io/tags/icc.h"
#include "io/tiff/tiff_handle.h"

namespace cuimg {

/// The note of --in-place for TiffColor::loses_profile.
inline constexpr const char* lost_profile = "its ICC profile, which is not used, is left out";

struct TiffColor {
  ColorEncoding encoding;  ///< The caller sets `premultiplied`.
  /// The conversion for the pixels, as in IccInterpretation; usually null.
  std::shared_ptr<const IccConversion> conversion;
  std::string profile_name = {};  ///< As in IccInterpretation.
  /// The file has a profile that was not used, partly or at all, and that is not written again.
  bool loses_profile = false;
};

/// Information that is ignored is reported to options.notify.
/// @param stored the type for the file's samples. @param pixels grey is one sample of colour, not a
/// palette.
TiffColor read_tiff_color(const TiffHandle& tiff, PixelType stored, IccPixels pixels,
                          const ByteSource& source, const DecodeOptions& options);

/// The name of a colour space that libtiff would convert to RGB wrongly or not at all, otherwise
/// null: it treats CIELab's white, D50, as sRGB's, and tone-maps LogLuv to 8 bits.
const char* refused_tiff_color(std::uint16_t photometric);

}  // namespace cuimg
