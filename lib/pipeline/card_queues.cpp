// SPDX-License-Identifier: Apache-2.0
#include "pipeline/card_queues.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace cuimg {
namespace {

struct FreeQueue {
  int index;
  Queue queue;
};

std::mutex& free_queues_mutex() {
  static std::mutex instance;
  return instance;
}

std::vector<FreeQueue>& free_queues() {
  static std::vector<FreeQueue> instance;
  return instance;
}

Queue take(int index, int threads) {
  {
    const std::lock_guard lock(free_queues_mutex());
    std::vector<FreeQueue>& all = free_queues();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.index == index; });
    if (found != all.end()) {
      Queue queue = std::move(found->queue);
      all.erase(found);
      return queue;
    }
  }
  return Queue::cuda(index, threads);
}

}  // namespace

CardLease::CardLease(int index, int threads) : index_(index), queue_(take(index, threads)) {}

CardLease::~CardLease() {
  const std::lock_guard lock(free_queues_mutex());
  free_queues().push_back({index_, std::move(queue_)});
}

}  // namespace cuimg
