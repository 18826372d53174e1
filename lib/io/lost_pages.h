// SPDX-License-Identifier: Apache-2.0
// Mapped files that become shorter, or whose disk fails, while they are read. The system answers a
// read of such a page with SIGBUS, which would end the whole program for one file.
#pragma once

#include <atomic>
#include <cstddef>

namespace cuimg {

/// From now on a read of a lost page of a file that is watched gives zeros. For programs; the
/// process's other SIGBUS signals do what they did before.
void survive_lost_pages();

/// Pages that are mapped from a file for reading. Watches as many files as a process opens; more
/// than 4096 at a time are not watched.
class WatchedPages {
 public:
  WatchedPages(const void* first, std::size_t bytes);
  ~WatchedPages();
  WatchedPages(const WatchedPages&) = delete;
  WatchedPages& operator=(const WatchedPages&) = delete;

  /// Whether a page was lost, and zeros were read.
  bool are_lost() const;

 private:
  int slot_ = -1;
};

}  // namespace cuimg
