// SPDX-License-Identifier: Apache-2.0
// How a file's reader applies an ICC profile.
#pragma once

#include <cstdint>

namespace cuimg {

enum class IccMethod : std::uint8_t {
  /// `tables` for CMYK, as in other programs: a CMYK profile cannot be kept with RGB pixels, and it
  /// consists of tables itself. `exact` for everything else.
  automatic,
  /// If a curve and primaries describe the profile, these are used and the profile stays with the
  /// picture. Otherwise lcms2 converts in floating point to 16-bit Rec.2020, which clips colours
  /// beyond its primaries, brighter than white, or darker than the compensated black.
  exact,
  /// The default of lcms2, and therefore of vips and Pillow: tables with 8 or 16 bits like the
  /// file, directly to sRGB with as many bits. No profile is kept, colours beyond sRGB are clipped,
  /// and dark colours can be off by a dozen 8-bit codes or more.
  tables,
};

/// The rendering intents of ICC.1:2022, 6.2, with lcms2's numbers. A profile with a matrix and
/// curves gives the same result for all intents except `absolute`; a profile without a table for an
/// intent uses the one for `perceptual`.
enum class IccIntent : std::uint8_t { perceptual, relative, saturation, absolute };

struct IccRendering {
  IccMethod method = IccMethod::automatic;
  IccIntent intent = IccIntent::relative;
  /// Black point compensation: the profile's black becomes black, and lighter colours are scaled
  /// accordingly. lcms2 ignores it for the absolute intent.
  bool black_point = false;

  friend bool operator==(const IccRendering&, const IccRendering&) = default;
};

}  // namespace cuimg
