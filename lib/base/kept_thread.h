// SPDX-License-Identifier: Apache-2.0
// Threads that are reused. Creating and ending a thread changes the process's memory map under a
// lock that every page fault takes too: on 16 cores, a folder of small pictures with several
// threads each spent a third of its time waiting for it.
#pragma once

#include <functional>
#include <utility>

namespace cuimg {

/// Runs one task on a separate thread, like std::jthread, so that it may wait for others. It reuses
/// the system's thread of an earlier task if one is free, and keeps it for later tasks.
class KeptThread {
 public:
  KeptThread() = default;
  /// @param task throws nothing. @throws std::system_error if no thread can be started.
  explicit KeptThread(std::function<void()> task);
  ~KeptThread() { join(); }
  KeptThread(KeptThread&& other) noexcept : worker_(std::exchange(other.worker_, nullptr)) {}
  KeptThread& operator=(KeptThread&& other) noexcept;

  /// Returns once the task has ended; immediately if there is none.
  void join() noexcept;

 private:
  struct Worker;
  class Workers;

  Worker* worker_ = nullptr;
};

}  // namespace cuimg
