// SPDX-License-Identifier: Apache-2.0
// The colour description in a PNG's chunks. If there are several, the most exact one counts: cICP,
// then iCCP, then sRGB, then gAMA and cHRM (PNG, third edition, 4.3).
#pragma once

#include "image/spec.h"
#include "io/byte_source.h"
#include "io/codec.h"
#include "io/png/png_reader.h"
#include "io/tags/icc.h"

namespace cuimg {

struct PngColor {
  ColorEncoding encoding;
  /// The conversion for the pixels, as in IccInterpretation; usually null.
  std::shared_ptr<const IccConversion> conversion;
  std::string profile_name = {};  ///< As in IccInterpretation.
};

/// Without any such chunk colours are sRGB. With options.raw they are raw, and their description
/// becomes the tag. A description that is ignored is reported to options.notify.
/// @param reader after png_begin.
PngColor read_png_color(const PngReader& reader, const ByteSource& source,
                        const DecodeOptions& options);

}  // namespace cuimg
