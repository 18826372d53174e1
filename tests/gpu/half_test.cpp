// SPDX-License-Identifier: Apache-2.0
// A card's conversions of halves compared with their definition.
#include "card.h"
#include "map_kernels.h"

namespace cuimg {
namespace {

using HalfOnCard = Card;

TEST_F(HalfOnCard, ConvertsEveryValueAsDefined) {
  const unsigned none = 0;
  const DeviceTable<unsigned> differences(card(), std::span(&none, 1));
  count_half_differences(card(), differences.data());
  EXPECT_EQ(differences.to_host().front(), 0u);
}

}  // namespace
}  // namespace cuimg
