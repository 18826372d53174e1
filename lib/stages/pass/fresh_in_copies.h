// SPDX-License-Identifier: Apache-2.0
// A member that belongs to one object and is not copied.
#pragma once

namespace cuimg {

/// A T that is new in a copy of its owner, since a value computed for one object may be wrong for
/// the other. T is copied like a handle otherwise.
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
