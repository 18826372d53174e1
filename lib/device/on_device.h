// SPDX-License-Identifier: Apache-2.0
// The one place where work goes to the CPU or to a card.
#pragma once

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

}  // namespace cuimg
