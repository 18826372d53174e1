// SPDX-License-Identifier: Apache-2.0
// One pass over two layers of one form: how far apart values are, how many pixels differ and how
// many break limits. What it finds does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/metrics/measures.h"
#include "device/queue.h"
#include "image/image.h"

namespace cuimg {

/// What a pixel is, as bits.
namespace pixel_state {
inline constexpr std::uint8_t differs = 1, fails = 2, warns = 4, fails_hard = 8, warns_hard = 16;
inline constexpr std::uint8_t mismatch = 32, nan = 64;
}  // namespace pixel_state

/// @param golden, result of one window and with the same layers. @param ignored as AlignedPair's.
/// @param states null, or a byte of pixel_state's bits for each pixel, filled here.
Differences find_differences(const Image& golden, const Image& result, int layer,
                             const ValueLimits& limits, const std::vector<std::uint8_t>& ignored,
                             const Queue& queue, std::vector<std::uint8_t>* states = nullptr);

/// A value, and its whole pixel, of both pictures. @param layer, channel indices.
/// @param x, y absolute.
ValuePlace place_of(const Image& golden, const Image& result, int layer, int x, int y, int channel);

}  // namespace cuimg
