// SPDX-License-Identifier: Apache-2.0
// How pixels go through an ICC profile where the reader of a file is asked to choose.
#pragma once

#include <cstdint>

namespace cuimg {

enum class IccMethod : std::uint8_t {
  /// `tables` for CMYK, as in other programs: inks have no profile to stay with the picture, and
  /// their profile is a table itself. `exact` for all else.
  automatic,
  /// A curve and primaries where these say what the profile does, and the profile stays with the
  /// picture; else lcms2 in floating point, to Rec.2020 of 16 bits. That clips what is beyond its
  /// primaries, brighter than white, or darker than the black that is compensated for.
  exact,
  /// What lcms2 does unless it is asked for more, and with it vips and Pillow: tables of 8 or 16
  /// bits, as the file has them, straight to sRGB of that many bits. Every profile is used up,
  /// colours beyond sRGB are clipped, and dark colours can be a dozen 8-bit codes off and more.
  tables,
};

/// The rendering intents of ICC.1:2022, 6.2, with lcms2's numbers. A profile of a matrix and curves
/// renders all but `absolute` alike; one without a table for an intent takes that for
/// `perceptual`.
enum class IccIntent : std::uint8_t { perceptual, relative, saturation, absolute };

struct IccRendering {
  IccMethod method = IccMethod::automatic;
  IccIntent intent = IccIntent::relative;
  /// Black point compensation: what the profile calls black becomes black, and what is lighter
  /// moves with it. lcms2 leaves it out where the intent is absolute.
  bool black_point = false;

  friend bool operator==(const IccRendering&, const IccRendering&) = default;
};

}  // namespace cuimg
