// SPDX-License-Identifier: Apache-2.0
// Which cards there are, and whose turn it is. For nvcc.
#pragma once

#include <string>
#include <vector>

#include "common/card.h"
#include "common/sample.h"

namespace cuimg::samples {

/// Makes a card the one that this thread's next calls are for. @returns it.
inline int use_card(int card) {
  checked("cudaSetDevice", [&] { return cudaSetDevice(card); });
  return card;
}

/// The current card, then those of the same kind, `most` at most: work is divided evenly.
inline std::vector<int> cards_alike(int most) {
  int count = 0;
  checked("cudaGetDeviceCount", [&] { return cudaGetDeviceCount(&count); });
  const auto name = [](int card) {
    cudaDeviceProp properties;
    checked("cudaGetDeviceProperties", [&] { return cudaGetDeviceProperties(&properties, card); });
    return std::string(properties.name);
  };
  const int first = current_card();
  std::vector<int> cards = {first};
  for (int card = 0; card < count && static_cast<int>(cards.size()) < most; ++card)
    if (card != first && name(card) == name(first)) cards.push_back(card);
  return cards;
}

/// Maps the other's memory into the card's, if their link allows that. Once for each pair.
inline bool let_access(int card, int other) {
  int may = 0;
  checked("cudaDeviceCanAccessPeer", [&] { return cudaDeviceCanAccessPeer(&may, card, other); });
  if (may == 0) return false;
  use_card(card);
  checked("cudaDeviceEnablePeerAccess", [&] { return cudaDeviceEnablePeerAccess(other, 0); });
  return true;
}

}  // namespace cuimg::samples
