// SPDX-License-Identifier: Apache-2.0
// Common CUDA code of the samples: checked calls and handles from the library, memory that frees
// itself, and a stopwatch. For files compiled by nvcc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_handle.h"

namespace cuimg::samples {

/// The current card: that of --device, which is not always number 0.
inline int current_card() {
  int card = 0;
  checked("cudaGetDevice", [&] { return cudaGetDevice(&card); });
  return card;
}

inline cudaDeviceProp card_properties() {
  cudaDeviceProp properties;
  const int card = current_card();
  checked("cudaGetDeviceProperties", [&] { return cudaGetDeviceProperties(&properties, card); });
  return properties;
}

inline int card_attribute(cudaDeviceAttr attribute) {
  int value = 0;
  const int card = current_card();
  checked("cudaDeviceGetAttribute",
          [&] { return cudaDeviceGetAttribute(&value, attribute, card); });
  return value;
}

inline int multiprocessors() { return card_attribute(cudaDevAttrMultiProcessorCount); }

/// Values in the card's memory.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    void* memory = nullptr;
    checked("cudaMalloc", [&] { return cudaMalloc(&memory, bytes()); });
    memory_ = DeviceMemoryHandle(memory);
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    assign(values);
  }
  T* get() const { return static_cast<T*>(memory_.get()); }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }
  /// @param values at most as many; they replace the first ones.
  void assign(const std::vector<T>& values) const {
    checked("cudaMemcpy", [&] {
      return cudaMemcpy(get(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    });
  }
  /// In the default stream.
  void set_bytes(int value) const {
    checked("cudaMemset", [&] { return cudaMemset(get(), value, bytes()); });
  }
  /// Waits for the work in the default stream.
  std::vector<T> to_host() const {
    std::vector<T> values(count_);
    checked("cudaMemcpy",
            [&] { return cudaMemcpy(values.data(), get(), bytes(), cudaMemcpyDeviceToHost); });
    return values;
  }

 private:
  std::size_t count_;
  DeviceMemoryHandle memory_;
};

/// Page-locked values in the host's memory, which kernels access through device().
template <class T>
class MappedArray {
 public:
  explicit MappedArray(std::size_t count, unsigned flags = cudaHostAllocMapped) : count_(count) {
    void *memory = nullptr, *seen = nullptr;
    checked("cudaHostAlloc", [&] { return cudaHostAlloc(&memory, bytes(), flags); });
    memory_ = PinnedMemoryHandle(memory);
    if ((flags & cudaHostAllocMapped) != 0)
      checked("cudaHostGetDevicePointer",
              [&] { return cudaHostGetDevicePointer(&seen, memory, 0); });
    device_ = static_cast<T*>(seen);
  }
  T* host() const { return static_cast<T*>(memory_.get()); }
  T* device() const { return device_; }
  T& operator[](std::size_t i) const { return host()[i]; }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

 private:
  std::size_t count_;
  PinnedMemoryHandle memory_;
  T* device_ = nullptr;
};

inline StreamHandle new_stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t stream = nullptr;
  checked("cudaStreamCreate", [&] { return cudaStreamCreateWithFlags(&stream, flags); });
  return StreamHandle(stream);
}

inline EventHandle new_event(unsigned flags = cudaEventDefault) {
  cudaEvent_t event = nullptr;
  checked("cudaEventCreate", [&] { return cudaEventCreateWithFlags(&event, flags); });
  return EventHandle(event);
}

/// Waits for a stream, or for the whole device.
inline void wait(cudaStream_t stream) {
  checked("cudaStreamSynchronize", [&] { return cudaStreamSynchronize(stream); });
}
inline void wait() {
  checked("cudaDeviceSynchronize", [] { return cudaDeviceSynchronize(); });
}

/// Measures the time of a stream between two points with events.
class Stopwatch {
 public:
  explicit Stopwatch(cudaStream_t stream = nullptr) : stream_(stream) {}
  void start() { record(begin_); }
  /// Waits for the stream.
  double stop_ms() {
    record(end_);
    checked("cudaEventSynchronize", [&] { return cudaEventSynchronize(end_.get()); });
    float ms = 0;
    checked("cudaEventElapsedTime",
            [&] { return cudaEventElapsedTime(&ms, begin_.get(), end_.get()); });
    return ms;
  }

 private:
  void record(const EventHandle& event) {
    checked("cudaEventRecord", [&] { return cudaEventRecord(event.get(), stream_); });
  }
  cudaStream_t stream_;
  EventHandle begin_ = new_event(), end_ = new_event();
};

/// The shortest time of several runs of `work`, after one that is not counted: other programs and a
/// low clock make a run slower, but nothing makes it faster.
template <class Work>
double best_ms(int runs, const Work& work, cudaStream_t stream = nullptr) {
  Stopwatch watch(stream);
  double best = std::numeric_limits<double>::infinity();
  work();
  for (int i = 0; i < runs; ++i) {
    watch.start();
    work();
    best = std::min(best, watch.stop_ms());
  }
  return best;
}

}  // namespace cuimg::samples
