// SPDX-License-Identifier: Apache-2.0
// Mapped files, whose pages this process can drop at any time: the system reads them again from the
// file. That bounds how much memory the process holds where its files are larger than memory.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

namespace cuimg {

/// Adds a mapping of a file to those whose pages may be dropped: shared, or private and read only.
void add_mapped_file(void* first, std::size_t bytes);
/// Unmaps it.
void unmap_file(void* first, std::size_t bytes);

/// While it lives, this process holds about that many bytes of mapped files' pages: a thread looks
/// now and then and drops them all when they are more. Bytes that were written stay in the system's
/// cache or in the file.
class MappedPagesLimit {
 public:
  explicit MappedPagesLimit(std::uint64_t bytes);
  ~MappedPagesLimit();
  MappedPagesLimit(const MappedPagesLimit&) = delete;
  MappedPagesLimit& operator=(const MappedPagesLimit&) = delete;

 private:
  void watch();

  const std::uint64_t most_bytes_;  ///< The program's own pages among them.
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread thread_;  // the last member: it uses the others
};

/// Looks immediately, where there is a limit: for threads that may map many pages before the
/// limit's own thread gets a processor.
void keep_mapped_pages_few();

/// The same at every 64th call, for loops that read all over large pictures, or go down their
/// columns: with each page that is used the system may map 16 around it.
class MappedPagesCheck {
 public:
  void next() {
    if (++calls_ % 64 == 0) keep_mapped_pages_few();
  }

 private:
  unsigned calls_ = 0;
};

}  // namespace cuimg
