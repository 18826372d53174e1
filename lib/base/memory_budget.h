// SPDX-License-Identifier: Apache-2.0
// Limits the memory that the images of a run take together.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace cuimg {

/// Lets an image begin if it fits. An image that can never fit begins when there is no other image.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t bytes) : bytes_(bytes) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  /// Holds its share of the memory while it lives.
  class Share {
   public:
    /// Waits until there is room. Requests are served in order.
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

/// Bytes of memory that this process may still take: the system's free memory, or the control
/// group's if that is less. 0: unknown.
std::uint64_t available_memory_bytes();
/// Bytes of memory that this process uses now. 0: unknown.
std::uint64_t resident_memory_bytes();

}  // namespace cuimg
