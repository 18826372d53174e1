// SPDX-License-Identifier: Apache-2.0
// Opens a card, copies through the ring, and measures step times.
#include "device/cuda/cuda_queue.h"

#include <algorithm>
#include <cstring>

#include "device/cuda/cuda_sample.h"
#include "device/cuda/cuda_self_check.h"

namespace cuimg {
namespace {

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  CUIMG_CUDA(cudaDeviceGetAttribute, &value, which, device);
  return value;
}

EventHandle new_event() {
  EventHandle event;
  CUIMG_CUDA(cudaEventCreate, event.slot());
  return event;
}

std::string label(int index) { return "cuda:" + std::to_string(index); }

}  // namespace

std::shared_ptr<CudaQueue> CudaQueue::open(int index) {
  std::shared_ptr<CudaQueue> queue(new CudaQueue(index));
  queue->prepare();
  return queue;
}

void CudaQueue::prepare() {
  const std::future<void> texture_check = begin_texture_check();  // its destructor waits
  // Switches from a card that this thread used before and that may be broken. The next call checks
  // whether this one exists.
  set_current_card(device_);
  CUIMG_CUDA_QUIETLY(cudaSetDevice, device_);
  driver_version();  // without a driver the next call would report that the driver is too old
  int count = 0;
  CUIMG_CUDA(cudaGetDeviceCount, &count);
  if (count == 0) throw DeviceError::no_card(label(device_), "no such card; there is none");
  if (device_ < 0 || device_ >= count)
    throw DeviceError(
        label(device_), 0,
        "no such card; there " +
            (count == 1 ? std::string("is one, cuda:0")
                        : "are " + std::to_string(count) + ", cuda:0 to " + label(count - 1)));
  cudaDeviceProp properties = {};
  CUIMG_CUDA(cudaGetDeviceProperties, &properties, device_);
  facts_.name = properties.name;
  if (const std::string problem = card_problem(properties); !problem.empty())
    throw DeviceError(label(device_), 0, problem);

  // Surfaces have separate limits, which so far are not larger on any card.
  CardLimits& limits = facts_.limits;
  limits.array_width = std::min(attribute(cudaDevAttrMaxTexture2DWidth, device_),
                                attribute(cudaDevAttrMaxSurface2DWidth, device_));
  limits.array_height = std::min(attribute(cudaDevAttrMaxTexture2DHeight, device_),
                                 attribute(cudaDevAttrMaxSurface2DHeight, device_));
  limits.linear_width = attribute(cudaDevAttrMaxTexture2DLinearWidth, device_);
  limits.linear_height = attribute(cudaDevAttrMaxTexture2DLinearHeight, device_);
  limits.linear_pitch_bytes =
      static_cast<std::size_t>(attribute(cudaDevAttrMaxTexture2DLinearPitch, device_));
  facts_.multiprocessors = attribute(cudaDevAttrMultiProcessorCount, device_);
  facts_.shared_bytes = properties.sharedMemPerMultiprocessor;
  facts_.cache_bytes = static_cast<std::size_t>(properties.l2CacheSize);
  facts_.memory_bytes = properties.totalGlobalMem;
  facts_.has_fast_doubles = attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio, device_) == 2;

  open_stream();
  require_kernels();
  facts_.filters = check_texture_unit(*this, properties);
}

void CudaQueue::open_stream() {
  make_current();
  CUIMG_CUDA(cudaStreamCreateWithFlags, stream_.slot(), cudaStreamNonBlocking);
  pool_ = std::make_unique<CudaPool>(device_, stream_.get(), facts_.memory_bytes / 2);
}

std::shared_ptr<CudaQueue> CudaQueue::sibling() {
  const std::lock_guard lock(sibling_mutex_);
  if (sibling_) return sibling_;
  std::shared_ptr<CudaQueue> made(new CudaQueue(device_));
  made->facts_ = facts_;
  made->ring_ = ring_;
  made->open_stream();
  made->keep_step_times(keep_step_times_);
  return sibling_ = std::move(made);
}

CudaQueue::~CudaQueue() {
  // Frames keep their queue, so no block is in use any more; kernels may still run.
  set_current_card(device_);
  CUIMG_CUDA_QUIETLY(cudaSetDevice, device_);
  if (stream_) CUIMG_CUDA_QUIETLY(cudaStreamSynchronize, stream_.get());
}

void CudaQueue::make_current() const {
  set_current_card(device_);
  CUIMG_CUDA(cudaSetDevice, device_);
}

void CudaQueue::synchronize() const {
  const cudaStream_t queued = stream();
  CUIMG_CUDA(cudaStreamSynchronize, queued);
}

std::shared_ptr<CudaPixels> CudaQueue::allocate(const FrameFormat& format) {
  return std::make_shared<CudaPixels>(shared_from_this(), format);
}

void CudaQueue::copy_to_card(void* device, const void* host, std::size_t bytes) {
  const cudaStream_t queued = stream();
  for (std::size_t at = 0; at < bytes; at += PinnedRing::slot_bytes) {
    const std::size_t part = std::min(PinnedRing::slot_bytes, bytes - at);
    PinnedRing::Lease lease = ring_->acquire();
    std::memcpy(lease.data(), static_cast<const std::byte*>(host) + at, part);
    CUIMG_CUDA(cudaMemcpyAsync, static_cast<std::byte*>(device) + at, lease.data(), part,
               cudaMemcpyHostToDevice, queued);
    lease.record(queued);
  }
}

void CudaQueue::copy_to_host(void* host, const void* device, std::size_t bytes) {
  const cudaStream_t queued = stream();
  for (std::size_t at = 0; at < bytes; at += PinnedRing::slot_bytes) {
    const std::size_t part = std::min(PinnedRing::slot_bytes, bytes - at);
    PinnedRing::Lease lease = ring_->acquire();
    CUIMG_CUDA(cudaMemcpyAsync, lease.data(), static_cast<const std::byte*>(device) + at, part,
               cudaMemcpyDeviceToHost, queued);
    lease.record(queued);
    lease.wait();
    std::memcpy(static_cast<std::byte*>(host) + at, lease.data(), part);
  }
}

void CudaQueue::keep_step_times(bool keep) {
  {
    const std::lock_guard lock(timings_mutex_);
    timings_.clear();  // left by an image that failed
  }
  keep_step_times_ = keep;
  {
    const std::lock_guard lock(sibling_mutex_);
    if (sibling_) sibling_->keep_step_times(keep);
  }
  if (!keep || origin_) return;
  const cudaStream_t queued = stream();
  origin_ = new_event();
  CUIMG_CUDA(cudaEventRecord, origin_.get(), queued);
  CUIMG_CUDA(cudaEventSynchronize, origin_.get());
  origin_time_ = std::chrono::steady_clock::now();
}

StepTimer::StepTimer(CudaQueue& queue, std::string step) {
  if (!queue.keep_step_times_) return;
  const cudaStream_t queued = queue.stream();
  CudaQueue::Timing timing{std::move(step), new_event(), new_event()};
  CUIMG_CUDA(cudaEventRecord, timing.begin.get(), queued);
  std::lock_guard lock(queue.timings_mutex_);
  queue_ = &queue;
  index_ = queue.timings_.size();
  queue.timings_.push_back(std::move(timing));
}

StepTimer::~StepTimer() {
  if (queue_ == nullptr) return;
  std::lock_guard lock(queue_->timings_mutex_);
  if (index_ >= queue_->timings_.size()) return;  // the times were taken while it ran
  CUIMG_CUDA_QUIETLY(cudaEventRecord, queue_->timings_[index_].end.get(), queue_->stream_.get());
}

std::vector<StepTime> CudaQueue::take_step_times() {
  std::vector<StepTime> times;
  take_own_step_times(times);
  const std::lock_guard lock(sibling_mutex_);
  if (!sibling_) return times;
  const auto first = static_cast<std::ptrdiff_t>(times.size());
  sibling_->take_own_step_times(times);
  for (auto time = times.begin() + first; time != times.end(); ++time) time->stream = 1;
  std::ranges::stable_sort(times, {}, &StepTime::begin);
  return times;
}

void CudaQueue::take_own_step_times(std::vector<StepTime>& times) {
  synchronize();
  std::lock_guard lock(timings_mutex_);
  for (const Timing& timing : timings_) {
    float milliseconds = 0;
    CUIMG_CUDA(cudaEventElapsedTime, &milliseconds, timing.begin.get(), timing.end.get());
    float since_origin = 0;
    CUIMG_CUDA(cudaEventElapsedTime, &since_origin, origin_.get(), timing.begin.get());
    const auto begin = origin_time_ + std::chrono::duration_cast<Trace::Time::duration>(
                                          std::chrono::duration<float, std::milli>(since_origin));
    times.push_back({timing.step, milliseconds, StepClock::card, begin});
  }
  timings_.clear();
}

}  // namespace cuimg
