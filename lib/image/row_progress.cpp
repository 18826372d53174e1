// SPDX-License-Identifier: Apache-2.0
#include "image/row_progress.h"

#include <climits>

namespace cuimg {

void RowProgress::advance(int rows) {
  {
    std::lock_guard lock(mutex_);
    if (rows <= rows_) return;
    rows_ = rows;
  }
  changed_.notify_all();
}

void RowProgress::finish() { advance(INT_MAX); }

void RowProgress::fail(std::exception_ptr cause) {
  {
    std::lock_guard lock(mutex_);
    failure_ = std::move(cause);
  }
  changed_.notify_all();
}

void RowProgress::wait_for(int rows) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return rows_ >= rows || failure_; });
  if (rows_ < rows) std::rethrow_exception(failure_);
}

}  // namespace cuimg
