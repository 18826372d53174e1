// SPDX-License-Identifier: Apache-2.0
// Pinned memory through which every transfer passes. Pinning costs 0.5 ms per MB, so there is
// little of it; it is allocated when needed and then reused.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "device/cuda/cuda_handle.h"

namespace cuimg {

class PinnedRing {
  struct Slot;

 public:
  static constexpr std::size_t slot_bytes = std::size_t{2} << 20;  ///< A row of 131072 float RGBA.
  static constexpr int slot_count = 8;                             ///< At most 16 MB.
  /// The slots that one transfer needs: one at the host, one being copied, one between.
  static constexpr int slots_at_once = 3;

  /// One slot in use, which is given back when it leaves scope, even if a copy is still in
  /// progress.
  class Lease {
   public:
    Lease() = default;
    Lease(Lease&& other) noexcept
        : ring_(std::exchange(other.ring_, nullptr)), slot_(other.slot_) {}
    Lease& operator=(Lease&& other) noexcept {
      std::swap(ring_, other.ring_);
      std::swap(slot_, other.slot_);
      return *this;
    }
    ~Lease();
    explicit operator bool() const { return ring_ != nullptr; }
    std::byte* data() const;
    /// Called after the asynchronous copy that reads or writes the slot. @throws DeviceError.
    void record(cudaStream_t stream);
    /// Waits for the point that record() marked. @throws DeviceError.
    void wait();

   private:
    friend class PinnedRing;
    PinnedRing* ring_ = nullptr;
    Slot* slot_ = nullptr;
  };

  PinnedRing();
  ~PinnedRing();
  /// Blocks until a slot is free. A caller that already holds a lease must call try_acquire(): two
  /// such callers would deadlock. @throws DeviceError.
  Lease acquire();
  /// @returns an empty lease if no slot is free now.
  Lease try_acquire();
  int slots_made() const;

 private:
  Lease lease_if_any(std::unique_lock<std::mutex>& lock);
  void give_back(Slot* slot);

  mutable std::mutex mutex_;
  std::condition_variable given_back_;
  std::deque<std::unique_ptr<Slot>> slots_;
  std::deque<Slot*> free_;  // from the longest free to the latest
};

}  // namespace cuimg
