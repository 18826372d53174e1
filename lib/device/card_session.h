// SPDX-License-Identifier: Apache-2.0
// The cards' part of a process's life. Creating a context takes a second or so. If the process's
// exit handlers run meanwhile, the driver's own take away what the creation needs, it never ends,
// and what waits for it hangs. So a context is created ahead, on a thread of its own, only between
// the beginning and the end of a session that main() holds, and no static object calls CUDA when
// it is destroyed: what is still there then is left to the kernel's driver.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/queue.h"

namespace cuimg {

/// Held by main(), one at a time. A program without one is safe too: warm_up_cuda() then does
/// nothing, every call of the library waits for what it began, and queues that were kept for reuse
/// are never destroyed.
class CardSession {
 public:
  CardSession();
  /// Without end() waits for creations, however long they take, and destroys all queues.
  ~CardSession();
  CardSession(const CardSession&) = delete;
  CardSession& operator=(const CardSession&) = delete;

  /// Waits for contexts that are being created ahead, no longer than `patience`. To be called
  /// before main() returns or calls exit(), when no queue is in use.
  /// @returns whether that may be done. Else the process must leave by std::quick_exit(), which
  /// runs no exit handlers: a creation has not ended, the driver has not answered, or there are
  /// queues. What these hold goes with the process: given back piece by piece it takes longer.
  [[nodiscard]] bool end(std::chrono::milliseconds patience);

 private:
  bool ended_ = false;
};

/// A card's queue, given back for the next run when it leaves scope: a queue costs a context and a
/// self-check.
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

/// For a run that uses none but the first cards: the driver is to see no other, since it takes time
/// for each (four H200: 1.2 s until a context is there, 0.25 for one). To be called before CUDA is
/// first used, while no other thread reads the environment. Does nothing without a CardSession.
/// @param count of cards, at least 1; where there are fewer, all are seen.
void see_first_cards(int count);

/// Has the driver make so many queues of work for a card, rather than eight, which take it 0.05 s
/// to make and 0.03 to take down (an H200, driver 580, 2026-11-30): streams that share one run
/// behind each other. To be called before CUDA is first used, while no other thread reads the
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
