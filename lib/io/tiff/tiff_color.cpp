// SPDX-License-Identifier: Apache-2.0
// A profile in full where integers go through its curves, in part where floats are.
#include "io/tiff/tiff_color.h"

#include <utility>

#include "io/flat_image.h"

namespace cuimg {

TiffColor read_tiff_color(const TiffHandle& tiff, bool floating, bool grey,
                          const ByteSource& source, const DecodeOptions& options) {
  TiffColor color{{floating ? Curve::linear : Curve::srgb, 1.0f, false, {}}, {}};
  ColorEncoding& encoding = color.encoding;
  if (options.raw) {
    encoding.curve = Curve::raw;
    return color;
  }
  std::uint32_t size = 0;
  const void* profile = nullptr;
  if (TIFFGetField(tiff.get(), TIFFTAG_ICCPROFILE, &size, &profile)) {
    IccInterpretation icc =
        interpret_icc({static_cast<const std::byte*>(profile), std::size_t{size}}, grey);
    if (!icc.note.empty()) tell(options, source, icc.note);
    encoding.primaries = icc.encoding.primaries;
    if (icc.curves && floating) {
      tell(options, source, "tone curves of the ICC profile are not applied to floats");
    } else if (icc.exact || !floating) {
      encoding.curve = icc.encoding.curve;
      encoding.gamma = icc.encoding.gamma;
    }
    if (icc.curves && !floating) color.curves = std::move(*icc.curves);
    return color;
  }
  const float *p = nullptr, *w = nullptr;
  if (TIFFGetField(tiff.get(), TIFFTAG_PRIMARYCHROMATICITIES, &p) &&
      TIFFGetField(tiff.get(), TIFFTAG_WHITEPOINT, &w))
    encoding.primaries = Chromaticities{p[0], p[1], p[2], p[3], p[4], p[5], w[0], w[1]};
  return color;
}

const char* refused_tiff_color(std::uint16_t photometric) {
  switch (photometric) {
    case PHOTOMETRIC_CIELAB:
      return "CIELab";
    case PHOTOMETRIC_ICCLAB:
      return "ICCLab";
    case PHOTOMETRIC_ITULAB:
      return "ITULab";
    case PHOTOMETRIC_LOGL:
      return "LogL";
    case PHOTOMETRIC_LOGLUV:
      return "LogLuv";
    default:
      return nullptr;
  }
}

}  // namespace cuimg
