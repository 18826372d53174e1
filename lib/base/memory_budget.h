// SPDX-License-Identifier: Apache-2.0
// How much memory the images of a run take together.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace cuimg {

/// Lets images begin as long as they fit; one that never fits alone begins when no other is there.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t bytes) : bytes_(bytes) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  /// Taken while it lives.
  class Share {
   public:
    /// Waits until there is room, in the order of those who ask.
    Share(MemoryBudget& budget, std::uint64_t bytes);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    MemoryBudget& budget_;
    const std::uint64_t bytes_;
  };

  std::uint64_t bytes() const { return bytes_; }

 private:
  const std::uint64_t bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t taken_ = 0;
  /// Ticket numbers: requests are served in the order in which they were made.
  std::uint64_t asked_ = 0, served_ = 0;
};

/// Bytes of memory that this process may still take: the system's, or the control group's where
/// that is less. 0: unknown.
std::uint64_t available_memory_bytes();
/// Bytes of memory that this process has now. 0: unknown.
std::uint64_t resident_memory_bytes();

}  // namespace cuimg
