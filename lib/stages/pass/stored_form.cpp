// SPDX-License-Identifier: Apache-2.0
#include "stages/pass/stored_form.h"

#include <mutex>
#include <utility>

#include "image/srgb_tables.h"

namespace cuimg {
namespace {

bool is_light(const PixelForm& form) {
  return static_cast<PixelType>(form.type) == PixelType::f32 && is_plain(form.encoding);
}

// Whether a kernel's load and store support the form: integers in sRGB or linear with alpha last,
// or half without conversion.
bool is_known(const PixelForm& form) {
  const Encoding& encoding = form.encoding;
  if (static_cast<PixelType>(form.type) == PixelType::half) return is_plain(encoding);
  if (static_cast<PixelType>(form.type) != PixelType::u8 &&
      static_cast<PixelType>(form.type) != PixelType::u16)
    return false;
  const bool is_srgb = encoding.transfer == Transfer{TransferCurve::srgb};
  const bool has_alpha = encoding.alpha_index >= 0;
  const int stored = form.shape.channels == 3 ? 4 : form.shape.channels;
  return (is_srgb || encoding.transfer == Transfer{}) && (has_alpha || !encoding.straight_alpha) &&
         (!has_alpha || encoding.alpha_index == stored - 1);
}

FormKind kind_of(const TexelForm& form, int channels) {
  if (channels < 3) return FormKind::any;
  if (form.type == PixelType::half) return FormKind::half;
  if (!form.is_srgb || form.has_alpha != form.is_straight) return FormKind::any;
  return form.type == PixelType::u8 ? FormKind::srgb8 : FormKind::srgb16;
}

// Plans that exist at the same time share one copy of the tables on a card.
std::shared_ptr<const PerCard<TablesOnCard>> shared_tables(PixelType type) {
  static std::mutex mutex;
  static std::weak_ptr<const PerCard<TablesOnCard>> of_8_bits, of_16_bits;
  const std::lock_guard lock(mutex);
  auto& known = type == PixelType::u8 ? of_8_bits : of_16_bits;
  auto tables = known.lock();
  if (!tables) known = tables = std::make_shared<const PerCard<TablesOnCard>>();
  return tables;
}

bool converts_only(const PixelPass& pass) {
  return pass.ops.empty() && !pass.moves_only && pass.from.shape.channels == pass.to.shape.channels;
}

}  // namespace

std::vector<std::uint32_t> codes_of_bits() {
  std::vector<std::uint32_t> codes(srgb8_tables().encode,
                                   srgb8_tables().encode + Srgb8Tables::buckets);
  for (std::uint32_t i = 0; i < Srgb8Tables::buckets; ++i)
    codes[i] -= (Srgb8Tables::first_bucket + i) << 16;
  return codes;
}

StoredForm::StoredForm(std::shared_ptr<const PixelPass> pass, const PixelForm& form)
    : pass_(std::move(pass)), transfer_(form.encoding.transfer), kind_(FormKind::any) {
  form_.type = static_cast<PixelType>(form.type);
  form_.is_srgb = !(transfer_ == Transfer{});
  form_.has_alpha = form.encoding.alpha_index >= 0;
  form_.is_straight = form.encoding.straight_alpha;
  form_.straight_mask = form_.is_straight ? ~0u : 0u;
  if (form_.is_srgb) tables_ = shared_tables(form_.type);
  kind_ = kind_of(form_, form.shape.channels);
}

std::shared_ptr<const StoredForm> StoredForm::decoded_by(std::shared_ptr<const PixelPass> pass) {
  if (!pass || !converts_only(*pass) || !is_known(pass->from) || !is_light(pass->to))
    return nullptr;
  const PixelForm form = pass->from;
  return std::shared_ptr<const StoredForm>(new StoredForm(std::move(pass), form));
}

std::shared_ptr<const StoredForm> StoredForm::encoded_by(std::shared_ptr<const PixelPass> pass) {
  if (!pass || !converts_only(*pass) || !is_light(pass->from) || !is_known(pass->to))
    return nullptr;
  const PixelForm form = pass->to;
  return std::shared_ptr<const StoredForm>(new StoredForm(std::move(pass), form));
}

Frame as_floats(const Queue& queue, const Frame& frame) {
  if (frame.stored_form() == nullptr) return frame;
  const Frame floats = queue.allocate(frame.format());
  run_pass(queue, frame.stored_form()->pass(), frame.as_stored(), floats);
  return floats;
}

}  // namespace cuimg
