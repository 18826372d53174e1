// SPDX-License-Identifier: Apache-2.0
// A card and one stream on it, on which .cu files launch kernels.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_frame.h"
#include "device/cuda/cuda_pool.h"
#include "device/cuda/cuda_ring.h"
#include "device/queue.h"

namespace cuimg {

/// The largest sizes of textures on the card.
struct CardLimits {
  int array_width = 0, array_height = 0;
  int linear_width = 0, linear_height = 0;
  std::size_t linear_pitch_bytes = 0;
};

/// The formats that the card filters exactly like the software unit, in every bit.
struct ExactFilters {
  std::array<bool, 5> types = {};  ///< In the order of PixelType.
  bool levels = false;             ///< f32, also between levels.
  bool of(PixelType type) const { return types[static_cast<std::size_t>(type)]; }
};

/// Records an event at its construction and one at its destruction; nothing unless step times are
/// kept.
class StepTimer {
 public:
  StepTimer() = default;
  StepTimer(CudaQueue& queue, std::string step);
  StepTimer(StepTimer&& other) noexcept
      : queue_(std::exchange(other.queue_, nullptr)), index_(other.index_) {}
  StepTimer& operator=(StepTimer&&) = delete;
  ~StepTimer();

 private:
  CudaQueue* queue_ = nullptr;
  std::size_t index_ = 0;
};

class CudaQueue : public std::enable_shared_from_this<CudaQueue> {
 public:
  /// Creates the context if necessary and the stream, and checks the texture unit.
  /// @throws DeviceError if there is no driver, no such card, no memory, no code for the card in
  /// this build, or a compute capability below 7.5.
  static std::shared_ptr<CudaQueue> open(int index);
  /// Another stream of the same card, for another thread: its work is not ordered relative to this
  /// one's. Created by the first call and then kept, so that its memory is allocated once; the
  /// pinned ring is shared. Step times are kept by both or neither. @throws DeviceError.
  std::shared_ptr<CudaQueue> sibling();
  ~CudaQueue();
  CudaQueue(const CudaQueue&) = delete;
  CudaQueue& operator=(const CudaQueue&) = delete;

  int device() const { return device_; }
  /// "NVIDIA H200"
  const std::string& card_name() const { return facts_.name; }
  const CardLimits& limits() const { return facts_.limits; }
  /// Whether doubles run at half the rate of floats, as on data centre cards, instead of 1/32 or
  /// 1/64.
  bool has_fast_doubles() const { return facts_.has_fast_doubles; }
  int multiprocessors() const { return facts_.multiprocessors; }
  /// Shared memory of a multiprocessor.
  std::size_t shared_bytes() const { return facts_.shared_bytes; }
  /// The L2 cache, shared by all multiprocessors.
  std::size_t cache_bytes() const { return facts_.cache_bytes; }
  /// The card's total memory, free or not.
  std::size_t memory_bytes() const { return facts_.memory_bytes; }
  /// Makes this card current for the calling thread. @throws DeviceError, also after the context is
  /// broken.
  void make_current() const;
  /// The stream; also calls make_current(), so call this before each launch.
  cudaStream_t stream() const {
    make_current();
    return stream_.get();
  }
  void synchronize() const;

  /// Whether the texture unit's linear filtering of this type equals the software unit's. If not, a
  /// stage reads texels by point and weights them with kernels/texture/texture_unit.h.
  bool filters_exactly(PixelType type) const { return facts_.filters.of(type); }
  /// The same for floats read between the levels of a mipmapped array.
  bool filters_levels_exactly() const { return facts_.filters.levels; }

  std::shared_ptr<CudaPixels> allocate(const FrameFormat& format);
  CudaPool& pool() { return *pool_; }
  PinnedRing& ring() { return *ring_; }
  /// Copies through the ring, after all queued work; the host's memory can be reused on return.
  void copy_to_card(void* device, const void* host, std::size_t bytes);
  /// Copies back through the ring; waits. @throws DeviceError.
  void copy_to_host(void* host, const void* device, std::size_t bytes);

  /// Whether time_step() records events from now on.
  void keep_step_times(bool keep);
  /// Times the work that is queued during the result's lifetime: `const auto timer =
  /// queue.time_step("resize");`
  [[nodiscard]] StepTimer time_step(std::string step) { return {*this, std::move(step)}; }
  /// Waits for this stream and the sibling's; returns the times since the last call. @throws
  /// DeviceError.
  std::vector<StepTime> take_step_times();

 private:
  friend class StepTimer;
  explicit CudaQueue(int index) : device_(index) {}
  void prepare();
  void open_stream();
  void take_own_step_times(std::vector<StepTime>& times);
  /// Properties of the card that are queried once for all its queues.
  struct Facts {
    std::string name;
    CardLimits limits;
    bool has_fast_doubles = false;
    int multiprocessors = 1;
    std::size_t shared_bytes = 0, cache_bytes = 0, memory_bytes = 0;
    ExactFilters filters;
  };
  struct Timing {
    std::string step;
    EventHandle begin, end;
  };

  // The order matters: members declared later are destroyed first, the stream last.
  int device_;
  Facts facts_;
  StreamHandle stream_;
  std::unique_ptr<CudaPool> pool_;
  std::shared_ptr<PinnedRing> ring_ = std::make_shared<PinnedRing>();
  bool keep_step_times_ = false;
  std::mutex timings_mutex_;
  std::vector<Timing> timings_;
  EventHandle origin_;         ///< The origin of the steps' times.
  Trace::Time origin_time_{};  ///< The time of the origin.
  std::mutex sibling_mutex_;
  std::shared_ptr<CudaQueue> sibling_;  ///< Null until it is first needed.
};

/// A small table in device memory: weights, indices, matrices. Its memory is only reused by work
/// that is queued later on the stream, so it may be destroyed once the kernel is launched.
template <class T>
class DeviceTable {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  DeviceTable(CudaQueue& queue, std::span<const T> values)
      : queue_(queue.shared_from_this()),
        block_(queue.pool().memory(values.size_bytes())),
        size_(values.size()) {
    queue.copy_to_card(block_->memory.get(), values.data(), values.size_bytes());
  }
  /// Device memory; uninitialised.
  DeviceTable(CudaQueue& queue, std::size_t size)
      : queue_(queue.shared_from_this()),
        block_(queue.pool().memory(size * sizeof(T))),
        size_(size) {}

  T* data() const { return static_cast<T*>(block_->memory.get()); }
  std::size_t size() const { return size_; }
  std::vector<T> to_host() const {
    std::vector<T> values(size_);
    queue_->copy_to_host(values.data(), data(), size_ * sizeof(T));
    return values;
  }

 private:
  std::shared_ptr<CudaQueue> queue_;  // declared first: it outlives the block
  std::shared_ptr<CudaBlock> block_;
  std::size_t size_;
};

}  // namespace cuimg
