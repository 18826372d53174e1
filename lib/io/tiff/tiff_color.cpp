// SPDX-License-Identifier: Apache-2.0
// Integers use a profile completely, floats at most its primaries.
#include "io/tiff/tiff_color.h"

#include <optional>
#include <span>
#include <utility>

#include "io/flat_image.h"

namespace cuimg {

namespace {

// Applies a profile to floats: the pipeline has no table for light above 1.
void take_profile_of_floats(const IccInterpretation& icc, ColorEncoding& encoding,
                            const ByteSource& source, const DecodeOptions& options) {
  if (icc.conversion || !icc.exact) {
    if (icc.conversion) tell(options, source, "the ICC profile is not applied to floats");
    return;
  }
  encoding.primaries = icc.encoding.primaries;
  if (icc.encoding.curve == Curve::profile) {
    tell(options, source, "tone curves of the ICC profile are not applied to floats");
    return;
  }
  encoding = icc.encoding;
}

}  // namespace

TiffColor read_tiff_color(const TiffHandle& tiff, PixelType stored, IccPixels pixels,
                          const ByteSource& source, const DecodeOptions& options) {
  const bool floating = is_floating(stored);
  TiffColor color{{floating ? Curve::linear : Curve::srgb, 1.0f, false, {}}, nullptr};
  ColorEncoding& encoding = color.encoding;
  std::uint32_t size = 0;
  const void* data = nullptr;
  std::span<const std::byte> profile;
  if (TIFFGetField(tiff.get(), TIFFTAG_ICCPROFILE, &size, &data))
    profile = {static_cast<const std::byte*>(data), std::size_t{size}};
  if (options.raw) {
    encoding.curve = Curve::raw;
    if (!profile.empty()) encoding.profile = raw_profile(profile, pixels);
    color.loses_profile = !profile.empty() && !encoding.profile;
    return color;
  }
  std::optional<Chromaticities> said;
  const float *p = nullptr, *w = nullptr;
  if (TIFFGetField(tiff.get(), TIFFTAG_PRIMARYCHROMATICITIES, &p) &&
      TIFFGetField(tiff.get(), TIFFTAG_WHITEPOINT, &w))
    said = Chromaticities{p[0], p[1], p[2], p[3], p[4], p[5], w[0], w[1]};
  if (profile.empty()) {
    encoding.primaries = said;
    return color;
  }
  IccRendering rendering = options.icc;
  if (floating) rendering.method = IccMethod::exact;  // tables clip
  const IccInterpretation icc = interpret_icc(profile, pixels, rendering, stored);
  color.profile_name = icc.name;
  if (!(floating && icc.conversion)) tell_of_profile(options, source, icc.note, icc.refused);
  if (floating) {
    take_profile_of_floats(icc, encoding, source, options);
  } else {
    encoding = icc.encoding;
    color.conversion = icc.conversion;
  }
  const bool is_of_colors =
      pixels == IccPixels::grey && encoding.profile && !encoding.profile->grey;
  color.loses_profile = icc.refused || is_of_colors || (floating && !encoding.profile);
  // The tag has more digits than the profile, so it is preferred.
  if (said && encoding.primaries && near(*said, *encoding.primaries, 0.0002f))
    encoding.primaries = said;
  return color;
}

const char* refused_tiff_color(std::uint16_t photometric) {
  constexpr std::pair<std::uint16_t, const char*> names[] = {{PHOTOMETRIC_CIELAB, "CIELab"},
                                                             {PHOTOMETRIC_ICCLAB, "ICCLab"},
                                                             {PHOTOMETRIC_ITULAB, "ITULab"},
                                                             {PHOTOMETRIC_LOGL, "LogL"},
                                                             {PHOTOMETRIC_LOGLUV, "LogLuv"}};
  for (const auto& [number, name] : names)
    if (number == photometric) return name;
  return nullptr;
}

}  // namespace cuimg
