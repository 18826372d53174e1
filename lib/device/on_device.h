// SPDX-License-Identifier: Apache-2.0
// The single place that dispatches work to the CPU or to a card.
#pragma once

#include <type_traits>

#include "build_config.h"
#include "device/queue.h"

namespace cuimg {

/// Calls cpu() or card(), depending on the queue. A build without CUDA never calls `card`, so the
/// functions that it names are not linked.
template <class Cpu, class Card>
decltype(auto) on_device(const Queue& queue, const Cpu& cpu, [[maybe_unused]] const Card& card) {
  if constexpr (build::has_cuda)
    if (queue.is_cuda()) return card();
  return cpu();
}

/// The same with two functions for one job: cpu(values...), with the queue before the values if it
/// takes one, or card(queue, values...).
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
