// SPDX-License-Identifier: Apache-2.0
// A value of one of several types: std::variant for kernels.
#pragma once

#include <cstddef>
#include <type_traits>

#include "kernels/math/platform.h"

namespace cuimg {

/// Holds one of `Types`, all trivially copyable. A copy is a copy of bytes, so an array of them can
/// be a kernel's argument.
template <class... Types>
class Variant {
 public:
  static_assert((std::is_trivially_copyable_v<Types> && ...));
  static_assert(sizeof...(Types) > 0);

  template <class T>
  static constexpr bool holds_type = (std::is_same_v<T, Types> || ...);

  Variant() = default;
  template <class T, class = std::enable_if_t<holds_type<T>>>
  Variant(const T& value) : index_(index_of<T>()) {
    __builtin_memcpy(bytes_, &value, sizeof(T));
  }

  /// The value if it is a T, otherwise null. Host code: it points into this object.
  template <class T>
  T* get_if() {
    static_assert(holds_type<T>);
    return index_ == index_of<T>() ? reinterpret_cast<T*>(bytes_) : nullptr;
  }

  template <class T>
  bool holds() const {
    static_assert(holds_type<T>);
    return index_ == index_of<T>();
  }

  /// visitor(value) with the value's own type.
  CUIMG_CALLS_ANY template <class Visitor>
  CUIMG_HD void visit(const Visitor& visitor) const {
    visit_between<0, static_cast<int>(sizeof...(Types))>(visitor);
  }

 private:
  template <class First, class... Rest>
  struct List {
    template <int i>
    static auto at() {
      if constexpr (i == 0)
        return std::type_identity<First>{};
      else
        return List<Rest...>::template at<i - 1>();
    }
  };
  template <int i>
  using At = typename decltype(List<Types...>::template at<i>())::type;

  template <class T>
  static constexpr int index_of() {
    int index = 0;
    bool found = false;
    ((found = found || std::is_same_v<T, Types>, index += found ? 0 : 1), ...);
    return index;
  }

  // Bisects the index: a few comparisons, which give the same result for a whole warp.
  CUIMG_CALLS_ANY template <int low, int high, class Visitor>
  CUIMG_HD void visit_between(const Visitor& visitor) const {
    if constexpr (high - low == 1) {
      At<low> value;
      __builtin_memcpy(&value, bytes_, sizeof value);
      visitor(value);
    } else if (index_ < (low + high) / 2) {
      visit_between<low, (low + high) / 2>(visitor);
    } else {
      visit_between<(low + high) / 2, high>(visitor);
    }
  }

  static constexpr std::size_t largest() {
    std::size_t bytes = 0;
    ((bytes = sizeof(Types) > bytes ? sizeof(Types) : bytes), ...);
    return bytes;
  }
  alignas(Types...) unsigned char bytes_[largest()] = {};
  int index_ = 0;
};

}  // namespace cuimg
