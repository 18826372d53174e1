// SPDX-License-Identifier: Apache-2.0
// A conversion that a card's kernel performs itself, pixel by pixel, when it loads or stores: then
// no separate pass over a frame of floats comes before or after the kernel. The operations are
// those of the pass, in its order.
#pragma once

#include <memory>
#include <vector>

#include "device/per_card.h"
#include "kernels/color/encoding.h"
#include "kernels/math/srgb16_short.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {

/// The usual forms of pictures with four channels, or with three in the space of four, for each of
/// which kernels are compiled; and all other forms, which kernels distinguish at run time.
enum class FormKind : std::uint8_t {
  any,
  srgb8,   ///< Straight if there is alpha.
  srgb16,  ///< Straight if there is alpha.
  half,
};

/// The information that a kernel needs to decode or encode a texel's light.
struct TexelForm {
  PixelType type = PixelType::f32;
  bool is_srgb = false;      ///< Integers in sRGB: converted by the tables on the card.
  bool has_alpha = false;    ///< Whether the texel's last channel is alpha, which has no curve.
  bool is_straight = false;  ///< Whether colours are not premultiplied by it.
  /// All bits are set if it is straight: for a selection that the compiler cannot turn into a
  /// branch, which would duplicate the kernel's code.
  std::uint32_t straight_mask = 0;
  ColorTables tables;
  const std::uint32_t* codes8 = nullptr;  ///< Together with tables.srgb8: see codes_of_bits().
  const Srgb16Short* short16 = nullptr;   ///< Together with tables.srgb16.
};

/// Srgb8Tables::encode for a card, one step less for each code: an entry is added to all the bits
/// of a float in its bucket, not to its lower 16 bits, and the upper half of the sum is the code.
std::vector<std::uint32_t> codes_of_bits();

/// The sRGB tables on a card; defined in stored_form.cu.
struct TablesOnCard;

class StoredForm {
 public:
  /// The form that the pass decodes to light, or to which it encodes light, if it does nothing
  /// else; null for every other pass.
  static std::shared_ptr<const StoredForm> decoded_by(std::shared_ptr<const PixelPass> pass);
  static std::shared_ptr<const StoredForm> encoded_by(std::shared_ptr<const PixelPass> pass);

  /// For kernels that only accept floats.
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
  /// Null without sRGB; otherwise shared by all existing forms of the type.
  std::shared_ptr<const PerCard<TablesOnCard>> tables_;
};

/// @name For kernels that only accept floats: the frame, or its conversion by its form's pass; and
/// a target of floats for `make`, which the form's pass converts to the frame. @{
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
