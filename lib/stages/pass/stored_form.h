// SPDX-License-Identifier: Apache-2.0
// A conversion that a card's kernel does by itself, pixel by pixel, as it loads or stores: then no
// pass over a frame of floats comes before the kernel or after it. The operations are the pass's
// own, in its order.
#pragma once

#include <memory>

#include "device/per_card.h"
#include "kernels/color/encoding.h"
#include "kernels/math/srgb16_short.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {

/// What a kernel has to know of texels whose light it wants, or makes.
struct TexelForm {
  PixelType type = PixelType::f32;
  bool is_srgb = false;      ///< Integers in sRGB: by the tables, which lie on the card.
  bool has_alpha = false;    ///< The last of the texel's channels has no curve.
  bool is_straight = false;  ///< Colours are not premultiplied by it.
  ColorTables tables;
  const Srgb16Short* short16 = nullptr;  ///< With tables.srgb16.
};

/// The sRGB tables as a card has them; complete in stored_form.cu.
struct TablesOnCard;

class StoredForm {
 public:
  /// The form that the pass decodes to light, or encodes light to, where it does nothing else;
  /// null for every other pass.
  static std::shared_ptr<const StoredForm> decoded_by(std::shared_ptr<const PixelPass> pass);
  static std::shared_ptr<const StoredForm> encoded_by(std::shared_ptr<const PixelPass> pass);

  /// For kernels that take floats only.
  const PixelPass& pass() const { return *pass_; }
  /// The form with its tables on the queue's card. @throws DeviceError.
  TexelForm on(CudaQueue& card) const;

 private:
  explicit StoredForm(std::shared_ptr<const PixelPass> pass, const PixelForm& form);

  std::shared_ptr<const PixelPass> pass_;
  Transfer transfer_;
  TexelForm form_;
  PerCard<TablesOnCard> tables_;
};

/// @name For kernels that take floats only: the frame, or what its form's pass makes of it; and a
/// target of floats for `make`, of which the form's pass then makes the frame. @{
Frame as_floats(const Queue& queue, const Frame& frame);
template <class Make>
void made_as_floats(const Queue& queue, const Frame& target, const Make& make) {
  if (target.stored_form() == nullptr) return make(target);
  const Frame floats = queue.allocate(target.format());
  make(floats);
  run_pass(queue, target.stored_form()->pass(), floats, target.as_stored());
}
/// @}

}  // namespace cuimg
