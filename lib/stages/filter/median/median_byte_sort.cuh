// SPDX-License-Identifier: Apache-2.0
// Sorts the values of a median's tile by 8-bit keys: counting instead of comparing.
#pragma once

#include <cstdint>

#include "stages/filter/median/median_tiles.cuh"

namespace cuimg::detail {

/// Gives the same result as TileSort, except that values with equal keys come in any order. Threads
/// count in four columns of counters, so that few of them access the same one, whatever the
/// picture.
template <int log_n>
class ByteSort {
 public:
  static constexpr int threads = (1 << log_n) / sort_each;

  /// @param count the number of values; those after them are not moved.
  __device__ ByteSort(double* shared, int thread, int count)
      : sorted_(reinterpret_cast<std::uint32_t*>(shared)),
        counters_(sorted_ + (1 << log_n)),
        totals_(counters_ + keys * copies),
        thread_(thread),
        count_(count) {}

  static constexpr std::size_t shared_bytes() {
    return sizeof(std::uint32_t) * ((std::size_t{1} << log_n) + keys * copies + threads / 32);
  }

  /// Given value t + i * threads as v[i], leaves place 16 t + i there.
  __device__ void operator()(std::uint32_t (&v)[sort_each]) const {
#pragma unroll
    for (int i = 0; i < keys * copies / threads; ++i) counters_[thread_ + i * threads] = 0;
    __syncthreads();
    std::uint32_t places[sort_each];
#pragma unroll
    for (int i = 0; i < sort_each; ++i) {
      places[i] = static_cast<std::uint32_t>(thread_ + i * threads);
      if (is_value(i)) places[i] = atomicAdd(counter(v[i] >> key_shift, thread_), 1u);
    }
    __syncthreads();
    count_to_places();
#pragma unroll
    for (int i = 0; i < sort_each; ++i)
      if (is_value(i)) places[i] += *counter(v[i] >> key_shift, thread_);
#pragma unroll
    for (int i = 0; i < sort_each; ++i) sorted_[turned_slot(static_cast<int>(places[i]))] = v[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < sort_each; ++i) v[i] = sorted_[turned_slot(thread_ * sort_each + i)];
  }

 private:
  static constexpr int keys = 256, copies = 4, key_shift = 12;

  __device__ bool is_value(int i) const { return thread_ + i * threads < count_; }
  /// Rotated from key to key, so that threads that read a key's counters access different banks.
  __device__ std::uint32_t* counter(std::uint32_t key, int copy) const {
    return counters_ + key * copies + ((static_cast<std::uint32_t>(copy) + key) & (copies - 1));
  }

  /// Converts counters from numbers of values to the place of the first value.
  __device__ void count_to_places() const {
    constexpr int each = keys / threads;
    std::uint32_t total = 0;
#pragma unroll
    for (int k = 0; k < each; ++k)
#pragma unroll
      for (int copy = 0; copy < copies; ++copy) {
        std::uint32_t* const at = counter(static_cast<std::uint32_t>(thread_ * each + k), copy);
        const std::uint32_t here = *at;
        *at = total;
        total += here;
      }
    const int lane = thread_ % 32;
    std::uint32_t sum = total;  // for this thread and the previous ones in its warp
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      const std::uint32_t before = __shfl_sync(0xffffffffu, sum, (lane - distance) & 31);
      if (lane >= distance) sum += before;
    }
    if (lane == 31) totals_[thread_ / 32] = sum;
    __syncthreads();
    std::uint32_t first = sum - total;
    for (int warp = 0; warp < thread_ / 32; ++warp) first += totals_[warp];
#pragma unroll
    for (int k = 0; k < each; ++k)
#pragma unroll
      for (int copy = 0; copy < copies; ++copy)
        *counter(static_cast<std::uint32_t>(thread_ * each + k), copy) += first;
    __syncthreads();
  }

  std::uint32_t *const sorted_, *const counters_, *const totals_;
  const int thread_, count_;
};

}  // namespace cuimg::detail
