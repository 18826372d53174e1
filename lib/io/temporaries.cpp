// SPDX-License-Identifier: Apache-2.0
#include "io/temporaries.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

namespace cuimg {
namespace {

enum SlotState : int { free_slot, being_filled, live };

struct Slot {
  std::atomic<int> state{free_slot};
  char path[4096] = {};
};
static_assert(std::atomic<int>::is_always_lock_free, "the handler reads it");

// Each job writes one file; with more images than this at a time, the others are only not removed
// by signals.
std::array<Slot, 256> slots;

std::atomic<bool> ending{false};  // whether a handler is removing the files
std::atomic<int> changes{0};      // the number of TemporaryChange objects
static_assert(std::atomic<bool>::is_always_lock_free, "the handler writes it");

// Creating a file on a network file system may take forever, but the signal must end the process.
constexpr int wait_for_changes_ms = 500;

[[noreturn]] void wait_for_the_end() {
  for (;;) pause();
}

}  // namespace

sigset_t ending_signal_set() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal_number : ending_signals) sigaddset(&set, signal_number);
  return set;
}

void remove_temporaries() {
  for (const Slot& slot : slots)
    if (slot.state.load(std::memory_order_acquire) == live) unlink(slot.path);
}

void remove_temporaries_for_good() {
  if (ending.exchange(true)) wait_for_the_end();
  const timespec millisecond = {0, 1000000};
  for (int i = 0; changes.load() > 0 && i < wait_for_changes_ms; ++i)
    nanosleep(&millisecond, nullptr);
  remove_temporaries();
}

TemporaryPath::TemporaryPath(const std::string& path) {
  if (path.size() >= sizeof(Slot::path)) return;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    int expected = free_slot;
    if (!slots[i].state.compare_exchange_strong(expected, being_filled)) continue;
    std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
    slots[i].state.store(live, std::memory_order_release);
    slot_ = static_cast<int>(i);
    return;
  }
}

TemporaryPath::~TemporaryPath() {
  if (slot_ >= 0) slots[static_cast<std::size_t>(slot_)].state.store(free_slot);
}

// The depth in this thread: only the outermost counts.
static thread_local int changes_of_thread = 0;

TemporaryChange::TemporaryChange() {
  if (changes_of_thread++ > 0) return;
  // A handler on this thread would wait for itself.
  const sigset_t set = ending_signal_set();
  pthread_sigmask(SIG_BLOCK, &set, &blocked_before_);
  changes.fetch_add(1);
  if (!ending.load()) return;
  changes.fetch_sub(1);
  wait_for_the_end();
}

TemporaryChange::~TemporaryChange() {
  if (--changes_of_thread > 0) return;
  const int error = errno;
  changes.fetch_sub(1);
  pthread_sigmask(SIG_SETMASK, &blocked_before_, nullptr);
  errno = error;
}

}  // namespace cuimg
