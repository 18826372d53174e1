// SPDX-License-Identifier: Apache-2.0
// The cases in which filters may compare codes instead of light.
#pragma once

#include "stages/pass/stored_form.h"

namespace cuimg {

/// Whether frames of four channels are stored in one form, integers with straight alpha, and read
/// as floats: then opaque pixels may be compared by their codes.
inline bool have_one_straight_form(CudaQueue& card, const Frame& source, const Frame& target) {
  if (source.stored_form() == nullptr || target.stored_form() == nullptr ||
      source.format().stored_channels() != 4)
    return false;
  const TexelForm from = source.stored_form()->on(card), to = target.stored_form()->on(card);
  const bool is_integer = from.type == PixelType::u8 || from.type == PixelType::u16;
  return is_integer && from.type == to.type && from.is_srgb == to.is_srgb && from.has_alpha &&
         to.has_alpha && from.is_straight && to.is_straight;
}

}  // namespace cuimg
