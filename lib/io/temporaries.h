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
  /// Paths past the table's room are not registered; they are removed by all but signals.
  explicit TemporaryPath(const std::string& path);
  ~TemporaryPath();
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;

 private:
  int slot_ = -1;
};

/// Those that end the process; blocked while a TemporaryChange lives.
inline constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
sigset_t ending_signal_set();

/// Removes the files that are registered, before the process ends. To be called by signal handlers
/// too.
void remove_temporaries();
/// The same once no TemporaryChange lives; from now on none begins. For the handler of a signal
/// that ends the process: if another thread is in it already, it does not return.
void remove_temporaries_for_good();

/// Held while a temporary file is created or takes its target's name: a handler that removes the
/// files waits for it. Once a handler has begun, the constructor does not return, since a file
/// created then would stay. Signals wait until it ends, so hold it for few calls only. One within
/// another is part of that.
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
