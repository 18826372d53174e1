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

}  // namespace cuimg
