// SPDX-License-Identifier: Apache-2.0
#include "base/mapped_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>

#include "base/threads.h"

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

// The lowest of the existing limits applies.
class Limits {
 public:
  static constexpr std::uint64_t none = UINT64_MAX;
  std::uint64_t least() const { return least_; }
  void add(std::uint64_t limit) {
    const std::lock_guard lock(mutex_);
    all_.insert(limit);
    least_ = *all_.begin();
  }
  void remove(std::uint64_t limit) {
    const std::lock_guard lock(mutex_);
    all_.erase(all_.find(limit));
    least_ = all_.empty() ? none : *all_.begin();
  }

 private:
  std::mutex mutex_;
  std::multiset<std::uint64_t> all_;
  std::atomic<std::uint64_t> least_ = none;
};

Limits& limits() {
  static Limits all;
  return all;
}

// Pages of the program and its libraries that have not been needed yet.
constexpr std::uint64_t still_to_run_bytes = std::uint64_t{8} << 20;

// Pages of files that this process holds, including those of the program and its libraries.
std::uint64_t resident_file_bytes() {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  // Stays open: it is read often, and opening it takes three times as long as reading it.
  static const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  char text[128] = {};
  unsigned long long of_files = 0;
  if (pread(file, text, sizeof text - 1, 0) <= 0 ||
      std::sscanf(text, "%*u %*u %llu", &of_files) != 1)
    return 0;
  return of_files * page;
}

std::uint64_t bytes_without_mapped_files() {
  mapped_files().drop_pages();
  return resident_file_bytes();
}

}  // namespace

void add_mapped_file(void* first, std::size_t bytes) { mapped_files().add(first, bytes); }

void unmap_file(void* first, std::size_t bytes) {
  mapped_files().remove(first);
  munmap(first, bytes);
}

MappedPagesLimit::MappedPagesLimit(std::uint64_t bytes)
    : most_bytes_(bytes_without_mapped_files() + still_to_run_bytes + bytes) {
  limits().add(most_bytes_);
  thread_ = start_thread([this] { watch(); });
}

MappedPagesLimit::~MappedPagesLimit() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ends_.notify_all();
  thread_.join();
  limits().remove(most_bytes_);
}

void MappedPagesLimit::watch() {
  constexpr std::chrono::milliseconds interval(1);
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock, interval, [this] { return ended_; })) keep_mapped_pages_few();
}

void keep_mapped_pages_few() {
  const std::uint64_t most = limits().least();
  if (most != Limits::none && resident_file_bytes() > most) mapped_files().drop_pages();
}

}  // namespace cuimg
