// SPDX-License-Identifier: Apache-2.0
// Several cards share a command's images.
#include "pipeline/run/card_shares.h"

#include <gtest/gtest.h>

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

TEST(CardShares, ALostCardTakesNoMoreAndIsToldOfOnce) {
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

}  // namespace
}  // namespace cuimg::test
