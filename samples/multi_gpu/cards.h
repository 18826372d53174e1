// SPDX-License-Identifier: Apache-2.0
// The list of cards, and which one is current. For nvcc.
#pragma once

#include <string>
#include <vector>

#include "common/card.h"
#include "common/sample.h"

namespace cuimg::samples {

/// Makes a card the current one of this thread. @returns the card.
inline int use_card(int card) {
  checked("cudaSetDevice", [&] { return cudaSetDevice(card); });
  return card;
}

/// The current card and others of the same model, so that equal shares take equal time. @param most
/// the maximum number of cards.
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

/// Lets `card` access the memory of `other`, if their link allows it. @pre not called before for
/// this pair.
inline bool let_access(int card, int other) {
  int may = 0;
  checked("cudaDeviceCanAccessPeer", [&] { return cudaDeviceCanAccessPeer(&may, card, other); });
  if (may == 0) return false;
  use_card(card);
  checked("cudaDeviceEnablePeerAccess", [&] { return cudaDeviceEnablePeerAccess(other, 0); });
  return true;
}

}  // namespace cuimg::samples
