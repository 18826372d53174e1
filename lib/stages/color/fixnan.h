// SPDX-License-Identifier: Apache-2.0
// Fixnan: replaces NaN and infinities, or refuses them.
#pragma once

#include <optional>

#include "device/queue.h"
#include "image/rect.h"

namespace cuimg {

/// The position of a value that is NaN or infinite.
struct BadValueAt {
  int x, y, channel;
};

/// @name One layer of half or float, from source to target.
/// @{

/// A value that is not finite becomes the mean of the finite values in the 3x3 around it, within
/// `window`.
/// @param source covers target's region plus one pixel on each side, as far as `window` reaches.
void fix_by_neighbours_on_cuda(const Queue& queue, const Rect& window, const Frame& source,
                               const Frame& target);
/// Copies. @returns the first value, row by row, that is not finite.
std::optional<BadValueAt> find_bad_value_on_cuda(const Queue& queue, const Frame& source,
                                                 const Frame& target);
/// @}

}  // namespace cuimg
