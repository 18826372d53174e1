// SPDX-License-Identifier: Apache-2.0
// A conversion that a card's kernel does by itself, pixel by pixel, as it loads or stores: then no
// pass over a frame of floats comes before the kernel or after it. The operations are the pass's
// own, in its order.
#pragma once

#include <memory>
#include <vector>

#include "device/per_card.h"
#include "kernels/color/encoding.h"
#include "kernels/math/srgb16_short.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {

/// The forms that pictures of four channels, or of three in the room of four, usually have, of each
/// of which kernels are made; and the others, which they are asked for at run time.
enum class FormKind : std::uint8_t {
  any,
  srgb8,   ///< Straight where there is alpha.
  srgb16,  ///< Likewise.
  half,
};

/// What a kernel has to know of texels whose light it wants, or makes.
struct TexelForm {
  PixelType type = PixelType::f32;
  bool is_srgb = false;      ///< Integers in sRGB: by the tables, which lie on the card.
  bool has_alpha = false;    ///< The last of the texel's channels has no curve.
  bool is_straight = false;  ///< Colours are not premultiplied by it.
  /// All bits where it is: for a choice that the compiler cannot make a branch of, and with it a
  /// second copy of what a kernel does with its pixels.
  std::uint32_t straight_mask = 0;
  ColorTables tables;
  const std::uint32_t* codes8 = nullptr;  ///< With tables.srgb8: see codes_of_bits().
  const Srgb16Short* short16 = nullptr;   ///< With tables.srgb16.
};

/// Srgb8Tables::encode for a card, a step less for each code: added to the bits of a float in its
/// bucket, not to the lower 16 of them, an entry gives a sum whose upper half is the code.
std::vector<std::uint32_t> codes_of_bits();

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
  FormKind kind() const { return kind_; }
  /// The form with its tables on the queue's card. @throws DeviceError.
  TexelForm on(CudaQueue& card) const;

 private:
  explicit StoredForm(std::shared_ptr<const PixelPass> pass, const PixelForm& form);

  std::shared_ptr<const PixelPass> pass_;
  Transfer transfer_;
  TexelForm form_;
  FormKind kind_;
  /// Null without sRGB; else shared by all forms of the type, while there are any.
  std::shared_ptr<const PerCard<TablesOnCard>> tables_;
};

/// @name For kernels that take floats only: the frame, or what its form's pass makes of it; and a
/// target of floats for `make`, of which the form's pass then makes the frame. @{
Frame as_floats(const Queue& queue, const Frame& frame);
template <class Make>
void made_as_floats(const Queue& queue, const Frame& target, const Make& make) {
  if (target.stored_form() == nullptr) return make(target);
  const Frame floats = queue.allocate(target.format().between_passes());
  make(floats);
  run_pass(queue, target.stored_form()->pass(), floats, target.as_stored());
}
/// @}

}  // namespace cuimg
