// SPDX-License-Identifier: Apache-2.0
// Mapped files that become shorter, or whose disk fails, while they are read. The system answers an
// access to such a page with SIGBUS, which would end the whole program because of one file.
#pragma once

#include <atomic>
#include <cstddef>

namespace cuimg {

/// From now on, reading a lost page of a watched file gives zeros. For programs; for other SIGBUS
/// signals the process behaves as before.
void survive_lost_pages();

/// Pages that are mapped from a file for reading. At most 4096 files are watched at a time, which
/// is enough for the files that a process opens.
class WatchedPages {
 public:
  WatchedPages(const void* first, std::size_t bytes);
  ~WatchedPages();
  WatchedPages(const WatchedPages&) = delete;
  WatchedPages& operator=(const WatchedPages&) = delete;

  /// Whether a page was lost and zeros were read instead.
  bool are_lost() const;

 private:
  int slot_ = -1;
};

}  // namespace cuimg
