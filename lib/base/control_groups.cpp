// SPDX-License-Identifier: Apache-2.0
#include "base/control_groups.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/contains.h"
#include "base/split_text.h"

namespace cuimg {
namespace {

// Quota and period in microseconds; a negative or absent quota means no limit.
int threads_of_quota(double quota, double period) {
  if (quota <= 0 || period <= 0) return 0;
  return static_cast<int>(std::clamp((quota + period - 1) / period, 1.0, 1e6));
}

int smaller_limit(int a, int b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

int thread_limit(const std::string& folder, bool version_2) {
  double quota = 0, period = 0;
  if (version_2) {
    // "max 100000" or "150000 100000"; "max" leaves quota at 0.
    std::ifstream(folder + "/cpu.max") >> quota >> period;
  } else {
    std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  }
  return threads_of_quota(quota, period);
}

// Nothing if the file is absent or says "max".
std::optional<std::uint64_t> number_in(const std::string& path) {
  std::uint64_t number = 0;
  if (std::ifstream(path) >> number) return number;
  return std::nullopt;
}

// From lines "NAME NUMBER"; 0 if the name is absent.
std::uint64_t number_of(const std::string& name, const std::string& path) {
  std::ifstream lines(path);
  std::uint64_t number = 0;
  for (std::string word; lines >> word >> number;)
    if (word == name) return number;
  return 0;
}

std::uint64_t left_of(std::uint64_t limit, std::uint64_t used) {
  return limit - std::min(limit, used);
}

std::optional<std::uint64_t> processes_left_in(const std::string& folder) {
  const auto limit = number_in(folder + "/pids.max");
  if (!limit) return std::nullopt;
  return left_of(*limit, number_in(folder + "/pids.current").value_or(0));
}

std::optional<std::uint64_t> memory_left_in(const std::string& folder, bool version_2) {
  // Version 1 has a huge number if there is no limit.
  const auto limit = number_in(folder + (version_2 ? "/memory.max" : "/memory.limit_in_bytes"));
  if (!limit) return std::nullopt;
  const std::uint64_t used =
      number_in(folder + (version_2 ? "/memory.current" : "/memory.usage_in_bytes")).value_or(0);
  const std::uint64_t of_files =
      number_of(version_2 ? "inactive_file" : "total_inactive_file", folder + "/memory.stat");
  return left_of(*limit, left_of(used, of_files));
}

void take_smaller(std::optional<std::uint64_t>& least, const std::optional<std::uint64_t>& other) {
  if (other) least = std::min(least.value_or(*other), *other);
}

bool lists(const std::string& controllers, std::string_view controller) {
  const std::vector<std::string_view> names = split_at(controllers, ",");
  return contains(names, controller);
}

}  // namespace

std::string ControlGroups::of_this_process() {
  std::ifstream file("/proc/self/cgroup");
  return {std::istreambuf_iterator<char>(file), {}};
}

// Calls visit(folder, version_2) for the process's group and for each of its parents. In a
// container the path may be the host's, which does not exist there: then its root counts.
template <class Visit>
void ControlGroups::for_each_group(std::string_view controller, const Visit& visit) const {
  std::istringstream lines(of_process);
  for (std::string line; std::getline(lines, line);) {  // "hierarchy:controllers:path"
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool version_2 = controllers.empty();
    if (!version_2 && !lists(controllers, controller)) continue;
    const std::string mounted = version_2 ? root : root + "/" + controllers;
    std::string path = line.substr(second + 1);
    if (path == "/") path.clear();
    for (;;) {
      visit(mounted + path, version_2);
      const std::size_t slash = path.rfind('/');
      if (slash == std::string::npos) break;
      path.resize(slash);
    }
  }
}

int ControlGroups::threads() const {
  int limit = 0;
  for_each_group("cpu", [&](const std::string& folder, bool version_2) {
    limit = smaller_limit(limit, thread_limit(folder, version_2));
  });
  return limit;
}

std::optional<std::uint64_t> ControlGroups::processes_left() const {
  std::optional<std::uint64_t> left;
  for_each_group("pids", [&](const std::string& folder, bool) {
    take_smaller(left, processes_left_in(folder));
  });
  return left;
}

std::optional<std::uint64_t> ControlGroups::memory_left() const {
  std::optional<std::uint64_t> left;
  for_each_group("memory", [&](const std::string& folder, bool version_2) {
    take_smaller(left, memory_left_in(folder, version_2));
  });
  return left;
}

}  // namespace cuimg
