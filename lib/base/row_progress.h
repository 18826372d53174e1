// SPDX-License-Identifier: Apache-2.0
// Tracks how many rows a producer has finished, so that a consumer can start before the producer
// ends. Two of these let decoding, filtering and encoding of one image overlap. If memory is short,
// the producer stays close to its consumer, and the memory of used rows is freed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

namespace cuimg {

/// Counts finished rows from the top of the data window. One producer, any number of consumers.
class RowProgress {
 public:
  /// Limits the producer: it begins no row that lies `ahead` or more rows past the released ones,
  /// unless a consumer waits for it. Without this call it never waits. Call this before either
  /// begins.
  /// @param forget called with [first, last) as rows are released, many at a time.
  void keep_near(int ahead, std::function<void(int first, int last)> forget);

  /// Sets a function that is called on the producer's thread whenever more rows are complete, with
  /// their number; INT_MAX when all are. Called before the producer begins.
  void watch(std::function<void(int rows)> call);

  /// Reports that rows [0, rows) are complete. The number never decreases. Waits until there is
  /// room for the next row.
  void advance(int rows);
  /// Every row is complete.
  void finish();
  /// The producer failed: every wait throws `cause`.
  void fail(std::exception_ptr cause);
  /// The cause, or null if the producer has not failed.
  std::exception_ptr failure() const;
  /// Blocks a producer until it may begin with this row.
  void wait_for_room(int row);

  /// Blocks until rows [0, rows) are complete. @returns how many are complete now, INT_MAX when all
  /// are.
  /// @throws the producer's error.
  int wait_for(int rows);
  /// Reports that rows [0, rows) will not be read again.
  void release(int rows);
  /// Reports that the consumer has finished: the producer no longer waits.
  void abandon();
  /// Whether release() has any effect.
  bool keeps_near() const { return ahead_ > 0; }

  using Duration = std::chrono::steady_clock::duration;
  /// How long the producer has waited for room, and how long one or more consumers have waited for
  /// rows.
  Duration producer_waited() const;
  Duration consumers_waited() const;

 private:
  struct Waiting {
    int threads = 0;
    std::chrono::steady_clock::time_point since = {};
    Duration before{};
  };
  template <class Ready>
  void wait(std::unique_lock<std::mutex>& lock, Waiting& waiting, const Ready& ready);
  void forget_released();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int rows_ = 0;
  std::exception_ptr failure_;
  int ahead_ = 0;   ///< 0: no limit.
  int wanted_ = 0;  ///< The row for which consumers wait.
  int released_ = 0;
  int forgotten_ = 0;
  bool abandoned_ = false;
  Waiting producer_, consumers_;
  std::function<void(int, int)> forget_;
  std::function<void(int)> watcher_;
};

}  // namespace cuimg
