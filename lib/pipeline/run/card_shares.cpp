// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/card_shares.h"

#include <algorithm>

#include "device/queue.h"

namespace cuimg {

void CardShares::find() {
  const std::lock_guard lock(mutex_);
  find_locked();
}

void CardShares::find_locked() {
  if (!cards_.empty()) return;
  for (const int number : named_) cards_.push_back({number});
  if (named_.empty())
    for (const DeviceInfo& device : list_devices(false).devices)
      if (device.problem.empty()) cards_.push_back({device.index});
  if (cards_.empty()) cards_.push_back({0});
}

std::size_t CardShares::take() {
  const std::lock_guard lock(mutex_);
  find_locked();
  const auto least =
      std::min_element(cards_.begin(), cards_.end(), [](const Card& a, const Card& b) {
        return std::pair(a.is_lost, a.images) < std::pair(b.is_lost, b.images);
      });
  ++least->images;
  return static_cast<std::size_t>(least - cards_.begin());
}

void CardShares::give_back(std::size_t index) {
  const std::lock_guard lock(mutex_);
  --cards_[index].images;
}

CardShares::Loss CardShares::lose(int card) {
  const std::lock_guard lock(mutex_);
  Loss loss{false, false};
  for (Card& known : cards_) {
    if (known.number == card) loss.is_first = !std::exchange(known.is_lost, true);
    loss.others = loss.others || !known.is_lost;
  }
  return loss;
}

}  // namespace cuimg
