// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/open_files.h"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace cuimg {

std::size_t files_left_to_open() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  std::error_code error;
  std::size_t open = 3;  // if there is no /proc
  std::filesystem::directory_iterator entry("/proc/self/fd", error);
  if (!error) open = static_cast<std::size_t>(std::distance(begin(entry), end(entry))) - 1;
  return static_cast<std::size_t>(limit.rlim_cur) - std::min<std::size_t>(limit.rlim_cur, open);
}

}  // namespace cuimg
