// SPDX-License-Identifier: Apache-2.0
// Queues that are created ahead of use, queues kept for reuse, and their destruction.
#include "device/card_session.h"

#include <algorithm>
#include <cstdlib>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "build_config.h"
#include "device/card_backend.h"

namespace cuimg {
namespace {

using SharedQueue = std::shared_ptr<CudaQueue>;

// A queue that is created ahead of its use.
struct Ahead {
  std::future<SharedQueue> queue;  ///< Not valid after it was taken.
  std::shared_future<void> ended;  ///< Ready when the creation has ended, with a queue or without.
};

// Fulfils a promise at the end of its scope, even after an exception.
class AtEnd {
 public:
  explicit AtEnd(std::promise<void>& promise) : promise_(promise) {}
  ~AtEnd() { promise_.set_value(); }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;

 private:
  std::promise<void>& promise_;
};

struct IdleQueue {
  int index;
  Queue queue;
};

struct Cards {
  std::mutex mutex;
  bool in_session = false;
  /// The result of may_have_cuda() on another thread.
  std::shared_future<bool> driver;
  std::chrono::steady_clock::time_point asked_driver;
  /// One entry for each card that was warmed up.
  std::map<int, Ahead> ahead;
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

// Whether every creation has ended by then. Created queues are kept.
bool await_creations(const std::chrono::steady_clock::time_point& deadline) {
  std::vector<std::shared_future<void>> ends;
  {
    const std::lock_guard lock(cards().mutex);
    cards().in_session = false;
    for (const auto& [index, ahead] : cards().ahead) ends.push_back(ahead.ended);
  }
  return std::all_of(ends.begin(), ends.end(), [&](const std::shared_future<void>& end) {
    return end.wait_until(deadline) == std::future_status::ready;
  });
}

bool has_touched_the_driver() {
  constexpr std::chrono::seconds now(0);
  const std::lock_guard lock(cards().mutex);
  const std::shared_future<bool>& driver = cards().driver;
  return !cards().ahead.empty() || !cards().idle.empty() ||
         (driver.valid() && driver.wait_for(now) != std::future_status::ready);
}

// Destroys all created and kept queues.
void destroy_queues() {
  std::map<int, Ahead> ahead;
  std::vector<IdleQueue> idle;
  std::shared_future<bool> driver;
  {
    const std::lock_guard lock(cards().mutex);
    cards().in_session = false;
    driver = cards().driver;
    ahead.swap(cards().ahead);
    idle.swap(cards().idle);
  }
  if (driver.valid()) driver.wait();
  for (auto& [index, made] : ahead)
    if (made.queue.valid()) made.queue.wait();
}

}  // namespace

CardSession::CardSession() {
  const std::lock_guard lock(cards().mutex);
  cards().in_session = true;
}

CardSession::~CardSession() {
  if (!ended_) destroy_queues();
}

bool CardSession::end(std::chrono::milliseconds patience) {
  ended_ = true;
  if (!await_creations(std::chrono::steady_clock::now() + patience)) return false;
#if defined(__SANITIZE_ADDRESS__)
  destroy_queues();  // so that leaks become visible
#endif
  return !has_touched_the_driver();
}

void warm_up_cuda(int index) {
  if constexpr (build::has_cuda) {
    const std::lock_guard lock(cards().mutex);
    if (!cards().in_session || cards().ahead.contains(index)) return;
    try {
      std::promise<void> end;
      Ahead ahead;
      ahead.ended = end.get_future().share();
      ahead.queue = std::async(std::launch::async, [index, end = std::move(end)]() mutable {
        const AtEnd at_end(end);
        known_cards();
        return card::open(index);
      });
      cards().ahead.emplace(index, std::move(ahead));
    } catch (const std::system_error&) {  // no thread is available: the queue is opened when it is
                                          // needed
    }
  }
}

void see_first_cards(int count) {
  constexpr const char* name = "CUDA_VISIBLE_DEVICES";
  const std::lock_guard lock(cards().mutex);
  if (!cards().in_session) return;
  std::string all = "0";
  for (int i = 1; i < count; ++i) all += ',' + std::to_string(i);
  if (const char* const seen = std::getenv(name)) all = seen;
  std::size_t end = all.find(',');
  for (int i = 1; i < count && end != std::string::npos; ++i) end = all.find(',', end + 1);
  setenv(name, all.substr(0, end).c_str(), 1);
}

void make_few_connections(int count) {
  const std::lock_guard lock(cards().mutex);
  if (cards().in_session) setenv("CUDA_DEVICE_MAX_CONNECTIONS", std::to_string(count).c_str(), 0);
}

std::optional<bool> may_have_cuda_yet() {
  if constexpr (!build::has_cuda) return false;
  std::shared_future<bool> driver;
  std::chrono::steady_clock::time_point asked;
  {
    const std::lock_guard lock(cards().mutex);
    if (!cards().driver.valid() && cards().in_session) {
      try {
        cards().driver = std::async(std::launch::async, may_have_cuda).share();
        cards().asked_driver = std::chrono::steady_clock::now();
      } catch (const std::system_error&) {  // no thread is available: the question is asked below
      }
    }
    driver = cards().driver;
    asked = cards().asked_driver;
  }
  if (!driver.valid()) return may_have_cuda();
  // A missing card is reported immediately. Only the first images wait for the answer.
  constexpr std::chrono::milliseconds time_to_miss_a_driver{5};
  if (driver.wait_until(asked + time_to_miss_a_driver) != std::future_status::ready)
    return std::nullopt;
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
  return found != cards().ahead.end() &&
         found->second.ended.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

void await_card(int index) {
  std::shared_future<void> ended;
  {
    const std::lock_guard lock(cards().mutex);
    if (const auto found = cards().ahead.find(index); found != cards().ahead.end())
      ended = found->second.ended;
  }
  if (ended.valid()) ended.wait();
}

SharedQueue open_card(int index) {
  std::future<SharedQueue> ahead;
  {
    const std::lock_guard lock(cards().mutex);
    const auto found = cards().ahead.find(index);
    if (found != cards().ahead.end()) ahead = std::move(found->second.queue);
  }
  return ahead.valid() ? ahead.get() : card::open(index);
}

CardQueueLease::CardQueueLease(int index, int threads)
    : index_(index), queue_(take(index, threads)) {
  // The thread may have used another card before.
  card::make_current(queue_.card());
}

CardQueueLease::~CardQueueLease() {
  try {
    const std::lock_guard lock(cards().mutex);
    cards().idle.push_back({index_, std::move(queue_)});
  } catch (...) {  // there is no memory for the list's entry: the queue is destroyed
  }
}

}  // namespace cuimg
