// SPDX-License-Identifier: Apache-2.0
// Options of the metrics.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "options/parameter.h"

namespace cuimg {

/// HDR-FLIP's exposures for --exposures, in stops.
struct Exposures {
  float from = 0, to = 0;
  int count = 2;  ///< At least 2, unless both ends are equal.
  friend bool operator==(const Exposures&, const Exposures&) = default;
};
void parse_value(const std::string& text, const Range& range, Exposures& value);
std::string format_value(const Exposures& value);
constexpr TypeName type_name(const Exposures&) { return {"exposures", "FROM,TO,N"}; }

/// Options for measuring metrics.
struct MetricOptions {
  static constexpr Range allowed_pixels_per_degree = cuimg::range(1.0f, 1000.0f);
  static constexpr Range allowed_range = cuimg::range(1e-30f, 1e30f);

  /// At 0.7 m from a display with 3840 pixels on 0.7 m, as FLIP's authors use.
  float pixels_per_degree = 67.0206432f;
  std::optional<Exposures> exposures;  ///< Absent: determined from the golden's light.
  /// Linear light behind transparent pixels, for FLIP and colour differences.
  std::array<float, 3> background = {0.5f, 0.5f, 0.5f};
  /// The distance from black to white for PSNR and SSIM. Always 1 for integers.
  float range = 1.0f;
  /// The weighted `percentile` of FLIP and HDR-FLIP, 0 to 100; absent: none is reported.
  std::optional<double> flip_percent;
};

}  // namespace cuimg
