// SPDX-License-Identifier: Apache-2.0
#include "base/row_progress.h"

#include <algorithm>
#include <climits>
#include <utility>

#include "base/mapped_pages.h"

namespace cuimg {

void RowProgress::keep_near(int ahead, std::function<void(int, int)> forget) {
  ahead_ = std::max(1, ahead);
  forget_ = std::move(forget);
}

void RowProgress::watch(std::function<void(int)> call) { watcher_ = std::move(call); }

// The clock is only read if there is something to wait for.
template <class Ready>
void RowProgress::wait(std::unique_lock<std::mutex>& lock, Waiting& waiting, const Ready& ready) {
  if (ready()) return;
  if (waiting.threads++ == 0) waiting.since = std::chrono::steady_clock::now();
  changed_.wait(lock, ready);
  if (--waiting.threads == 0) waiting.before += std::chrono::steady_clock::now() - waiting.since;
}

RowProgress::Duration RowProgress::producer_waited() const {
  const std::lock_guard lock(mutex_);
  return producer_.before;
}

RowProgress::Duration RowProgress::consumers_waited() const {
  const std::lock_guard lock(mutex_);
  return consumers_.before;
}

void RowProgress::advance(int rows) {
  keep_mapped_pages_few();
  {
    std::lock_guard lock(mutex_);
    if (rows <= rows_) return;
    rows_ = rows;
    forget_released();
  }
  changed_.notify_all();
  if (watcher_) watcher_(rows);
  if (rows != INT_MAX) wait_for_room(rows);
}

void RowProgress::finish() { advance(INT_MAX); }

void RowProgress::fail(std::exception_ptr cause) {
  {
    std::lock_guard lock(mutex_);
    failure_ = std::move(cause);
  }
  changed_.notify_all();
}

std::exception_ptr RowProgress::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void RowProgress::wait_for_room(int row) {
  if (!keeps_near()) return;
  std::unique_lock lock(mutex_);
  wait(lock, producer_, [&] { return abandoned_ || row < wanted_ || row - released_ < ahead_; });
}

int RowProgress::wait_for(int rows) {
  std::unique_lock lock(mutex_);
  if (keeps_near() && rows > wanted_) {
    wanted_ = rows;
    changed_.notify_all();
  }
  wait(lock, consumers_, [&] { return rows_ >= rows || failure_; });
  if (rows_ < rows) std::rethrow_exception(failure_);
  return rows_;
}

void RowProgress::release(int rows) {
  if (!keeps_near()) return;
  std::lock_guard lock(mutex_);
  if (rows <= released_) return;
  released_ = rows;
  changed_.notify_all();
  forget_released();
}

// Rows may be released before they are made. Their memory is freed when they are complete: until
// then the producer may write to them.
void RowProgress::forget_released() {
  if (!keeps_near()) return;
  const int rows = std::min(released_, rows_);
  // Freeing memory costs a system call.
  if (rows - forgotten_ < std::max(1, ahead_ / 4)) return;
  forget_(forgotten_, rows);
  forgotten_ = rows;
}

void RowProgress::abandon() {
  {
    std::lock_guard lock(mutex_);
    abandoned_ = true;
  }
  changed_.notify_all();
}

}  // namespace cuimg
