// SPDX-License-Identifier: Apache-2.0
#include "stages/resample/unit_weights.h"

#include <cmath>
#include <cstddef>

namespace cuimg {

namespace {

// Rounds cumulative sums, so that no code differs from its value by more than 1.
void share_rounding(std::span<const double> values, double sum, std::vector<std::int64_t>& codes) {
  double so_far = 0;
  std::int64_t before = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    so_far += values[k];
    const bool is_last = k + 1 == values.size();
    const std::int64_t now =
        is_last ? static_cast<std::int64_t>(unit_weight) : std::llrint(so_far / sum * unit_weight);
    codes[k] = now - before;
    before = now;
  }
}

}  // namespace

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
  const std::int64_t rest = static_cast<std::int64_t>(unit_weight) - total;
  // This small part of the largest weight is not a visible error; the error is only larger for
  // kernels with very many weights.
  constexpr std::int64_t part = 1024;
  if (std::abs(rest) * part <= codes[largest])
    codes[largest] += rest;
  else
    share_rounding(values, sum, codes);
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
