// SPDX-License-Identifier: Apache-2.0
// What belongs to one object and not to its copies.
#pragma once

namespace cuimg {

/// A T that a copy of its owner has anew: what was worked out for one need not hold for the other.
/// T is copied like a handle otherwise.
template <class T>
class FreshInCopies {
 public:
  FreshInCopies() = default;
  FreshInCopies(const FreshInCopies&) {}
  FreshInCopies& operator=(const FreshInCopies&) {
    value_ = T();
    return *this;
  }
  ~FreshInCopies() = default;
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }

 private:
  T value_;
};

}  // namespace cuimg
