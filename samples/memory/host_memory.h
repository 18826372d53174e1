// SPDX-License-Identifier: Apache-2.0
// The host's memory in the kinds that a card can access, and how fast each is copied, read and
// written: by the card's copies, by kernels and by the CPU. For nvcc.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "common/card.h"
#include "common/host_clock.h"
#include "common/sample.h"

namespace cuimg::samples {

/// Pages from the system, initially zero. A page is placed on the NUMA node of the CPU that first
/// writes to it.
class Pages {
 public:
  explicit Pages(std::size_t bytes)
      : memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
        bytes_(bytes) {
    if (memory_ == MAP_FAILED) throw Error("mmap", text("no %zu bytes of memory", bytes));
  }
  Pages(Pages&& other) noexcept
      : memory_(std::exchange(other.memory_, MAP_FAILED)), bytes_(other.bytes_) {}
  Pages& operator=(Pages&&) = delete;
  ~Pages() {
    if (memory_ != MAP_FAILED) munmap(memory_, bytes_);
  }
  void* get() const { return memory_; }

 private:
  void* memory_;
  std::size_t bytes_;
};

using RegisteredHandle = Handle<void*, cudaHostUnregister>;

enum class Kind { pageable, pinned, mapped, write_combined, registered };
constexpr const char* kind_names[] = {"pageable", "pinned", "mapped", "write-combined",
                                      "registered"};

/// Memory of one kind, first touched by the thread that allocates it.
class HostMemory {
 public:
  HostMemory(Kind kind, std::size_t bytes) {
    void* memory = nullptr;
    if (kind == Kind::pageable || kind == Kind::registered) {
      memory = pages_.emplace(bytes).get();
      std::memset(memory, 1, bytes);
    } else {
      const unsigned flags = kind == Kind::mapped ? cudaHostAllocMapped
                             : kind == Kind::write_combined
                                 ? cudaHostAllocWriteCombined | cudaHostAllocMapped
                                 : cudaHostAllocDefault;
      checked("cudaHostAlloc", [&] { return cudaHostAlloc(&memory, bytes, flags); });
      pinned_ = PinnedMemoryHandle(memory);
    }
    if (kind == Kind::registered) {
      checked("cudaHostRegister",
              [&] { return cudaHostRegister(memory, bytes, cudaHostRegisterMapped); });
      registered_ = RegisteredHandle(memory);
    }
    host_ = static_cast<std::uint32_t*>(memory);
    if (kind == Kind::pageable) return;
    // The book sets the flags for mapping first; with one address space for everything they change
    // nothing. If the call fails, kernels cannot access this memory.
    void* seen = nullptr;
    if (cudaHostGetDevicePointer(&seen, memory, 0) != cudaSuccess)
      static_cast<void>(cudaGetLastError());
    device_ = static_cast<std::uint32_t*>(seen);
  }
  std::uint32_t* host() const { return host_; }
  /// The pointer for kernels; null if they cannot access it.
  std::uint32_t* device() const { return device_; }

 private:
  std::optional<Pages> pages_;  // freed after it is unregistered
  PinnedMemoryHandle pinned_;
  RegisteredHandle registered_;
  std::uint32_t *host_ = nullptr, *device_ = nullptr;
};

__host__ __device__ inline std::uint32_t word_at(std::size_t i, std::uint32_t seed) {
  const auto word = (static_cast<std::uint32_t>(i) + seed) * 2654435761u;
  return word ^ (word >> 15);
}

/// Each thread stores the sum of the words that it read.
inline __global__ void read_words(const uint4* words, std::size_t count, std::uint32_t* sums) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint32_t sum = 0;
  for (std::size_t i = thread; i < count; i += std::size_t{gridDim.x} * blockDim.x) {
    const uint4 four = words[i];
    sum += four.x + four.y + four.z + four.w;
  }
  sums[thread] = sum;
}

inline __global__ void write_words(uint4* words, std::size_t count, std::uint32_t seed) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = thread; i < count; i += std::size_t{gridDim.x} * blockDim.x)
    words[i] = {word_at(4 * i, seed), word_at(4 * i + 1, seed), word_at(4 * i + 2, seed),
                word_at(4 * i + 3, seed)};
}

/// In GB/s; those of kernels are 0 if they cannot access the memory.
struct Speeds {
  double to_card = 0, to_host = 0, kernel_reads = 0, kernel_writes = 0, cpu_writes = 0,
         cpu_reads = 0;
  bool is_right = false;  ///< whether every word arrived correctly each time
};

/// @param bytes a multiple of 16. The CPU's copies use one thread.
inline Speeds measure(const HostMemory& memory, std::size_t bytes, std::uint32_t seed) {
  constexpr unsigned blocks = 512, threads = 256;
  std::vector<std::uint32_t> words(bytes / 4), copy(bytes / 4);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = word_at(i, seed);
  const DeviceArray<std::uint32_t> on_card(words.size()), sums(std::size_t{blocks} * threads);
  checked("cudaMemset", [&] { return cudaMemset(on_card.get(), 0, bytes); });
  const auto speed = [&](double ms) { return static_cast<double>(bytes) / ms / 1e6; };
  const auto cpu_speed = [&](const auto& work) { return speed(best_host_us(2, work) / 1e3); };
  const auto copied = [&](void* to, const void* from, cudaMemcpyKind direction) {
    return speed(best_ms(
        4, [&] { checked("cudaMemcpy", [&] { return cudaMemcpy(to, from, bytes, direction); }); }));
  };
  Speeds speeds;
  // From the CPU into this memory, to the card, back again, and to the CPU.
  speeds.cpu_writes = cpu_speed([&] { std::memcpy(memory.host(), words.data(), bytes); });
  speeds.to_card = copied(on_card.get(), memory.host(), cudaMemcpyHostToDevice);
  std::memset(memory.host(), 0, bytes);
  speeds.to_host = copied(memory.host(), on_card.get(), cudaMemcpyDeviceToHost);
  speeds.cpu_reads = cpu_speed([&] { std::memcpy(copy.data(), memory.host(), bytes); });
  speeds.is_right = copy == words;
  if (memory.device() == nullptr) return speeds;
  auto* seen = reinterpret_cast<uint4*>(memory.device());
  speeds.kernel_reads = speed(best_ms(4, [&] {
    read_words<<<blocks, threads>>>(seen, bytes / 16, sums.get());
    check_launch("read_words");
  }));
  const auto parts = sums.to_host();
  speeds.is_right = speeds.is_right && std::accumulate(parts.begin(), parts.end(), 0u) ==
                                           std::accumulate(words.begin(), words.end(), 0u);
  speeds.kernel_writes = speed(best_ms(4, [&] {
    write_words<<<blocks, threads>>>(seen, bytes / 16, seed + 1);
    check_launch("write_words");
  }));
  wait();
  std::memcpy(copy.data(), memory.host(), bytes);
  for (std::size_t i = 0; i < copy.size(); ++i)
    speeds.is_right = speeds.is_right && copy[i] == word_at(i, seed + 1);
  return speeds;
}

/// A speed, or none.
inline Cell speed_cell(double gb_per_s) {
  return gb_per_s > 0 ? Cell(gb_per_s, 1) : Cell::none("-");
}

}  // namespace cuimg::samples
