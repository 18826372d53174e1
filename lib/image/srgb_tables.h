// SPDX-License-Identifier: Apache-2.0
// The tables of kernels/math/srgb_tables.h, computed in double on first use and kept.
#pragma once

#include "kernels/math/srgb16_short.h"
#include "kernels/math/srgb_tables.h"

namespace cuimg {

/// 8-bit tables, 7.7 KB. Safe to call from several threads.
const Srgb8Tables& srgb8_tables();

/// 16-bit tables, 512 KB; the first call takes some milliseconds. Safe to call from several
/// threads.
const Srgb16Tables& srgb16_tables();

/// The tables that are needed if powers are computed, 33 KB; the first call also computes the
/// 16-bit tables.
const Srgb16Short& srgb16_short();

}  // namespace cuimg
