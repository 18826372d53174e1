// SPDX-License-Identifier: Apache-2.0
#include "io/temporaries.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>

#include "io/byte_sink.h"

namespace cuimg {
namespace {

enum SlotState : int { free_slot, being_filled, live };

struct Slot {
  std::atomic<int> state{free_slot};
  char path[4096] = {};
};
static_assert(std::atomic<int>::is_always_lock_free, "the handler reads it");

// One file is written per job; images past this many at a time lose the signal's cleaning only.
std::array<Slot, 256> slots;

extern "C" void remove_temporaries_and_end(int signal_number) {
  for (Slot& slot : slots)
    if (slot.state.load(std::memory_order_acquire) == live) unlink(slot.path);
  // The action was reset to the default on entry (SA_RESETHAND); the signal, blocked until this
  // handler returns, then ends the process the way its sender expects.
  raise(signal_number);
}

}  // namespace

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

void remove_temporaries_on_signals() {
  for (int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction previous;
    // A signal ignored from outside (nohup) stays ignored.
    if (sigaction(signal_number, nullptr, &previous) == 0 && previous.sa_handler == SIG_IGN)
      continue;
    struct sigaction action = {};
    action.sa_handler = remove_temporaries_and_end;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    for (int other : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&action.sa_mask, other);
    sigaction(signal_number, &action, nullptr);
  }
}

}  // namespace cuimg
