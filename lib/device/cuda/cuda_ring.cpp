// SPDX-License-Identifier: Apache-2.0
// The slots of the pinned ring and their users.
#include "device/cuda/cuda_ring.h"

#include "device/cuda/cuda_pinned.h"

namespace cuimg {

struct PinnedRing::Slot {
  PinnedMemoryHandle memory;
  EventHandle passed;
  bool in_flight = false;

  Slot() {
    const MemoryNearCard near_card;
    CUIMG_CUDA(cudaMallocHost, memory.slot(), PinnedRing::slot_bytes);
    CUIMG_CUDA(cudaEventCreateWithFlags, passed.slot(), cudaEventDisableTiming);
  }
  bool ready() {
    require_device();
    if (in_flight) {
      const cudaError_t state = cudaEventQuery(passed.get());
      if (state == cudaErrorNotReady) {
        (void)cudaGetLastError();
        return false;
      }
      check(state, "cudaEventQuery");
      in_flight = false;
    }
    return true;
  }
  void wait() {
    if (!in_flight) return;
    CUIMG_CUDA(cudaEventSynchronize, passed.get());
    in_flight = false;
  }
};

PinnedRing::PinnedRing() = default;
PinnedRing::~PinnedRing() = default;

PinnedRing::Lease::~Lease() {
  if (ring_ != nullptr) ring_->give_back(slot_);
}

std::byte* PinnedRing::Lease::data() const { return static_cast<std::byte*>(slot_->memory.get()); }

// Without the event nothing would prevent the copy from overlapping with the slot's next user,
// perhaps on another stream.
void PinnedRing::Lease::record(cudaStream_t stream) {
  try {
    CUIMG_CUDA(cudaEventRecord, slot_->passed.get(), stream);
  } catch (const DeviceError&) {
    CUIMG_CUDA_QUIETLY(cudaStreamSynchronize, stream);
    throw;
  }
  slot_->in_flight = true;
}

void PinnedRing::Lease::wait() { slot_->wait(); }

void PinnedRing::give_back(Slot* slot) {
  {
    std::lock_guard lock(mutex_);
    free_.push_back(slot);
  }
  given_back_.notify_one();
}

// Takes a slot that is ready, otherwise a new one if there are few, otherwise the one that will be
// ready first; if none is free a new one. Waiting for a copy takes a tenth of the time of pinning.
// The lock is released, even if there is no slot at all.
PinnedRing::Lease PinnedRing::lease_if_any(std::unique_lock<std::mutex>& lock) {
  Lease lease;
  const bool full = slots_.size() == slot_count, few = slots_.size() < slots_at_once;
  if (!free_.empty() && (!few || free_.front()->ready())) {
    lease.slot_ = free_.front();
    free_.pop_front();
    lease.ring_ = this;
  } else if (!full) {
    try {
      slots_.push_back(std::make_unique<Slot>());
      lease.slot_ = slots_.back().get();
      lease.ring_ = this;
    } catch (const DeviceError&) {
      // Less pinned memory is slower; none at all is a failure.
      if (slots_.empty() || !device_usable()) throw;
      if (free_.empty()) {
        lock.unlock();
        return lease;
      }
      lease.slot_ = free_.front();
      free_.pop_front();
      lease.ring_ = this;
    }
  }
  lock.unlock();
  if (lease) lease.wait();
  return lease;
}

PinnedRing::Lease PinnedRing::acquire() {
  for (;;) {
    std::unique_lock lock(mutex_);
    if (Lease lease = lease_if_any(lock)) return lease;
    lock.lock();
    given_back_.wait(lock, [&] { return !free_.empty(); });
  }
}

PinnedRing::Lease PinnedRing::try_acquire() {
  std::unique_lock lock(mutex_);
  return lease_if_any(lock);
}

int PinnedRing::slots_made() const {
  std::lock_guard lock(mutex_);
  return static_cast<int>(slots_.size());
}

}  // namespace cuimg
