// SPDX-License-Identifier: Apache-2.0
#include "base/mapped_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <map>

namespace cuimg {
namespace {

class MappedFiles {
 public:
  void add(void* first, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    bytes_[first] = bytes;
  }
  void remove(void* first) {
    const std::lock_guard lock(mutex_);
    bytes_.erase(first);
  }
  void drop_pages() {
    const std::lock_guard lock(mutex_);
    for (const auto& [first, bytes] : bytes_) madvise(first, bytes, MADV_DONTNEED);
  }

 private:
  std::mutex mutex_;
  std::map<void*, std::size_t> bytes_;
};

// Never destroyed: images may be freed while the program ends.
MappedFiles& mapped_files() {
  static auto* const files = new MappedFiles;
  return *files;
}

// Pages of files that this process holds, those of the program and its libraries among them.
std::uint64_t resident_file_bytes() {
  std::uint64_t size = 0, resident = 0, of_files = 0;
  std::ifstream("/proc/self/statm") >> size >> resident >> of_files;
  return of_files * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void add_mapped_file(void* first, std::size_t bytes) { mapped_files().add(first, bytes); }

void unmap_file(void* first, std::size_t bytes) {
  mapped_files().remove(first);
  munmap(first, bytes);
}

MappedPagesLimit::MappedPagesLimit(std::uint64_t bytes)
    : bytes_(bytes), thread_([this] { watch(); }) {}

MappedPagesLimit::~MappedPagesLimit() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ends_.notify_all();
  thread_.join();
}

void MappedPagesLimit::watch() {
  // Short enough that little is mapped anew between two looks, each of which takes a microsecond
  // or two.
  constexpr std::chrono::milliseconds interval(1);
  std::uint64_t program = resident_file_bytes();
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock, interval, [this] { return ended_; })) {
    const std::uint64_t resident = resident_file_bytes();
    if (resident < program + bytes_) continue;
    mapped_files().drop_pages();
    program = resident_file_bytes();
  }
}

}  // namespace cuimg
