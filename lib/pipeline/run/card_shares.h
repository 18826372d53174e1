// SPDX-License-Identifier: Apache-2.0
// Several cards: whichever has the fewest images under way takes the next.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "pipeline/options.h"

namespace cuimg {

/// Used by all threads of a command.
class CardShares {
 public:
  /// @param choice names the cards, or means all that there are, which are counted by find().
  explicit CardShares(const DeviceChoice& choice) : named_(choice.cards) {}
  CardShares(const CardShares&) = delete;
  CardShares& operator=(const CardShares&) = delete;

  /// Counts the cards, once: before any of them is used, since a broken one may answer nothing.
  void find();

  /// An image on a card.
  class Share {
   public:
    /// Of those that are left; of the first where none is, which then says why not.
    explicit Share(CardShares& cards) : cards_(cards), index_(cards.take()) {}
    ~Share() { cards_.give_back(index_); }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    int card() const { return cards_.cards_[index_].number; }

   private:
    CardShares& cards_;
    const std::size_t index_;
  };

  struct Loss {
    bool is_first;  ///< Nobody has said so before.
    bool others;    ///< Other cards are left.
  };
  /// A card failed for good.
  Loss lose(int card);

 private:
  struct Card {
    int number;
    int images = 0;
    bool is_lost = false;
  };
  void find_locked();
  std::size_t take();
  void give_back(std::size_t index);

  const std::vector<int> named_;
  std::mutex mutex_;
  std::vector<Card> cards_;  ///< Empty until find(); then never changed but for counts.
};

}  // namespace cuimg
