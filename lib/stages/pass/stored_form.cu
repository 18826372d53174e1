// SPDX-License-Identifier: Apache-2.0
#include "stages/pass/stored_form.h"

#include "device/cuda/cuda_queue.h"
#include "image/row_convert.h"
#include "image/srgb_tables.h"

namespace cuimg {

struct TablesOnCard {
  std::unique_ptr<DeviceTable<Srgb8Tables>> eight;
  std::unique_ptr<DeviceTable<std::uint32_t>> codes8;
  std::unique_ptr<DeviceTable<Srgb16Tables>> sixteen;
  std::unique_ptr<DeviceTable<Srgb16Short>> short_sixteen;
};

TexelForm StoredForm::on(CudaQueue& card) const {
  TexelForm form = form_;
  if (!tables_) return form;
  const ColorTables host = color_tables(form_.type, transfer_);
  const auto on_card = tables_->of(card, [&] {
    const auto copy = [&]<class T>(const T* table) {
      return table == nullptr
                 ? nullptr
                 : std::make_unique<DeviceTable<T>>(card, std::span<const T>(table, 1));
    };
    std::unique_ptr<DeviceTable<std::uint32_t>> codes;
    if (host.srgb8 != nullptr)
      codes = std::make_unique<DeviceTable<std::uint32_t>>(
          card, std::span<const std::uint32_t>(codes_of_bits()));
    return std::make_shared<TablesOnCard>(
        TablesOnCard{copy(host.srgb8), std::move(codes), copy(host.srgb16),
                     copy(host.srgb16 == nullptr ? nullptr : &srgb16_short())});
  });
  if (on_card->codes8) form.codes8 = on_card->codes8->data();
  if (on_card->eight) form.tables.srgb8 = on_card->eight->data();
  if (on_card->sixteen) form.tables.srgb16 = on_card->sixteen->data();
  if (on_card->short_sixteen) form.short16 = on_card->short_sixteen->data();
  return form;
}

}  // namespace cuimg
