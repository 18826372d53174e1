// SPDX-License-Identifier: Apache-2.0
// Blocks of a file that several threads make at once, and the caller's thread takes in order.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace cuimg {
namespace detail {

// Threads of its own rather than the stages' pool: they sleep while rows are awaited, and whoever
// makes those rows must not wait for a thread.
template <class Block, class MakeWorker>
class BlockPool {
 public:
  BlockPool(std::vector<Block>& blocks, int threads, const MakeWorker& make_worker)
      : blocks_(blocks), done_(blocks.size()) {
    for (int i = 0; i < threads; ++i)
      threads_.emplace_back([this, &make_worker] { work(make_worker); });
  }
  ~BlockPool() {
    next_ = blocks_.size();
    for (std::thread& thread : threads_) thread.join();
  }
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  void wait_for(std::size_t block) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_[block] || failure_; });
    if (!done_[block]) std::rethrow_exception(failure_);
  }

 private:
  void work(const MakeWorker& make_worker) {
    try {
      auto worker = make_worker();
      for (std::size_t i; (i = next_++) < blocks_.size();) {
        worker.run(blocks_[i]);
        const std::lock_guard lock(mutex_);
        done_[i] = true;
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  std::vector<Block>& blocks_;
  std::vector<bool> done_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace detail

/// Each thread makes a worker, whose run(block) makes one block after another.
/// @param deliver called with each block in order, in the calling thread, while later ones are
/// made.
/// @throws the first that a worker throws, or what deliver throws.
template <class Block, class MakeWorker, class Deliver>
void make_blocks(std::vector<Block>& blocks, int threads, const MakeWorker& make_worker,
                 const Deliver& deliver) {
  threads = std::min(threads, static_cast<int>(blocks.size()));
  if (threads <= 1) {
    auto worker = make_worker();
    for (Block& block : blocks) {
      worker.run(block);
      deliver(block);
    }
    return;
  }
  detail::BlockPool<Block, MakeWorker> pool(blocks, threads, make_worker);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    pool.wait_for(i);
    deliver(blocks[i]);
  }
}

}  // namespace cuimg
