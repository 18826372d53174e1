// SPDX-License-Identifier: Apache-2.0
// Several threads make the blocks of a file in parallel, and the caller's thread receives them in
// order.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <vector>

#include "base/kept_thread.h"

namespace cuimg {
namespace detail {

// It has its own threads and does not use the stages' pool: they sleep until rows are ready, and
// the stages that make those rows must not wait for a thread.
template <class Block, class MakeWorker>
class BlockPool {
 public:
  BlockPool(std::vector<Block>& blocks, int threads, const MakeWorker& make_worker)
      : blocks_(blocks), done_(blocks.size()), ahead_(2 * static_cast<std::size_t>(threads)) {
    try {
      while (threads_.size() < static_cast<std::size_t>(threads))
        threads_.emplace_back([this, &make_worker] { work(make_worker); });
    } catch (const std::system_error&) {
      // the system gives no more threads: those that exist do all the work
      if (threads_.empty()) throw;
    }
  }
  ~BlockPool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    threads_.clear();
  }
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  /// Calls deliver with the block when it is made.
  template <class Deliver>
  void deliver(std::size_t block, const Deliver& deliver) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return done_[block] || failure_; });
      if (!done_[block]) std::rethrow_exception(failure_);
    }
    deliver(blocks_[block]);
    {
      const std::lock_guard lock(mutex_);
      delivered_ = block + 1;
    }
    changed_.notify_all();
  }

 private:
  // The next block to make; past the last one if there is none. Only a limited number is made
  // ahead, since waiting blocks take memory.
  std::size_t next() {
    std::unique_lock lock(mutex_);
    changed_.wait(
        lock, [&] { return stopping_ || next_ == blocks_.size() || next_ < delivered_ + ahead_; });
    return stopping_ || next_ == blocks_.size() ? blocks_.size() : next_++;
  }
  void work(const MakeWorker& make_worker) {
    try {
      auto worker = make_worker();
      for (std::size_t i; (i = next()) < blocks_.size();) {
        worker.run(blocks_[i]);
        const std::lock_guard lock(mutex_);
        done_[i] = true;
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stopping_ = true;
      changed_.notify_all();
    }
  }

  std::vector<Block>& blocks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> done_;
  std::size_t next_ = 0, delivered_ = 0;
  const std::size_t ahead_;
  bool stopping_ = false;
  std::exception_ptr failure_;
  std::vector<KeptThread> threads_;
};

}  // namespace detail

/// Makes Block{first, rows, ...} from the top to the bottom.
template <class Block>
std::vector<Block> blocks_of_rows(int height, int rows) {
  std::vector<Block> blocks;
  for (int y = 0; y < height; y += std::min(rows, height - y)) {
    Block& block = blocks.emplace_back();
    block.first = y;
    block.rows = std::min(rows, height - y);
  }
  return blocks;
}

/// Each thread makes a worker, whose run(block) makes one block after another.
/// @param deliver called with each block in order, in the calling thread, while later ones are
/// made.
/// @throws the first that a worker throws, or what deliver throws.
template <class Block, class MakeWorker, class Deliver>
void make_blocks(std::vector<Block>& blocks, int threads, const MakeWorker& make_worker,
                 const Deliver& deliver) {
  threads = std::min(threads, static_cast<int>(blocks.size()));
  std::optional<detail::BlockPool<Block, MakeWorker>> pool;
  try {
    if (threads > 1) pool.emplace(blocks, threads, make_worker);
  } catch (
      const std::system_error&) {  // the system gives no threads at all: this thread does the work
  }
  if (!pool) {
    auto worker = make_worker();
    for (Block& block : blocks) {
      worker.run(block);
      deliver(block);
    }
    return;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) pool->deliver(i, deliver);
}

}  // namespace cuimg
