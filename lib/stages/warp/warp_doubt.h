// SPDX-License-Identifier: Apache-2.0
// How far a colour that plain float arithmetic weighs may be off the definition's, and where that
// might give another code.
#pragma once

#include <cstdint>

#include "kernels/math/platform.h"

namespace cuimg {

/// The most that warp_codes.cu's colour of a pixel is off the definition's, in steps between
/// floats. In units of 2^-24 of the colour, of which a step is one at least:
///  - here 7: 4 by a product and three sums, of exact weights; 2 by the reciprocal, 1 by its
///    product;
///  - by the definition's roundings 6: of alphas as floats 1 for colours and 1 for alphas; of
///    texels times alpha 1; of the two sums 2; of the quotient 1;
///  - by the definition's cuts 32: texels are whole numbers of no more than 2^-27 of the brightest,
///    which has 1/256 of the weight at least, so that a sum lacks up to 2^-19 of itself; sums of
///    colours and of alphas both do, and then the quotient is off by the difference.
/// That is 45. tests/gpu/warp_codes_test.cpp compares sums with the definition's.
constexpr std::uint32_t steps_of_doubt = 48;

/// No colour is taken to be more: 1 itself is the table's last bucket, of which all would be in
/// doubt, and white is frequent. Both have the last code.
constexpr float most_light = 0x1.ffp-1f;

/// Whether a colour that is off by steps_of_doubt might have another code. @param sum of
/// srgb8_sum_within(), by a table whose entries are steps_of_doubt larger: its code changes so many
/// steps early, and what is in doubt lies less than twice as many past a change.
CUIMG_HD inline bool is_in_doubt(std::uint32_t sum) { return (sum & 0xffffu) < 2 * steps_of_doubt; }

}  // namespace cuimg
