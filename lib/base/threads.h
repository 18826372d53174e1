// SPDX-License-Identifier: Apache-2.0
// How many threads this process may really use: containers and batch systems grant fewer than the
// machine has.
#pragma once

#include <string>
#include <string_view>

namespace cuimg {

/// The smaller of the affinity mask's processors and the control group's quota, at least 1.
int hardware_threads();

/// Threads that a control group's quota allows, rounded up; 0 when there is no limit.
/// @param proc_self_cgroup the text of /proc/self/cgroup. @param root where control groups are
/// mounted, "/sys/fs/cgroup". Versions 1 and 2; every parent's limit counts.
int cgroup_thread_limit(std::string_view proc_self_cgroup, const std::string& root);

}  // namespace cuimg
