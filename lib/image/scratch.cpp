// SPDX-License-Identifier: Apache-2.0
#include "image/scratch.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/error.h"

namespace cuimg {
namespace {

struct Living {
  std::mutex mutex;
  std::vector<const Scratch*> all;  // the last one applies
};
Living living;

[[noreturn]] void fail(const std::string& folder, const std::string& problem) {
  throw Error("--scratch", folder + " " + problem, "name a folder with room with --scratch");
}

}  // namespace

int open_scratch_file(const std::string& folder) {
  const int fd = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
  std::string path = folder + "/.cuimg-scratch-XXXXXX";
  const int named = mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0) unlink(path.c_str());
  return named;
}

Scratch::Scratch(std::string folder, std::uint64_t memory_bytes)
    : folder_(std::move(folder)), memory_bytes_(memory_bytes), limit_(memory_bytes / 8) {
  const std::lock_guard lock(living.mutex);
  living.all.push_back(this);
}

Scratch::~Scratch() {
  const std::lock_guard lock(living.mutex);
  std::erase(living.all, this);
}

std::optional<std::uint64_t> Scratch::memory_bytes() {
  const std::lock_guard lock(living.mutex);
  if (living.all.empty()) return std::nullopt;
  return living.all.back()->memory_bytes_;
}

std::optional<std::string> Scratch::folder_for(std::size_t bytes, std::size_t taken_bytes) {
  // Small blocks are allocated and freed with every tile.
  constexpr std::uint64_t worth_a_file = std::uint64_t{1} << 20;
  const std::lock_guard lock(living.mutex);
  if (living.all.empty()) return std::nullopt;
  const Scratch& scratch = *living.all.back();
  // The rest is for tiles, codecs, the program itself, and the pages of files that are in memory.
  const bool fits = taken_bytes + bytes <= scratch.memory_bytes_ / 3;
  const bool is_small = bytes < std::min(worth_a_file, scratch.memory_bytes_ / 64);
  return fits || is_small ? std::nullopt : std::optional(scratch.folder_);
}

std::string default_scratch_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/var/tmp";
}

void* map_scratch_file(const std::string& folder, std::size_t bytes) {
  const Descriptor file(open_scratch_file(folder));
  if (file.get() < 0) fail(folder, std::string("cannot hold a file: ") + std::strerror(errno));
  // Otherwise a full disk would end the program in the middle of a write to memory.
  const int problem = posix_fallocate(file.get(), 0, static_cast<off_t>(bytes));
  if (problem != 0)
    fail(folder, "has no room for " + std::to_string((bytes >> 20) + 1) +
                     " MB of pixels: " + std::strerror(problem));
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED) fail(folder, std::string("cannot be mapped: ") + std::strerror(errno));
  add_mapped_file(memory, bytes);
  return memory;
}

}  // namespace cuimg
