// SPDX-License-Identifier: Apache-2.0
// Queues that are being created ahead, queues kept for reuse, and their end.
#include "device/card_session.h"

#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "build_config.h"
#include "device/card_backend.h"

namespace cuimg {
namespace {

using SharedQueue = std::shared_ptr<CudaQueue>;
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

struct IdleQueue {
  int index;
  Queue queue;
};

struct Cards {
  std::mutex mutex;
  bool in_session = false;
  /// may_have_cuda(), asked by another thread.
  std::shared_future<bool> driver;
  /// For each card that was warmed up its queue, or nothing once that was taken.
  std::map<int, std::future<SharedQueue>> ahead;
  std::vector<IdleQueue> idle;
};

// Never destroyed: its destructor would wait for contexts and call CUDA among the exit handlers.
Cards& cards() {
  static Cards* const instance = new Cards;
  return *instance;
}

Queue take(int index, int threads) {
  {
    const std::lock_guard lock(cards().mutex);
    std::vector<IdleQueue>& idle = cards().idle;
    for (auto entry = idle.begin(); entry != idle.end(); ++entry) {
      if (entry->index != index) continue;
      Queue queue = std::move(entry->queue);
      idle.erase(entry);
      return queue;
    }
  }
  return Queue::cuda(index, threads);
}

// Whether nothing is being created any more. What ended is taken out, and so destroyed.
bool finish_creations(std::map<int, std::future<SharedQueue>>& ahead, const Deadline& deadline) {
  while (!ahead.empty()) {
    const auto first = ahead.begin();
    if (first->second.valid()) {
      if (deadline && first->second.wait_until(*deadline) != std::future_status::ready)
        return false;
      try {
        first->second.get();
      } catch (...) {  // no caller asked for this queue: drop its error
      }
    }
    ahead.erase(first);
  }
  return true;
}

bool has_answered(const std::shared_future<bool>& driver, const Deadline& deadline) {
  if (!driver.valid()) return true;
  if (deadline) return driver.wait_until(*deadline) == std::future_status::ready;
  driver.wait();
  return true;
}

bool end_session(const Deadline& deadline) {
  Cards& shared = cards();
  std::map<int, std::future<SharedQueue>> ahead;
  std::vector<IdleQueue> idle;
  std::shared_future<bool> driver;
  {
    const std::lock_guard lock(shared.mutex);
    shared.in_session = false;
    driver = shared.driver;
    ahead.swap(shared.ahead);
    idle.swap(shared.idle);
  }
  if (has_answered(driver, deadline) && finish_creations(ahead, deadline)) return true;
  // Destroying these would wait for the creation: a future does so, and the driver may.
  const std::lock_guard lock(shared.mutex);
  shared.ahead.swap(ahead);
  shared.idle.swap(idle);
  return false;
}

}  // namespace

CardSession::CardSession() {
  const std::lock_guard lock(cards().mutex);
  cards().in_session = true;
}

CardSession::~CardSession() {
  if (!ended_) end_session({});
}

bool CardSession::end(std::chrono::milliseconds patience) {
  ended_ = true;
  return end_session(std::chrono::steady_clock::now() + patience);
}

void warm_up_cuda(int index) {
  if constexpr (build::has_cuda) {
    const std::lock_guard lock(cards().mutex);
    if (!cards().in_session || cards().ahead.contains(index)) return;
    try {
      cards().ahead.emplace(index, std::async(std::launch::async, [index] {
                              known_cards();
                              return card::open(index);
                            }));
    } catch (const std::system_error&) {  // no thread to be had: the queue is opened when needed
    }
  }
}

std::optional<bool> may_have_cuda_yet() {
  if constexpr (!build::has_cuda) return false;
  std::shared_future<bool> driver;
  {
    const std::lock_guard lock(cards().mutex);
    if (!cards().driver.valid() && cards().in_session) {
      try {
        cards().driver = std::async(std::launch::async, may_have_cuda).share();
      } catch (const std::system_error&) {  // no thread to be had: it is asked below
      }
    }
    driver = cards().driver;
  }
  if (!driver.valid()) return may_have_cuda();
  // Where there is none, that is said at once.
  constexpr std::chrono::milliseconds time_to_miss_a_driver{5};
  if (driver.wait_for(time_to_miss_a_driver) != std::future_status::ready) return std::nullopt;
  return driver.get();
}

const DeviceList& known_cards() {
  static const DeviceList* const known = new DeviceList(list_devices(false));
  return *known;
}

std::vector<int> meant_cards(const std::vector<int>& named) {
  std::vector<int> meant = named;
  if (meant.empty())
    for (const DeviceInfo& card : known_cards().devices)
      if (card.problem.empty()) meant.push_back(card.index);
  if (meant.empty()) meant.push_back(0);
  return meant;
}

bool is_being_opened(int index) {
  const std::lock_guard lock(cards().mutex);
  const auto found = cards().ahead.find(index);
  return found != cards().ahead.end() && found->second.valid() &&
         found->second.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

SharedQueue open_card(int index) {
  std::future<SharedQueue> ahead;
  {
    const std::lock_guard lock(cards().mutex);
    const auto found = cards().ahead.find(index);
    if (found != cards().ahead.end()) ahead = std::move(found->second);
  }
  return ahead.valid() ? ahead.get() : card::open(index);
}

CardQueueLease::CardQueueLease(int index, int threads)
    : index_(index), queue_(take(index, threads)) {
  // The thread may have worked on another card before.
  card::make_current(queue_.card());
}

CardQueueLease::~CardQueueLease() {
  try {
    const std::lock_guard lock(cards().mutex);
    cards().idle.push_back({index_, std::move(queue_)});
  } catch (...) {  // no memory for the list's entry: the queue is destroyed
  }
}

}  // namespace cuimg
