// SPDX-License-Identifier: Apache-2.0
// How far a colour that is computed in plain float arithmetic may differ from the definition's
// colour, and where this difference could change the 8-bit code.
#pragma once

#include <cstdint>

#include "kernels/math/platform.h"

namespace cuimg {

/// The largest difference between warp_codes.cu's colour of a pixel and the definition's, in steps
/// between floats. The terms are in units of 2^-24 of the colour, and a step is at least one unit:
///  - 7 here: 4 by a product and three sums, of exact weights; 2 by the reciprocal, 1 by its
///    product;
///  - 6 by the definition's roundings: alphas as floats, 1 for colours and 1 for alphas; texels
///    times alpha 1; the two sums 2; the quotient 1;
///  - 32 by the definition's truncations: texels are multiples of at most 2^-27 of the brightest,
///    which has at least 1/256 of the weight, so a sum may lack up to 2^-19 of itself. This holds
///    for the sums of colours and of alphas, and the quotient is off by the difference.
/// The total is 45. tests/gpu/warp_codes_test.cpp compares sums with the definition's.
constexpr std::uint32_t steps_of_doubt = 48;

/// Brighter colours are reduced to this. The light 1 itself is in the table's last bucket, where
/// all values would be in doubt, and white is frequent. Both have the last code.
constexpr float most_light = 0x1.ffp-1f;

/// Whether a colour with an error of up to steps_of_doubt could have another code. @param sum of
/// srgb8_sum_within(), by a table whose entries are steps_of_doubt larger: the code changes that
/// many steps early, and doubtful colours lie less than twice as many steps after a change.
CUIMG_HD inline bool is_in_doubt(std::uint32_t sum) { return (sum & 0xffffu) < 2 * steps_of_doubt; }

}  // namespace cuimg
