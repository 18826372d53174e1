// SPDX-License-Identifier: Apache-2.0
// How much of each card's memory this process has allocated, for all of its queues together.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace cuimg {

class CudaPool;

/// The memory of one card. Created at the first call of of(), and never destroyed.
class CardMemory {
 public:
  static CardMemory& of(int device);
  CardMemory() = default;
  CardMemory(const CardMemory&) = delete;
  CardMemory& operator=(const CardMemory&) = delete;

  /// Counts memory during its lifetime.
  class Use {
   public:
    Use() = default;
    Use(CardMemory& card, std::size_t bytes) : card_(&card), bytes_(bytes) { card.used_ += bytes; }
    ~Use() {
      if (card_ != nullptr) card_->used_ -= bytes_;
    }
    Use(Use&& other) noexcept : card_(other.card_), bytes_(other.bytes_) { other.card_ = nullptr; }
    Use& operator=(Use&&) = delete;

   private:
    CardMemory* card_ = nullptr;
    std::size_t bytes_ = 0;
  };

  /// @name Room for data kept between calls.
  /// @{
  /// @param total_bytes the card's own memory. @param parts all kept data may take at most this
  /// fraction, 1 / parts, of the memory that the process may use. @returns whether the bytes fit,
  /// and counts them.
  bool begin_keeping(std::uint64_t bytes, std::uint64_t total_bytes, int parts);
  void end_keeping(std::uint64_t bytes) { kept_ -= bytes; }
  std::uint64_t kept_bytes() const { return kept_; }
  /// @}
  bool is_past_limit() const;
  std::size_t used_bytes() const { return used_; }
  /// Idle memory in all pools together.
  std::size_t idle_bytes() const { return idle_; }
  /// @name Pools, each of which frees its idle memory when another one runs out of room.
  /// @{
  void add(CudaPool& pool);
  void remove(CudaPool& pool);
  void trim();
  void begin_idling(std::size_t bytes) { idle_ += bytes; }
  void end_idling(std::size_t bytes) { idle_ -= bytes; }
  /// @}

 private:
  std::atomic<std::size_t> used_ = 0, idle_ = 0;
  std::atomic<std::uint64_t> kept_ = 0;
  std::mutex mutex_;
  std::vector<CudaPool*> pools_;
};

}  // namespace cuimg
