// SPDX-License-Identifier: Apache-2.0
// Distributes images over several cards: the card with the fewest images gets the next. A card
// works on a few images at a time, however many threads decode and encode others.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/memory_budget.h"
#include "pipeline/options.h"
#include "pipeline/run/work_places.h"

namespace cuimg {

/// Used by all threads of a command.
class CardShares {
 public:
  /// @param choice names the cards, or means all available ones.
  /// @param memory_bytes limit on images' memory on each card; nothing: most of the card's memory.
  /// @param places of the threads that use it, for several images: all cards are prepared when one
  /// is used. Null: for one image.
  explicit CardShares(const DeviceChoice& choice,
                      std::optional<std::uint64_t> memory_bytes = std::nullopt,
                      WorkPlaces* places = nullptr)
      : named_(choice.cards), memory_bytes_(memory_bytes), places_(places) {}
  CardShares(const CardShares&) = delete;
  CardShares& operator=(const CardShares&) = delete;

  /// Images on one card at a time: some are copied in, the kernels of one run, some are copied out.
  /// One thread copies memory that is not pinned at a fraction of the bus's speed, so several are
  /// needed in each direction: with 8 instead of 4, 200 half EXRs of 3840x2160 take 1.7 s instead
  /// of 1.95 s, and with 12 1.9 s (32 cores, an NVIDIA H100, driver 580, 2026-11-26). Each has its
  /// own queue, whose memory is allocated once.
  static constexpr int images_at_once = 8;

  /// One of the cards.
  struct Card {
    Card(int card, std::uint64_t bytes) : number(card), memory(bytes) {}
    const int number;
    MemoryBudget memory;  ///< The memory that the images on it share.
    int images = 0;
    bool is_lost = false;
  };

  /// An image on a card.
  class Share {
   public:
    /// Waits until a working card has room, then takes the one with the fewest images. If all
    /// cards are lost it takes the first, so that opening it reports why. Hold only one at a time.
    explicit Share(CardShares& cards) : cards_(cards), card_(cards.take()) {}
    ~Share() { cards_.give_back(card_); }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    int card() const { return card_.number; }

   private:
    CardShares& cards_;
    Card& card_;
  };

  /// Returns when the card that was warmed up has a context, or when its creation has failed.
  /// Meanwhile the thread lends its place, so that others decode the next images. @param bytes that
  /// it holds, for the limit on waiting threads.
  void await_context(int card, std::uint64_t bytes);

  /// The part of a card's memory that its images share.
  MemoryBudget& memory(int card);
  /// A lower bound: until the driver has listed the cards, the memory of a small card. Never waits
  /// for the driver.
  std::uint64_t least_memory_bytes(int card);

  struct Loss {
    bool is_first;  ///< Whether this is the first report.
    bool others;    ///< Whether other cards are left.
  };
  /// Reports that a card failed permanently.
  Loss lose(int card);
  bool are_all_lost();

 private:
  void find();  ///< Called with the mutex held, after known_cards() has returned.
  Card* find(int card);
  Card* free_card();  ///< Called with the mutex held. Null while all remaining cards are busy.
  Card& take();
  void give_back(Card& card);

  const std::vector<int> named_;
  const std::optional<std::uint64_t> memory_bytes_;
  WorkPlaces* const places_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Card> cards_;  ///< Empty until the first is taken; after that only counts change.
};

}  // namespace cuimg
