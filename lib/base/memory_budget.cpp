// SPDX-License-Identifier: Apache-2.0
#include "base/memory_budget.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#include "base/control_groups.h"

namespace cuimg {
namespace {

std::uint64_t system_bytes() {
  std::ifstream lines("/proc/meminfo");
  for (std::string name, rest; lines >> name; std::getline(lines, rest))
    if (std::uint64_t kilobytes = 0; name == "MemAvailable:" && lines >> kilobytes)
      return kilobytes << 10;
  return 0;
}

}  // namespace

MemoryBudget::Share::Share(MemoryBudget& budget, std::uint64_t bytes)
    : budget_(budget), bytes_(bytes) {
  std::unique_lock lock(budget_.mutex_);
  const std::uint64_t number = budget_.asked_++;
  budget_.changed_.wait(lock, [&] {
    return number == budget_.served_ &&
           (budget_.taken_ == 0 ||
            (budget_.taken_ <= budget_.bytes_ && bytes_ <= budget_.bytes_ - budget_.taken_));
  });
  ++budget_.served_;
  budget_.taken_ += bytes_;
  budget_.changed_.notify_all();
}

MemoryBudget::Share::~Share() {
  {
    const std::lock_guard lock(budget_.mutex_);
    budget_.taken_ -= bytes_;
  }
  budget_.changed_.notify_all();
}

std::uint64_t available_memory_bytes() {
  const std::uint64_t system = system_bytes();
  const std::optional<std::uint64_t> group = ControlGroups().memory_left();
  if (!group) return system;
  const std::uint64_t of_group = std::max<std::uint64_t>(1, *group);
  return system == 0 ? of_group : std::min(system, of_group);
}

std::uint64_t resident_memory_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string name; status >> name; status.ignore(1 << 16, '\n'))
    if (std::uint64_t kilobytes = 0; name == "VmRSS:" && status >> kilobytes)
      return kilobytes << 10;
  return 0;
}

}  // namespace cuimg
