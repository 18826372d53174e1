// SPDX-License-Identifier: Apache-2.0
// A vector of floats that resize() does not clear: the threads that fill a picture then take its
// pages too, each its own, where one thread alone would clear them all first. Large ones lie in
// huge pages where the system has them: touching new memory costs a fault a page.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace cuimg {

template <class T>
struct UnclearedAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UnclearedAllocator<U>;
  };
  static constexpr std::size_t huge_page = std::size_t{1} << 21;

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < huge_page) return std::allocator<T>::allocate(count);
    void* memory = nullptr;
    if (posix_memalign(&memory, huge_page, bytes) != 0) throw std::bad_alloc();
#if defined(__linux__)
    madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < huge_page)
      std::allocator<T>::deallocate(memory, count);
    else
      std::free(memory);
  }
  template <class U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Values>
  void construct(U* at, Values&&... values) {
    ::new (static_cast<void*>(at)) U(std::forward<Values>(values)...);
  }
};

using FloatBuffer = std::vector<float, UnclearedAllocator<float>>;

}  // namespace cuimg
