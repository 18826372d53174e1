// SPDX-License-Identifier: Apache-2.0
// Buffers that are reused for the blocks of a file. The system clears new memory page by page, and
// many threads would wait for each other there.
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace cuimg {

/// May be used from several threads.
class SpareBuffers {
 public:
  /// An empty buffer, with capacity if one was given back.
  std::vector<std::byte> take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    std::vector<std::byte> buffer = std::move(spare_.back());
    spare_.pop_back();
    buffer.clear();
    return buffer;
  }
  void give_back(std::vector<std::byte> buffer) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(buffer));
  }

 private:
  std::mutex mutex_;
  std::vector<std::vector<std::byte>> spare_;
};

}  // namespace cuimg
