// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_memory.h"

#include <algorithm>
#include <map>
#include <memory>

#include "device/card_session.h"
#include "device/cuda/cuda_pool.h"

namespace cuimg {
namespace {

std::atomic<std::uint64_t> limit_bytes = UINT64_MAX;

}  // namespace

void limit_card_memory(std::uint64_t bytes) { limit_bytes = bytes; }

CardMemory& CardMemory::of(int device) {
  static std::mutex mutex;
  // Never destroyed: queues may outlive every other static.
  static auto* const cards = new std::map<int, std::unique_ptr<CardMemory>>;
  const std::lock_guard lock(mutex);
  std::unique_ptr<CardMemory>& card = (*cards)[device];
  if (!card) card = std::make_unique<CardMemory>();
  return *card;
}

bool CardMemory::begin_keeping(std::uint64_t bytes, std::uint64_t total_bytes, int parts) {
  const std::uint64_t may_use = std::min<std::uint64_t>(limit_bytes, total_bytes);
  std::uint64_t kept = kept_;
  do {
    if (kept + bytes > may_use / static_cast<std::uint64_t>(parts)) return false;
  } while (!kept_.compare_exchange_weak(kept, kept + bytes));
  return true;
}

bool CardMemory::is_past_limit() const { return used_ > limit_bytes; }

void CardMemory::add(CudaPool& pool) {
  const std::lock_guard lock(mutex_);
  pools_.push_back(&pool);
}

void CardMemory::remove(CudaPool& pool) {
  const std::lock_guard lock(mutex_);
  std::erase(pools_, &pool);
}

void CardMemory::trim() {
  const std::lock_guard lock(mutex_);
  for (CudaPool* const pool : pools_) pool->trim();
}

}  // namespace cuimg
