// SPDX-License-Identifier: Apache-2.0
// Tone curves of ICC profiles, evaluated by the project itself: lcms2 rounds samples to 16 bits and
// uses libm, whose last bits differ between machines.
#pragma once

#include <lcms2.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "image/spec.h"

namespace cuimg {

class IccCurve {
 public:
  /// @param lightness whether its result is L* / 100, as in a grey profile over Lab.
  explicit IccCurve(const cmsToneCurve* curve, bool lightness = false);

  /// The light of a code; both from 0 to 1.
  double light(double code) const;
  /// Sets curve and gamma of `color` to linear, sRGB or a power. @returns false for other curves.
  bool classify(ColorEncoding& color) const;
  friend bool operator==(const IccCurve&, const IccCurve&) = default;

 private:
  int type_ = 0;  ///< lcms2's number of the formula; 0: samples.
  std::array<double, 7> parameters_{};
  std::vector<std::uint16_t> samples_;
  bool lightness_;
};

/// Samples one curve for all colours, or three.
/// @returns false, without changing `profile`, if a curve falls or is level somewhere, because it
/// cannot be inverted.
bool sample_curves(std::span<const IccCurve> curves, ColorProfile& profile);

}  // namespace cuimg
