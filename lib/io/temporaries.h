// SPDX-License-Identifier: Apache-2.0
// The temporary files that a signal's handler must remove: a fixed table, because a handler may
// neither allocate nor lock.
#pragma once

#include <string>

namespace cuimg {

/// Registers a path for as long as it lives. Registered before the file is made, so that no moment
/// leaves one behind.
class TemporaryPath {
 public:
  /// Paths past the table's room are not registered; they are removed by all but signals.
  explicit TemporaryPath(const std::string& path);
  ~TemporaryPath();
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;

 private:
  int slot_ = -1;
};

}  // namespace cuimg
