// SPDX-License-Identifier: Apache-2.0
// The affinity mask, the control groups' quotas, and limits of processes.
#include "base/threads.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/control_groups.h"

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

// The system counts threads as processes, of everything that its user runs. Root may exceed this
// limit.
std::optional<std::uint64_t> processes_of_user() {
  rlimit limit;
  if (geteuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  return limit.rlim_cur;
}

// The number of computing threads for a limit on processes: decoding and encoding need further
// threads, and so do other programs.
int threads_of_processes(std::optional<std::uint64_t> processes) {
  constexpr std::uint64_t processes_a_thread = 4;
  if (!processes) return INT_MAX;
  return static_cast<int>(std::clamp<std::uint64_t>(*processes / processes_a_thread, 1, INT_MAX));
}

}  // namespace

// "Resource temporarily unavailable" alone would not say which resource.
void fail_to_start_thread(const std::system_error& error) {
  throw std::system_error(error.code(), "no more threads can be started");
}

std::thread start_thread(std::function<void()> task) try {
  return std::thread(std::move(task));
} catch (const std::system_error& error) {
  fail_to_start_thread(error);
}

int hardware_threads() {
  const ControlGroups groups;
  const int of_quota = groups.threads();
  return std::min({affinity_threads(), of_quota > 0 ? of_quota : INT_MAX,
                   threads_of_processes(groups.processes_left()),
                   threads_of_processes(processes_of_user())});
}

}  // namespace cuimg
