// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/card_shares.h"

#include <algorithm>

#include "device/card_session.h"

namespace cuimg {

void CardShares::find() {
  if (!cards_.empty()) return;
  for (const int number : meant_cards(named_)) {
    std::uint64_t bytes = memory_bytes_.value_or(UINT64_MAX);
    for (const DeviceInfo& device : known_cards().devices)
      if (device.index == number)
        // Other programs also use the card, and it must hold more than pixels.
        bytes = std::min<std::uint64_t>(bytes, device.total_memory_bytes / 4 * 3);
    cards_.emplace_back(number, bytes);
  }
  if (places_ != nullptr && cards_.size() > 1)
    for (const Card& card : cards_) warm_up_cuda(card.number);
}

CardShares::Card* CardShares::find(int card) {
  for (Card& known : cards_)
    if (known.number == card) return &known;
  return cards_.empty() ? nullptr : &cards_.front();
}

CardShares::Card* CardShares::free_card() {
  Card& least = *std::min_element(cards_.begin(), cards_.end(), [](const Card& a, const Card& b) {
    return std::pair(a.is_lost, a.images) < std::pair(b.is_lost, b.images);
  });
  return least.is_lost || least.images < images_at_once ? &least : nullptr;
}

CardShares::Card& CardShares::take() {
  known_cards();  // The driver's answer is awaited without the lock.
  std::unique_lock lock(mutex_);
  find();
  Card* card = nullptr;
  changed_.wait(lock, [&] { return (card = free_card()) != nullptr; });
  ++card->images;
  return *card;
}

void CardShares::give_back(Card& card) {
  {
    const std::lock_guard lock(mutex_);
    --card.images;
  }
  changed_.notify_one();
}

void CardShares::await_context(int card, std::uint64_t bytes) {
  if (!is_being_opened(card)) return;
  const WorkPlaces::Lent lent(places_, WorkPlaces::WaitsFor::card, bytes);
  await_card(card);
}

MemoryBudget& CardShares::memory(int card) {
  known_cards();
  const std::lock_guard lock(mutex_);
  find();
  return find(card)->memory;
}

std::uint64_t CardShares::least_memory_bytes(int card) {
  constexpr std::uint64_t of_a_small_card = std::uint64_t{2} << 30;
  const std::lock_guard lock(mutex_);
  if (Card* const known = find(card)) return known->memory.bytes();
  return std::min(memory_bytes_.value_or(UINT64_MAX), of_a_small_card);
}

CardShares::Loss CardShares::lose(int card) {
  Loss loss{false, false};
  {
    const std::lock_guard lock(mutex_);
    for (Card& known : cards_) {
      if (known.number == card) loss.is_first = !std::exchange(known.is_lost, true);
      loss.others = loss.others || !known.is_lost;
    }
  }
  changed_.notify_all();
  return loss;
}

bool CardShares::are_all_lost() {
  const std::lock_guard lock(mutex_);
  return std::ranges::all_of(cards_, [](const Card& card) { return card.is_lost; });
}

}  // namespace cuimg
