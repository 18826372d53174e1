// SPDX-License-Identifier: Apache-2.0
// The time during which a process may use cards. Creating a context takes about a second. If the
// process's exit handlers run during that time, the driver's own handlers destroy what the creation
// needs: it never ends, and anything that waits for it hangs. So contexts are created ahead of
// their use, on a separate thread, only during a session that main() holds. No static object calls
// CUDA when it is destroyed; remaining resources are left to the driver in the kernel.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/queue.h"

namespace cuimg {

/// main() holds at most one. A program without one is also safe: warm_up_cuda() then does nothing,
/// every call of the library waits for the work that it began, and queues kept for reuse are never
/// destroyed.
class CardSession {
 public:
  CardSession();
  /// Without end() waits for creations, however long they take, and destroys all queues.
  ~CardSession();
  CardSession(const CardSession&) = delete;
  CardSession& operator=(const CardSession&) = delete;

  /// Waits for contexts that are being created, at most for `patience`. Call it before main()
  /// returns or calls exit(), when no queue is in use.
  /// @returns whether that may be done. Otherwise the process must leave by std::quick_exit(),
  /// which runs no exit handlers: a creation has not ended, the driver has not answered, or there
  /// are queues. Their resources end with the process, which is faster than freeing them one by
  /// one.
  [[nodiscard]] bool end(std::chrono::milliseconds patience);

 private:
  bool ended_ = false;
};

/// A card's queue, which is kept for the next run when this leaves scope, since a new queue needs a
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

/// For a run that uses only the first cards: hides the others from the driver, which needs time for
/// each card (four H200: 1.2 s until a context exists, 0.25 s for one). Call it before CUDA is
/// first used, while no other thread reads the environment. Does nothing without a CardSession.
/// @param count of cards, at least 1; if there are fewer, all remain visible.
void see_first_cards(int count);

/// Makes the driver create that many work queues for a card instead of eight, which take 0.05 s to
/// create and 0.03 s to destroy (an H200, driver 580, 2026-11-30). Streams that share a queue run
/// one after another. Call it before CUDA is first used, while no other thread reads the
/// environment. Does nothing without a CardSession, or if CUDA_DEVICE_MAX_CONNECTIONS is set.
void make_few_connections(int count);

/// may_have_cuda(), or nothing while the driver has not answered: its first answer takes a tenth of
/// a second, which many images need not wait for. Without a CardSession this waits.
std::optional<bool> may_have_cuda_yet();

/// The result of list_devices(false) at the first call of this function, which must come before a
/// card's first use: when a context is broken, other cards can no longer be queried.
const DeviceList& known_cards();

/// The cards that --device selects: the named ones, otherwise all of known_cards() that can be
/// used. If there is none, the first card, since opening it gives the reason.
std::vector<int> meant_cards(const std::vector<int>& named);

/// Whether warm_up_cuda() is still working on the card, so that Queue::cuda() would wait.
bool is_being_opened(int index);

/// Waits until is_being_opened() is false.
void await_card(int index);

/// Limits the memory that pixels and tables of queues take on each card. Exceeding it gives a
/// DeviceError that lacks_room().
void limit_card_memory(std::uint64_t bytes);

/// Whether an error has broken the card's context permanently.
bool is_card_broken(int index);

/// The queue for Queue::cuda(): the one that was created ahead, or a new one. @throws DeviceError.
std::shared_ptr<CudaQueue> open_card(int index);

}  // namespace cuimg
