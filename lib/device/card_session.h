// SPDX-License-Identifier: Apache-2.0
// The time during which a process may use cards. Creating a context takes about a second. If the
// process's exit handlers run during that time, the driver's own handlers destroy what the creation
// needs: it never ends, and anything that waits for it hangs. So a context is created ahead of its
// use, on a separate thread, only during a session that main() holds. No static object calls CUDA
// when it is destroyed; resources that still exist then are left to the kernel's driver.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/queue.h"

namespace cuimg {

/// main() holds at most one. A program without one is safe too: warm_up_cuda() then does nothing,
/// every call of the library waits for the work that it began, and queues kept for reuse are never
/// destroyed.
class CardSession {
 public:
  CardSession();
  /// Without end() waits for creations, however long they take, and destroys all queues.
  ~CardSession();
  CardSession(const CardSession&) = delete;
  CardSession& operator=(const CardSession&) = delete;

  /// Waits for contexts that are being created ahead, no longer than `patience`. To be called
  /// before main() returns or calls exit(), when no queue is in use.
  /// @returns whether that may be done. Otherwise the process must leave by std::quick_exit(),
  /// which runs no exit handlers: a creation has not ended, the driver has not answered, or there
  /// are queues. Their resources end with the process, which is faster than freeing them one by
  /// one.
  [[nodiscard]] bool end(std::chrono::milliseconds patience);

 private:
  bool ended_ = false;
};

/// A card's queue, which is kept for the next run when this leaves scope, since a queue costs a
/// context and a self-check.
class CardQueueLease {
 public:
  /// @throws DeviceError as Queue::cuda() does.
  CardQueueLease(int index, int threads);
  ~CardQueueLease();
  CardQueueLease(const CardQueueLease&) = delete;
  CardQueueLease& operator=(const CardQueueLease&) = delete;
  Queue& operator*() { return queue_; }

 private:
  int index_;
  Queue queue_;
};

/// For a run that uses only the first cards: hides the others from the driver, which takes time for
/// each (four H200: 1.2 s until a context is there, 0.25 for one). To be called before CUDA is
/// first used, while no other thread reads the environment. Does nothing without a CardSession.
/// @param count of cards, at least 1; where there are fewer, all are seen.
void see_first_cards(int count);

/// Makes the driver create that many work queues for a card instead of eight, which take 0.05 s to
/// create and 0.03 s to destroy (an H200, driver 580, 2026-11-30). Streams that share a queue run
/// one after another. To be called before CUDA is first used, while no other thread reads the
/// environment. Does nothing without a CardSession, or where CUDA_DEVICE_MAX_CONNECTIONS is set.
void make_few_connections(int count);

/// may_have_cuda(), or nothing while the driver is still asked: its first answer takes a tenth of a
/// second, which many images need not wait for. Without a CardSession it is waited for.
std::optional<bool> may_have_cuda_yet();

/// list_devices(false) as it was before the first call of this, which is to come before a card's
/// first use: where a context is broken, others may not be asked for any more.
const DeviceList& known_cards();

/// Which cards --device means: the named ones, or else all of known_cards() that can be used; where
/// there is none the first, since opening it says why.
std::vector<int> meant_cards(const std::vector<int>& named);

/// Whether warm_up_cuda() has begun with the card and is not done, so that Queue::cuda() would
/// wait.
bool is_being_opened(int index);

/// Waits until is_being_opened() is false.
void await_card(int index);

/// From now on the pixels and tables that queues hold on any one card take no more than that; what
/// passes it is a DeviceError that lacks_room().
void limit_card_memory(std::uint64_t bytes);

/// Whether an error has broken the card's context for good.
bool is_card_broken(int index);

/// What Queue::cuda() runs on: the queue that was created ahead, or a new one. @throws DeviceError.
std::shared_ptr<CudaQueue> open_card(int index);

}  // namespace cuimg
