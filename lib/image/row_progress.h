// SPDX-License-Identifier: Apache-2.0
// How far a producer of rows has come, so that its consumer starts before it ends: decoding,
// filtering and encoding of one image overlap through two of these.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>

namespace cuimg {

/// Counts finished rows from the top of the data window. One producer, any number of consumers.
class RowProgress {
 public:
  /// Rows [0, rows) are complete. Never goes back.
  void advance(int rows);
  /// Every row is complete.
  void finish();
  /// The producer failed: every wait throws `cause`.
  void fail(std::exception_ptr cause);
  /// Blocks until rows [0, rows) are complete. @throws what the producer failed with.
  void wait_for(int rows);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int rows_ = 0;
  std::exception_ptr failure_;
};

}  // namespace cuimg
