// SPDX-License-Identifier: Apache-2.0
// Threads that share work, and places that are lent while a thread waits.
#include "pipeline/run/work_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace cuimg::test {
namespace {

// Work whose items wait until `count` of them have begun.
struct Meeting {
  std::mutex mutex;
  std::condition_variable changed;
  int begun = 0;

  void begin() {
    const std::lock_guard lock(mutex);
    ++begun;
    changed.notify_all();
  }
  // @returns whether that many began.
  bool wait_for(int count) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::seconds(10), [&] { return begun >= count; });
  }
};

TEST(WorkPlaces, EachItemIsDoneOnce) {
  WorkPlaces places(4);
  std::atomic<int> next = 0;
  std::array<std::atomic<int>, 100> done = {};
  places.work([&] {
    const int i = next++;
    if (i >= 100) return false;
    ++done[static_cast<std::size_t>(i)];
    return true;
  });
  EXPECT_TRUE(std::ranges::all_of(done, [](const auto& times) { return times == 1; }));
}

TEST(WorkPlaces, AsManyWorkAtATimeAsThereArePlaces) {
  WorkPlaces places(3);
  Meeting meeting;
  std::atomic<int> next = 0, at_once = 0, most = 0;
  std::atomic<bool> met = true;
  places.work([&] {
    const int i = next++;
    if (i >= 30) return false;
    const int now = ++at_once;
    for (int known = most; now > known && !most.compare_exchange_weak(known, now);) continue;
    meeting.begin();
    if (i < 3) met = meeting.wait_for(3) && met;
    --at_once;
    return true;
  });
  EXPECT_TRUE(met);
  EXPECT_EQ(most, 3);
}

TEST(WorkPlaces, AThreadThatWaitsLendsItsPlace) {
  WorkPlaces places(2, {5, 2, 0});
  Meeting meeting;
  std::atomic<int> next = 0;
  std::atomic<bool> met = true;
  // The first seven wait for each other, which would never end with only two places.
  places.work([&] {
    const int i = next++;
    if (i >= 40) return false;
    if (i >= 7) return true;
    const WorkPlaces::Lent lent(&places, WorkPlaces::WaitsFor::card, 0);
    meeting.begin();
    met = meeting.wait_for(7) && met;
    return true;
  });
  EXPECT_TRUE(met);
}

TEST(WorkPlaces, NoMoreWaitThanMayBeLent) {
  WorkPlaces places(2, {3, 2, 0});
  std::mutex mutex;
  std::atomic<int> next = 0;
  std::size_t most = 0;
  places.work([&] {
    if (next++ >= 50) return false;
    const WorkPlaces::Lent lent(&places, WorkPlaces::WaitsFor::card, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::lock_guard lock(mutex);
    most = std::max(most, places.threads());
    return true;
  });
  EXPECT_GT(most, 2u);
  EXPECT_LE(most, 5u);
}

TEST(WorkPlaces, ThoseWhoWaitHoldLittleMoreThanTheBytesAllowed) {
  WorkPlaces places(2, {20, 2, 250});
  std::atomic<int> next = 0, waiting = 0, most = 0;
  places.work([&] {
    if (next++ >= 60) return false;
    const WorkPlaces::Lent lent(&places, WorkPlaces::WaitsFor::card, 100);
    const int now = ++waiting;
    for (int known = most; now > known && !most.compare_exchange_weak(known, now);) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --waiting;
    return true;
  });
  EXPECT_LE(most, 4);
}

TEST(WorkPlaces, WhatIsWaitedForHasAProcessorLeft) {
  WorkPlaces places(3, {20, 2, 0});
  Meeting meeting;
  std::atomic<int> next = 0, at_once = 0, most = 0;
  std::atomic<bool> met = true;
  places.work([&] {
    const int i = next++;
    if (i >= 60) return false;
    if (i < 3) {
      const WorkPlaces::Lent lent(&places, WorkPlaces::WaitsFor::card, 0);
      met = meeting.wait_for(40) && met;
      return true;
    }
    const int now = ++at_once;
    // Threads that have waited may do the last items.
    for (int known = most; i < 33 && now > known && !most.compare_exchange_weak(known, now);)
      continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --at_once;
    meeting.begin();
    return true;
  });
  EXPECT_TRUE(met);
  EXPECT_EQ(most, 2);
}

TEST(WorkPlaces, AllPlacesWorkWhileTheDiskIsWaitedFor) {
  WorkPlaces places(3, {20, 2, 0});
  {
    const WorkPlaces::Lent slow(&places, WorkPlaces::WaitsFor::disk, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  Meeting waiting, working;
  std::atomic<int> next = 0;
  std::atomic<bool> met = true;
  places.work([&] {
    const int i = next++;
    if (i >= 8) return false;
    if (i < 5) {
      const WorkPlaces::Lent lent(&places, WorkPlaces::WaitsFor::disk, 0);
      waiting.begin();
      met = working.wait_for(3) && met;
      return true;
    }
    met = waiting.wait_for(5) && met;
    working.begin();
    met = working.wait_for(3) && met;
    return true;
  });
  EXPECT_TRUE(met);
}

TEST(WorkPlaces, ThreadsBeyondThePlacesEnd) {
  WorkPlaces places(2, {6, 2, 0});
  Meeting meeting;
  std::atomic<int> next = 0;
  std::size_t left = 0;
  places.work([&] {
    const int i = next++;
    if (i >= 1000) return false;
    if (i < 8) {
      const WorkPlaces::Lent lent(&places, WorkPlaces::WaitsFor::card, 0);
      meeting.begin();
      meeting.wait_for(8);
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    if (i == 900) left = places.threads();
    return true;
  });
  EXPECT_EQ(left, 2u);
}

TEST(WorkPlaces, WithoutWorkALentPlaceStartsNobody) {
  WorkPlaces places(1, {4, 1, 0});
  const WorkPlaces::Lent lent(&places, WorkPlaces::WaitsFor::card, 0);
  EXPECT_EQ(places.threads(), 0u);
}

}  // namespace
}  // namespace cuimg::test
