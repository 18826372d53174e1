// SPDX-License-Identifier: Apache-2.0
#include "stages/resample/unit_weights.h"

#include <cmath>
#include <cstddef>

namespace cuimg {

void unit_codes(std::span<const double> values, std::vector<std::int64_t>& codes) {
  double sum = 0;
  for (const double value : values) sum += value;
  codes.clear();
  std::int64_t total = 0;
  std::size_t largest = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    codes.push_back(std::llrint(values[k] / sum * unit_weight));
    total += codes[k];
    if (codes[k] > codes[largest]) largest = k;
  }
  codes[largest] += static_cast<std::int64_t>(unit_weight) - total;
}

std::vector<float> unit_weights(std::span<const double> values) {
  std::vector<std::int64_t> codes;
  unit_codes(values, codes);
  std::vector<float> weights;
  for (const std::int64_t code : codes)
    weights.push_back(static_cast<float>(static_cast<double>(code) / unit_weight));
  return weights;
}

}  // namespace cuimg
