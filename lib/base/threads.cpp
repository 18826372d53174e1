// SPDX-License-Identifier: Apache-2.0
// Reading the affinity mask and the control groups' processor quotas.
#include "base/threads.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <vector>

namespace cuimg {
namespace {

int affinity_threads() {
  // The mask of a machine with more than 1024 processors needs a larger set than cpu_set_t.
  for (int processors = CPU_SETSIZE; processors <= 1 << 20; processors *= 4) {
    std::vector<cpu_set_t> sets(static_cast<std::size_t>(processors) / CPU_SETSIZE);
    const std::size_t bytes = sets.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, sets.data()) == 0)
      return std::max(1, static_cast<int>(CPU_COUNT_S(bytes, sets.data())));
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Quota and period in microseconds; a negative or absent quota is no limit.
int threads_of_quota(double quota, double period) {
  if (quota <= 0 || period <= 0) return 0;
  return static_cast<int>(std::clamp((quota + period - 1) / period, 1.0, 1e6));
}

int smaller_limit(int a, int b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

int limit_in_folder(const std::string& folder, bool version_2) {
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

int limit_up_the_tree(const std::string& root, std::string path, bool version_2) {
  int limit = 0;
  for (;;) {
    limit = smaller_limit(limit, limit_in_folder(root + path, version_2));
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return limit;
    path.resize(slash);
  }
}

bool lists_cpu(const std::string& controllers) {
  std::istringstream names(controllers);
  for (std::string name; std::getline(names, name, ',');)
    if (name == "cpu") return true;
  return false;
}

}  // namespace

int cgroup_thread_limit(std::string_view proc_self_cgroup, const std::string& root) {
  int limit = 0;
  std::istringstream lines{std::string(proc_self_cgroup)};
  for (std::string line; std::getline(lines, line);) {  // "hierarchy:controllers:path"
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    if (path == "/") path.clear();
    if (controllers.empty()) {
      limit = smaller_limit(limit, limit_up_the_tree(root, path, true));
    } else if (lists_cpu(controllers)) {
      limit = smaller_limit(limit, limit_up_the_tree(root + "/" + controllers, path, false));
    }
  }
  return limit;
}

int hardware_threads() {
  std::ifstream file("/proc/self/cgroup");
  const std::string groups{std::istreambuf_iterator<char>(file), {}};
  return std::max(1,
                  smaller_limit(affinity_threads(), cgroup_thread_limit(groups, "/sys/fs/cgroup")));
}

}  // namespace cuimg
