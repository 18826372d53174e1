// SPDX-License-Identifier: Apache-2.0
// The limits that the control groups of a container or a batch job set for this process. Versions 1
// and 2; every parent's limit counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cuimg {

/// The files with which the kernel describes the groups of a process. Tests use their own.
struct ControlGroups {
  std::string of_process = of_this_process();  ///< The text of /proc/self/cgroup.
  std::string root = "/sys/fs/cgroup";         ///< Where they are mounted.

  static std::string of_this_process();

  /// Threads that the quota of processor time allows, rounded up; 0 if there is no limit.
  int threads() const;
  /// Processes and threads that may still be started; nothing if there is no limit.
  std::optional<std::uint64_t> processes_left() const;
  /// Bytes of memory that may still be allocated; nothing if there is no limit. Memory that only
  /// caches files counts as free, as in the system's MemAvailable: the kernel frees it first.
  std::optional<std::uint64_t> memory_left() const;

 private:
  template <class Visit>
  void for_each_group(std::string_view controller, const Visit& visit) const;
};

}  // namespace cuimg
