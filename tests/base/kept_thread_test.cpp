// SPDX-License-Identifier: Apache-2.0
#include "base/kept_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <set>
#include <thread>
#include <vector>

namespace cuimg {
namespace {

TEST(KeptThread, IsTheSameOneForTasksThatFollowEachOther) {
  std::set<std::thread::id> threads;
  for (int i = 0; i < 100; ++i)
    KeptThread([&] { threads.insert(std::this_thread::get_id()); }).join();
  EXPECT_EQ(threads.size(), 1u);
  EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

TEST(KeptThread, IsEachTasksOwnWhileItRuns) {
  constexpr int tasks = 24;
  for (int repetition = 0; repetition < 3; ++repetition) {
    // Unless each task has a thread, they wait here for ever.
    std::barrier all_run(tasks);
    std::atomic<int> ended = 0;
    {
      std::vector<KeptThread> threads;
      for (int i = 0; i < tasks; ++i)
        threads.emplace_back([&] {
          all_run.arrive_and_wait();
          ++ended;
        });
    }
    EXPECT_EQ(ended, tasks);
  }
}

TEST(KeptThread, IsWaitedForBeforeItTakesAnotherTask) {
  std::atomic<int> ended = 0;
  KeptThread thread([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ++ended;
  });
  thread = KeptThread([&] { EXPECT_LE(ended, 1); });
  EXPECT_EQ(ended, 1);
  KeptThread moved(std::move(thread));
  moved.join();
  moved.join();
  KeptThread().join();
}

}  // namespace
}  // namespace cuimg
