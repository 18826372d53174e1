// SPDX-License-Identifier: Apache-2.0
// The part of CUDA that a kernel's source needs when it is compiled for the emulated card: every
// file made by translate.py includes this first. Blocks run one after the other; the threads of a
// block are fibers that switch at barriers. To reveal a missing barrier or wait, shared memory
// begins with a pattern, copies into it happen at the latest possible moment, when they are waited
// for, and every other launch runs its threads backwards.
#pragma once

#include <cuda_runtime.h>
#include <math.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>

// Makes the kernels' own headers show the card's code. CUDA's headers are already included.
#define __CUDACC__
#undef __launch_bounds__
#undef __noinline__
#undef __grid_constant__
#define __launch_bounds__(...)
#define __noinline__
#define __grid_constant__
#define CUIMG_IN_REGISTERS inline

namespace emulated {

/// The indices of a thread.
struct Place {
  dim3 grid = {}, block = {};
  uint3 block_index = {}, thread_index = {};
};
/// Those of the running thread.
extern constinit thread_local Place place;

/// Launches a kernel: `thread` calls it once for every thread of every block.
void launch(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream,
            const std::function<void()>& thread);

/// The maximum shared memory of the next launch, which does not name its kernel.
void allow_shared_memory(int bytes);
void* shared_memory();
template <class T>
T* shared() {
  return static_cast<T*>(shared_memory());
}

void wait_for_block();
void wait_for_warp();
/// Waits until this number of the block's threads wait at the barrier.
void wait_for_threads(unsigned barrier, unsigned threads);
/// @returns the value that the given lane of the caller's warp passed; all 32 lanes take part.
std::uint32_t from_lane(std::uint32_t value, unsigned lane);
/// @returns whether it is true for any thread of the block.
bool any_of_block(bool value);

/// @param zeros the number of zero bytes that follow.
void copy_later(void* to, const void* from, std::size_t bytes, std::size_t zeros);
void commit_copies();
void wait_for_copies(std::size_t all_but);

/// Four floats of a texture of any format; missing channels are 0.
float4 sample(cudaTextureObject_t texture, float x, float y);
float4 sample(cudaTextureObject_t texture, float x, float y, float z);
/// From a mipmapped array of floats, between its levels.
float4 sample_level(cudaTextureObject_t texture, float x, float y, float level);
/// The address of the bytes at a column and row of a surface; null outside of it.
char* surface_bytes(cudaSurfaceObject_t surface, int column, int row, std::size_t bytes);

}  // namespace emulated

#define gridDim (::emulated::place.grid)
#define blockDim (::emulated::place.block)
#define blockIdx (::emulated::place.block_index)
#define threadIdx (::emulated::place.thread_index)
#define warpSize 32
#define fminf ::emulated::smaller
#define fmaxf ::emulated::larger

template <class... Parameters>
cudaError_t cudaFuncSetAttribute(void (*)(Parameters...), cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) __builtin_trap();
  emulated::allow_shared_memory(value);
  return cudaSuccess;
}

inline void __syncthreads() { emulated::wait_for_block(); }
inline void __syncwarp(unsigned = 0xffffffffu) { emulated::wait_for_warp(); }
inline void __barrier_sync_count(unsigned barrier, unsigned threads) {
  emulated::wait_for_threads(barrier, threads);
}
inline int __syncthreads_or(int value) { return emulated::any_of_block(value != 0); }

namespace emulated {
inline unsigned lane() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}
}  // namespace emulated

template <class T>
T __shfl_sync(unsigned, T value, int lane, int width = 32) {
  const unsigned own = emulated::lane();
  return __builtin_bit_cast(T, emulated::from_lane(__builtin_bit_cast(std::uint32_t, value),
                                                   own / width * width + lane % width));
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int mask) {
  struct Words {
    std::uint32_t v[sizeof(T) / sizeof(std::uint32_t)];
  };
  auto words = __builtin_bit_cast(Words, value);
  for (std::uint32_t& word : words.v) word = emulated::from_lane(word, emulated::lane() ^ mask);
  return __builtin_bit_cast(T, words);
}
/// For warps in which all threads take part.
inline int __all_sync(unsigned, int predicate) {
  int all = predicate != 0;
  for (int mask = 16; mask > 0; mask /= 2) all &= __shfl_xor_sync(0xffffffffu, all, mask);
  return all;
}

inline unsigned __ballot_sync(unsigned all, int predicate) {
  unsigned lanes = static_cast<unsigned>(predicate != 0) << emulated::lane();
  for (int mask = 1; mask < 32; mask *= 2) lanes |= __shfl_xor_sync(all, lanes, mask);
  return lanes;
}

inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31u));
}
/// Selects bytes from two words, where the first word's bytes have the lowest numbers, by the
/// selector's nibbles.
inline unsigned __byte_perm(unsigned first, unsigned second, unsigned selector) {
  const std::uint64_t bytes = std::uint64_t{second} << 32 | first;
  unsigned made = 0;
  for (unsigned i = 0; i < 4; ++i)
    made |= static_cast<unsigned>(bytes >> (selector >> 4 * i & 7u) * 8 & 255u) << 8 * i;
  return made;
}

/// The halves of one word times the lower two bytes of another, or the upper two, added to a sum.
inline unsigned __dp2a_lo(unsigned halves, unsigned bytes, unsigned sum) {
  return sum + (halves & 0xffffu) * (bytes & 255u) + (halves >> 16) * (bytes >> 8 & 255u);
}
inline unsigned __dp2a_hi(unsigned halves, unsigned bytes, unsigned sum) {
  return __dp2a_lo(halves, bytes >> 16, sum);
}

/// @param zeros the number of bytes at the end that are not read.
inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes,
                                    std::size_t zeros = 0) {
  const auto place = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if ((bytes != 4 && bytes != 8 && bytes != 16) || place % bytes != 0) {
    std::fputs("an asynchronous copy of a size or to a place that a card refuses\n", stderr);
    std::abort();
  }
  emulated::copy_later(to, from, bytes - zeros, zeros);
}
inline void __pipeline_commit() { emulated::commit_copies(); }
inline void __pipeline_wait_prior(std::size_t all_but) { emulated::wait_for_copies(all_but); }

template <class T>
T __ldg(const T* from) {
  return *from;
}
template <class T>
T __ldcs(const T* from) {
  return *from;
}
template <class T>
void __stcs(T* to, T value) {
  *to = value;
}
inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline int __ffs(int value) { return __builtin_ffs(value); }
inline int __ffsll(long long value) { return __builtin_ffsll(value); }
template <class T>
T atomicAdd(T* to, T value) {
  const T before = *to;
  *to += value;
  return before;
}
inline unsigned atomicXor(unsigned* to, unsigned value) {
  const unsigned before = *to;
  *to ^= value;
  return before;
}
template <class T>
T atomicMin(T* to, T value) {
  const T before = *to;
  if (value < before) *to = value;
  return before;
}
template <class T>
T atomicMax(T* to, T value) {
  const T before = *to;
  if (before < value) *to = value;
  return before;
}

inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a < b ? b : a; }
inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }

namespace emulated {

// As on a card: the other value instead of NaN, and -0 is less than +0.
inline float smaller(float a, float b) {
  if (a != a) return b;
  return a < b || (a == b && signbit(a)) || b != b ? a : b;
}
inline float larger(float a, float b) {
  if (a != a) return b;
  return a > b || (a == b && signbit(b)) || b != b ? a : b;
}

inline void narrow(const float4& v, float& out) { out = v.x; }
inline void narrow(const float4& v, float2& out) { out = {v.x, v.y}; }
inline void narrow(const float4& v, float4& out) { out = v; }

}  // namespace emulated

template <class T>
T tex2D(cudaTextureObject_t texture, float x, float y) {
  T out;
  emulated::narrow(emulated::sample(texture, x, y), out);
  return out;
}
template <class T>
T tex2DLod(cudaTextureObject_t texture, float x, float y, float level) {
  T out;
  emulated::narrow(emulated::sample_level(texture, x, y, level), out);
  return out;
}
template <class T>
T tex3D(cudaTextureObject_t texture, float x, float y, float z) {
  T out;
  emulated::narrow(emulated::sample(texture, x, y, z), out);
  return out;
}
template <class T>
T surf2Dread(cudaSurfaceObject_t surface, int column, int row, cudaSurfaceBoundaryMode) {
  T value = {};
  if (const char* from = emulated::surface_bytes(surface, column, row, sizeof value))
    __builtin_memcpy(&value, from, sizeof value);
  return value;
}
template <class T>
void surf2Dwrite(T value, cudaSurfaceObject_t surface, int column, int row,
                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  if (char* to = emulated::surface_bytes(surface, column, row, sizeof value))
    __builtin_memcpy(to, &value, sizeof value);
  else if (mode == cudaBoundaryModeTrap)
    __builtin_trap();
}
