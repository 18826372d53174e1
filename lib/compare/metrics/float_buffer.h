// SPDX-License-Identifier: Apache-2.0
// A vector of floats that resize() does not clear: the threads that fill a picture then take its
// pages too, each its own, where one thread alone would clear them all first.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace cuimg {

template <class T>
struct UnclearedAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UnclearedAllocator<U>;
  };
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
