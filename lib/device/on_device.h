// SPDX-License-Identifier: Apache-2.0
// The one place where work goes to the CPU or to a card.
#pragma once

#include <type_traits>

#include "build_config.h"
#include "device/queue.h"

namespace cuimg {

/// cpu() or card(), whichever the queue is. A build without CUDA never calls `card`, so that
/// nothing it names is linked.
template <class Cpu, class Card>
decltype(auto) on_device(const Queue& queue, const Cpu& cpu, [[maybe_unused]] const Card& card) {
  if constexpr (build::has_cuda)
    if (queue.is_cuda()) return card();
  return cpu();
}

/// The same of two functions for one job: cpu(values...), perhaps with the queue before them, or
/// card(queue, values...).
template <auto cpu, auto card, class... Values>
decltype(auto) on_device(const Queue& queue, const Values&... values) {
  if constexpr (build::has_cuda)
    if (queue.is_cuda()) return card(queue, values...);
  if constexpr (std::is_invocable_v<decltype(cpu), const Queue&, const Values&...>)
    return cpu(queue, values...);
  else
    return cpu(values...);
}

}  // namespace cuimg
