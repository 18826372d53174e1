// SPDX-License-Identifier: Apache-2.0
#include "compare/metrics/metric_options.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace cuimg {

void parse_value(const std::string& text, const Range&, Exposures& value) {
  std::vector<double> n;
  parse_value(text, Range{}, n);
  const bool fits = n.size() == 3 && std::abs(n[0]) <= 100 && std::abs(n[1]) <= 100 &&
                    n[0] <= n[1] && n[2] == std::floor(n[2]) && n[2] >= 1 && n[2] <= 1000 &&
                    (n[2] >= 2 || n[0] == n[1]);
  if (!fits)
    throw BadValue{
        "is not a range of exposures",
        "use FROM,TO,N, such as -2,4,7: stops from -100 to 100 with FROM not above TO, and "
        "N from 2 to 1000, or 1 if FROM and TO are equal"};
  value = {static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<int>(n[2])};
}
std::string format_value(const Exposures& value) {
  return fmt::format("{},{},{}", value.from, value.to, value.count);
}

}  // namespace cuimg
