// SPDX-License-Identifier: Apache-2.0
// A pixel put together from channels of other pixels: bits are copied, or a small type becomes
// float.
#pragma once

#include <cstdint>

#include "kernels/math/half.h"
#include "kernels/math/platform.h"
#include "kernels/math/quantize.h"

namespace cuimg {

/// How a channel's bits are converted to a wider type.
enum class Widening : std::uint8_t { none, half, unorm8, unorm16 };

/// The source of a channel's bits.
struct PickedChannel {
  static constexpr int nowhere = -1;
  std::int8_t source = nowhere;  ///< The index of a frame; `nowhere`: it is `constant`.
  std::int8_t channel = 0;       ///< A channel of that frame's pixel.
  Widening widening = Widening::none;
  std::uint32_t constant = 0;
};

CUIMG_HD inline std::uint32_t widened(Widening widening, std::uint32_t bits) {
  switch (widening) {
    case Widening::half:
      return bits_of(half_to_float(Half{static_cast<std::uint16_t>(bits)}));
    case Widening::unorm8:
      return bits_of(unorm8_to_float(static_cast<std::uint8_t>(bits)));
    case Widening::unorm16:
      return bits_of(unorm16_to_float(static_cast<std::uint16_t>(bits)));
    case Widening::none:
      break;
  }
  return bits;
}

}  // namespace cuimg
