// SPDX-License-Identifier: Apache-2.0
#include "base/memory_budget.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace cuimg {
namespace {

TEST(MemoryBudget, IsNeverPassedByThoseWhoFit) {
  MemoryBudget budget(100);
  std::atomic<std::uint64_t> taken = 0;
  std::atomic<bool> passed = false;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int j = 0; j < 200; ++j) {
        const auto bytes = static_cast<std::uint64_t>((i * 31 + j * 7) % 60 + 1);
        const MemoryBudget::Share share(budget, bytes);
        if (taken.fetch_add(bytes) + bytes > 100) passed = true;
        taken.fetch_sub(bytes);
      }
    });
  threads.clear();
  EXPECT_FALSE(passed);
}

TEST(MemoryBudget, WhatNeverFitsRunsAlone) {
  MemoryBudget budget(10);
  std::atomic<int> inside = 0;
  std::atomic<bool> met = false;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 100; ++j) {
        const MemoryBudget::Share share(budget, 1000);
        if (inside.fetch_add(1) > 0) met = true;
        inside.fetch_sub(1);
      }
    });
  threads.clear();
  EXPECT_FALSE(met);
}

TEST(AvailableMemory, IsKnownHere) { EXPECT_GT(available_memory_bytes(), std::uint64_t{1} << 20); }

}  // namespace
}  // namespace cuimg
