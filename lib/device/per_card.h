// SPDX-License-Identifier: Apache-2.0
// Objects that are made once for each card and kept there: a stage's tables, a second image's
// pixels.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace cuimg {

class CudaQueue;

/// The part of PerCard that does not depend on the type.
class KeptOnCards {
 public:
  using Value = std::shared_ptr<const void>;
  Value of(CudaQueue& queue, const std::function<Value()>& make);

 private:
  struct OneCard;
  OneCard& card(int index);

  std::mutex mutex_;
  std::vector<std::shared_ptr<OneCard>> cards_;
};

/// Holds one T for each card that needs it. Copies share the objects, which are destroyed with the
/// last copy, after the work of all queues that used them has ended. May be used from several
/// threads. T may be incomplete if of() is not called.
template <class T>
class PerCard {
 public:
  /// The T of this queue's card. The first call makes it. A call for another queue of the same
  /// card, which is not ordered relative to the first queue's work, waits until that work is done.
  /// @param make () -> std::shared_ptr<const T>, whose work is queued on `queue`. Its exceptions
  /// are passed on, and null is returned; in both cases the next call tries again.
  template <class Make>
  std::shared_ptr<const T> of(CudaQueue& queue, const Make& make) const {
    return std::static_pointer_cast<const T>(
        kept_->of(queue, [&] { return std::shared_ptr<const T>(make()); }));
  }
  /// Whether `other` is a copy of it.
  bool shares_with(const PerCard& other) const { return kept_ == other.kept_; }

 private:
  std::shared_ptr<KeptOnCards> kept_ = std::make_shared<KeptOnCards>();
};

}  // namespace cuimg
