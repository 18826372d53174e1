// SPDX-License-Identifier: Apache-2.0
#include "io/lost_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

namespace cuimg {
namespace {

// The signal's handler reads this, whatever locks the process's threads hold.
struct Range {
  std::atomic<std::uintptr_t> first = 0;  ///< 0: free; 1: being claimed.
  std::atomic<std::uintptr_t> end = 0;
  std::atomic<bool> is_lost = false;
};
constexpr int most_ranges = 4096;
Range ranges[most_ranges];
std::atomic<int> used_ranges = 0;  // ranges from the first one that have been used
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

std::uintptr_t page_bytes = 4096;
struct sigaction action_before;

void on_bus_error(int, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (int i = 0; i < used_ranges; ++i) {
    Range& range = ranges[i];
    const std::uintptr_t first = range.first;
    if (first <= 1 || address < first || address >= range.end) continue;
    range.is_lost = true;
    // Zeros from this page on: the pages after it are usually lost too.
    const std::uintptr_t page = address / page_bytes * page_bytes;
    if (mmap(reinterpret_cast<void*>(page), range.end - page, PROT_READ,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
      return;
  }
  // The access fails again, now with the previous action.
  sigaction(SIGBUS, &action_before, nullptr);
}

}  // namespace

void survive_lost_pages() {
  page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &action_before);
}

WatchedPages::WatchedPages(const void* first, std::size_t bytes) {
  const auto start = reinterpret_cast<std::uintptr_t>(first);
  for (int i = 0; i < most_ranges; ++i) {
    std::uintptr_t nobody = 0;
    if (!ranges[i].first.compare_exchange_strong(nobody, 1)) continue;
    ranges[i].is_lost = false;
    ranges[i].end = start + bytes;
    ranges[i].first = start;
    slot_ = i;
    for (int used = used_ranges; used <= i && !used_ranges.compare_exchange_weak(used, i + 1);) {
    }
    return;
  }
}

WatchedPages::~WatchedPages() {
  if (slot_ >= 0) ranges[slot_].first = 0;
}

bool WatchedPages::are_lost() const { return slot_ >= 0 && ranges[slot_].is_lost; }

}  // namespace cuimg
