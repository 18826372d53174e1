// SPDX-License-Identifier: Apache-2.0
// One card's memory for copies between cards, and the pairs of cards that copy. For nvcc.
#pragma once

#include <array>
#include <vector>

#include "multi_gpu/cards.h"
#include "multi_gpu/pattern.h"

namespace cuimg::samples {

/// A card's memory, its stream, and an event for each staging buffer. The event is recorded when
/// this card has filled or emptied the buffer.
struct End {
  End(int on_card, unsigned number, std::size_t words)
      : card(use_card(on_card)), seed(number), sent(words), received(words) {
    fill<<<blocks, threads>>>(sent.get(), words, seed);
    check_launch("fill");
    wait();
  }
  int card;
  unsigned seed;
  DeviceArray<unsigned> sent, received;
  StreamHandle stream = new_stream();
  std::array<EventHandle, 2> done = {new_event(cudaEventDisableTiming),
                                     new_event(cudaEventDisableTiming)};

  void clear() const {
    use_card(card);
    received.set_bytes(0);
    wait();
  }
  bool has_all_of(const End& source) const {
    use_card(card);
    const DeviceArray<unsigned long long> right_ones(std::vector<unsigned long long>{0});
    count_right<<<blocks, threads>>>(received.get(), received.size(), source.seed,
                                     right_ones.get());
    check_launch("count_right");
    return right_ones.to_host()[0] == received.size();
  }
};

struct Pair {
  const End &source, &target;
};

/// All ordered pairs of different ends. @pre the vector is not changed while the pairs are in use.
inline std::vector<Pair> pairs_of(const std::vector<End>& ends) {
  std::vector<Pair> pairs;
  for (const End& source : ends)
    for (const End& target : ends)
      if (&source != &target) pairs.push_back({source, target});
  return pairs;
}

}  // namespace cuimg::samples
