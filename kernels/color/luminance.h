// SPDX-License-Identifier: Apache-2.0
// Luminance by Rec.709's weights (ITU-R BT.709-6).
#pragma once

#include "kernels/math/platform.h"

namespace cuimg {

/// Y of linear Rec.709; the same weighted sum for other values.
template <class T>
CUIMG_HD constexpr T rec709_luminance(T r, T g, T b) {
  return T(0.2126) * r + T(0.7152) * g + T(0.0722) * b;
}

}  // namespace cuimg
