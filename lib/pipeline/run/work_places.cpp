// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/work_places.h"

#include <system_error>
#include <utility>

namespace cuimg {

void WorkPlaces::work(const std::function<bool()>& next) {
  {
    const std::lock_guard lock(mutex_);
    next_ = &next;
    is_done_ = false;
    threads_ = 1;
    for (std::size_t i = 1; i < places_; ++i) start_thread();
  }
  run();
  // Threads that end may have started others before.
  for (;;) {
    std::vector<std::thread> ending;
    {
      const std::lock_guard lock(mutex_);
      ending = std::exchange(others_, {});
      if (ending.empty()) next_ = nullptr;
    }
    if (ending.empty()) return;
    for (std::thread& thread : ending) thread.join();
  }
}

// If the system has no more threads, the existing ones use fewer places.
void WorkPlaces::start_thread() {
  try {
    others_.emplace_back([this] { run(); });
    ++threads_;
  } catch (const std::system_error&) {
  }
}

void WorkPlaces::run() {
  while ((*next_)())
    if (is_one_too_many()) return;
  const std::lock_guard lock(mutex_);
  is_done_ = true;
  --threads_;
}

// Threads that waited have returned.
bool WorkPlaces::is_one_too_many() {
  const std::lock_guard lock(mutex_);
  if (threads_ - waiting_ <= places_) return false;
  --threads_;
  return true;
}

void WorkPlaces::lend(WaitsFor what, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  ++waiting_;
  waiting_bytes_ += bytes;
  if (what == WaitsFor::disk && !is_disk_slow_) return;
  const std::size_t working = what == WaitsFor::card ? lending_.busy : places_;
  if (next_ != nullptr && !is_done_ && threads_ - waiting_ < working &&
      threads_ < places_ + lending_.threads && waiting_bytes_ <= lending_.bytes)
    start_thread();
}

void WorkPlaces::take_back(WaitsFor what, std::uint64_t bytes, std::chrono::nanoseconds waited) {
  // Syncing a file in memory (tmpfs) takes no time; starting a thread for it would take longer.
  constexpr std::chrono::milliseconds worth_a_thread{1};
  const std::lock_guard lock(mutex_);
  if (what == WaitsFor::disk) is_disk_slow_ = waited > worth_a_thread;
  --waiting_;
  waiting_bytes_ -= bytes;
}

std::size_t WorkPlaces::threads() const {
  const std::lock_guard lock(mutex_);
  return threads_;
}

}  // namespace cuimg
