// SPDX-License-Identifier: Apache-2.0
// Several cards share a command's images.
#include "pipeline/run/card_shares.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <future>
#include <optional>

namespace cuimg::test {
namespace {

TEST(CardShares, TheCardWithTheFewestImagesTakesTheNext) {
  CardShares cards(DeviceChoice{DeviceChoice::Kind::cuda, {2, 0, 5}});
  const CardShares::Share first(cards);
  std::optional<CardShares::Share> second(cards);
  const CardShares::Share third(cards), fourth(cards);
  EXPECT_EQ(first.card(), 2);
  EXPECT_EQ(second->card(), 0);
  EXPECT_EQ(third.card(), 5);
  EXPECT_EQ(fourth.card(), 2);
  second.reset();
  const CardShares::Share fifth(cards);
  EXPECT_EQ(fifth.card(), 0);
}

TEST(CardShares, ALostCardTakesNoMoreAndIsReportedOnce) {
  CardShares cards(DeviceChoice{DeviceChoice::Kind::cuda, {0, 1}});
  const CardShares::Share first(cards);
  const auto loss = cards.lose(0);
  EXPECT_TRUE(loss.is_first);
  EXPECT_TRUE(loss.others);
  EXPECT_FALSE(cards.lose(0).is_first);
  const CardShares::Share second(cards), third(cards);
  EXPECT_EQ(second.card(), 1);
  EXPECT_EQ(third.card(), 1);
  EXPECT_FALSE(cards.are_all_lost());
  EXPECT_FALSE(cards.lose(1).others);
  EXPECT_TRUE(cards.are_all_lost());
}

// The maximum number of images in progress on a card.
struct BusyCard {
  CardShares cards{DeviceChoice{DeviceChoice::Kind::cuda, {3}}};
  std::array<std::optional<CardShares::Share>, CardShares::images_at_once> shares;
  BusyCard() {
    for (auto& share : shares) share.emplace(cards);
  }
  // Requests a card for another image.
  std::future<int> ask() {
    return std::async(std::launch::async, [this] { return CardShares::Share(cards).card(); });
  }
};

TEST(CardShares, ABusyCardTakesTheNextImageOnceOneHasLeft) {
  BusyCard busy;
  std::future<int> next = busy.ask();
  EXPECT_EQ(next.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  busy.shares.front().reset();
  EXPECT_EQ(next.get(), 3);
}

TEST(CardShares, ALostCardKeepsNobodyWaiting) {
  BusyCard busy;
  std::future<int> next = busy.ask();
  EXPECT_EQ(next.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  busy.cards.lose(3);
  EXPECT_EQ(next.get(), 3);
}

}  // namespace
}  // namespace cuimg::test
