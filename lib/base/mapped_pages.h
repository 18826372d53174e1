// SPDX-License-Identifier: Apache-2.0
// Mapped files. The process can drop their pages at any time, since the system can read them again
// from the file. This limits the process's memory even if its files are larger than memory.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

namespace cuimg {

/// Registers a mapping of a file whose pages may be dropped: it must be shared, or private and read
/// only.
void add_mapped_file(void* first, std::size_t bytes);
/// Unmaps a file.
void unmap_file(void* first, std::size_t bytes);

/// While it lives, the process holds about that many bytes of mapped pages at most: a thread checks
/// now and then, and drops all pages if there are more. Written bytes stay in the system's cache or
/// in the file.
class MappedPagesLimit {
 public:
  explicit MappedPagesLimit(std::uint64_t bytes);
  ~MappedPagesLimit();
  MappedPagesLimit(const MappedPagesLimit&) = delete;
  MappedPagesLimit& operator=(const MappedPagesLimit&) = delete;

 private:
  void watch();

  const std::uint64_t most_bytes_;  ///< Includes the program's own pages.
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread thread_;  // the last member: it uses the others
};

/// Checks immediately if there is a limit. For threads that may map many pages before the limit's
/// own thread gets a processor.
void keep_mapped_pages_few();

/// Checks at every 64th call. For loops that read large pictures at scattered places or down their
/// columns: for each used page the system may map 16 pages around it.
class MappedPagesCheck {
 public:
  void next() {
    if (++calls_ % 64 == 0) keep_mapped_pages_few();
  }

 private:
  unsigned calls_ = 0;
};

}  // namespace cuimg
