// SPDX-License-Identifier: Apache-2.0
// The temporary files that a signal's handler must remove: a fixed table, because a handler may
// neither allocate nor lock.
#pragma once

#include <csignal>
#include <string>

namespace cuimg {

/// Registers a path while it lives. Register it before the file is created, so that no file can be
/// left over.
class TemporaryPath {
 public:
  /// Paths beyond the table's size are not registered; they are removed except after signals.
  explicit TemporaryPath(const std::string& path);
  ~TemporaryPath();
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;

 private:
  int slot_ = -1;
};

/// The signals that end the process; they are blocked while a TemporaryChange exists.
inline constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
sigset_t ending_signal_set();

/// Removes the registered files before the process ends. May be called by signal handlers.
void remove_temporaries();
/// The same when no TemporaryChange exists; from now on none begins. For the handler of a signal
/// that ends the process: if another thread already runs it, this does not return.
void remove_temporaries_for_good();

/// Held while a temporary file is created or renamed to its target: a handler that removes the
/// files waits for it. Once a handler has begun, the constructor does not return, since a file
/// created then would not be removed. Signals wait until it is released, so hold it only for a few
/// calls. A nested one has no effect.
class TemporaryChange {
 public:
  TemporaryChange();
  ~TemporaryChange();
  TemporaryChange(const TemporaryChange&) = delete;
  TemporaryChange& operator=(const TemporaryChange&) = delete;

 private:
  sigset_t blocked_before_;
};

}  // namespace cuimg
