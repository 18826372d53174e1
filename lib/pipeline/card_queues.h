// SPDX-License-Identifier: Apache-2.0
// The queues of cards that are free: a queue costs a context and a self-check, so the images of one
// process pass it on.
#pragma once

#include "device/queue.h"

namespace cuimg {

/// A card's queue for the lifetime of this object. It then goes back and the next lease takes it.
/// May be used from several threads: each lease has a queue of its own.
class CardLease {
 public:
  /// @param threads as for Queue::cuda(), for a queue that must be made. @throws DeviceError.
  CardLease(int index, int threads);
  ~CardLease();
  CardLease(const CardLease&) = delete;
  CardLease& operator=(const CardLease&) = delete;

  Queue& operator*() { return queue_; }

 private:
  int index_;
  Queue queue_;
};

}  // namespace cuimg
