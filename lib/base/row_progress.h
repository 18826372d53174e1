// SPDX-License-Identifier: Apache-2.0
// How far a producer of rows has come, so that its consumer starts before it ends: decoding,
// filtering and encoding of one image overlap through two of these. Where memory is short the
// producer stays near its consumer, and rows that were used give their memory back.
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
  /// The producer begins no row that lies `ahead` or more past the released ones, unless a consumer
  /// waits for it. Without this it never waits. Called before either begins.
  /// @param forget called with [first, last) as rows are released, many at a time.
  void keep_near(int ahead, std::function<void(int first, int last)> forget);

  /// Calls it whenever more rows are complete, on the producer's thread; INT_MAX when all are.
  /// Called before the producer begins.
  void watch(std::function<void(int rows)> call);

  /// Rows [0, rows) are complete. Never goes back. Waits for room for the next.
  void advance(int rows);
  /// Every row is complete.
  void finish();
  /// The producer failed: every wait throws `cause`.
  void fail(std::exception_ptr cause);
  /// Blocks a producer until it may begin with this row.
  void wait_for_room(int row);

  /// Blocks until rows [0, rows) are complete. @returns how many are by now, INT_MAX when all are.
  /// @throws what the producer failed with.
  int wait_for(int rows);
  /// Nobody reads rows [0, rows) again.
  void release(int rows);
  /// The consumer has left: the producer waits no more.
  void abandon();
  /// Whether release() is of use.
  bool keeps_near() const { return ahead_ > 0; }

  using Duration = std::chrono::steady_clock::duration;
  /// For how long the producer has waited for room, and consumers, one or more, for rows.
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
  int ahead_ = 0;   ///< 0: as far as it likes.
  int wanted_ = 0;  ///< What consumers have waited for.
  int released_ = 0;
  int forgotten_ = 0;
  bool abandoned_ = false;
  Waiting producer_, consumers_;
  std::function<void(int, int)> forget_;
  std::function<void(int)> watcher_;
};

}  // namespace cuimg
