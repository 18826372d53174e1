// SPDX-License-Identifier: Apache-2.0
// Options of the metrics.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "options/parameter.h"

namespace cuimg {

/// --exposures: HDR-FLIP's, in stops.
struct Exposures {
  float from = 0, to = 0;
  int count = 2;  ///< At least 2, unless both ends are equal.
  friend bool operator==(const Exposures&, const Exposures&) = default;
};
void parse_value(const std::string& text, const Range& range, Exposures& value);
std::string format_value(const Exposures& value);
constexpr TypeName type_name(const Exposures&) { return {"exposures", "FROM,TO,N"}; }

/// Options with which metrics are measured.
struct MetricOptions {
  static constexpr Range allowed_pixels_per_degree = cuimg::range(1.0f, 1000.0f);
  static constexpr Range allowed_range = cuimg::range(1e-30f, 1e30f);

  /// 0.7 m from a display of 3840 pixels on 0.7 m, as FLIP's authors have it.
  float pixels_per_degree = 67.0206432f;
  std::optional<Exposures> exposures;  ///< Absent: from the golden's light.
  /// Linear light that shows behind transparent pixels, for FLIP and colour differences.
  std::array<float, 3> background = {0.5f, 0.5f, 0.5f};
  /// The distance from black to white for PSNR and SSIM. For integers it is always 1.
  float range = 1.0f;
  /// FLIP's and HDR-FLIP's `percentile`, by weight, 0 to 100; absent: none is reported.
  std::optional<double> flip_percent;
};

}  // namespace cuimg
