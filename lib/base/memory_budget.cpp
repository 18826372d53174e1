// SPDX-License-Identifier: Apache-2.0
#include "base/memory_budget.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace cuimg {
namespace {

std::uint64_t number_in(const std::string& path) {
  std::uint64_t number = 0;
  std::ifstream(path) >> number;  // "max" leaves 0
  return number;
}

std::uint64_t system_bytes() {
  std::ifstream lines("/proc/meminfo");
  for (std::string name, rest; lines >> name; std::getline(lines, rest))
    if (std::uint64_t kilobytes = 0; name == "MemAvailable:" && lines >> kilobytes)
      return kilobytes << 10;
  return 0;
}

// What the innermost control group leaves. In a container that is the one at the mount's root.
std::uint64_t control_group_bytes() {
  std::string path;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);)
    if (line.starts_with("0::")) path = line.substr(3);
  for (const std::string& folder : {"/sys/fs/cgroup" + path, std::string("/sys/fs/cgroup")}) {
    const std::uint64_t limit = number_in(folder + "/memory.max");
    if (limit > 0)
      return std::max<std::uint64_t>(
          1, limit - std::min(limit, number_in(folder + "/memory.current")));
  }
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
  const std::uint64_t system = system_bytes(), group = control_group_bytes();
  return system == 0 || group == 0 ? std::max(system, group) : std::min(system, group);
}

std::uint64_t resident_memory_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string name; status >> name; status.ignore(1 << 16, '\n'))
    if (std::uint64_t kilobytes = 0; name == "VmRSS:" && status >> kilobytes)
      return kilobytes << 10;
  return 0;
}

}  // namespace cuimg
