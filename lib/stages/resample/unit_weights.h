// SPDX-License-Identifier: Apache-2.0
// Adjusts the weights of a mean so that they add up to exactly 1: then opaque pixels remain opaque.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cuimg {

/// Weights are multiples of 1 / unit_weight. A float can represent every sum of them up to 1.
inline constexpr double unit_weight = 8388608.0;  // 2^23

/// `values`, divided by their sum, in units of 1 / unit_weight. Each is rounded and the remainder
/// goes to the first of the largest, or if that would change it by more than a thousandth,
/// cumulative sums are rounded instead. @param values their sum is not 0. @param codes gets one
/// code for each.
void unit_codes(std::span<const double> values, std::vector<std::int64_t>& codes);

/// The same as floats.
std::vector<float> unit_weights(std::span<const double> values);

}  // namespace cuimg
