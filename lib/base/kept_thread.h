// SPDX-License-Identifier: Apache-2.0
// Threads that are used again. Making and ending one changes the process's map of memory, under a
// lock that every page fault takes too: on 16 cores a folder of small pictures, with some threads
// for each, spent a third of its time in that queue.
#pragma once

#include <functional>
#include <utility>

namespace cuimg {

/// One task on a thread of its own, so that it may wait for others, as by std::jthread. The
/// system's thread is one that an earlier task is done with, where there is one, and is kept for
/// later ones.
class KeptThread {
 public:
  KeptThread() = default;
  /// @param task throws nothing. @throws std::system_error when no thread is to be had.
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
