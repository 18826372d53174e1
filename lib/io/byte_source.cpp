// SPDX-License-Identifier: Apache-2.0
// Files are mapped, so that a decoder reads the page cache without a copy; what cannot be mapped
// (pipes, standard input, /proc) is read whole.
#include "io/byte_source.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <vector>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/mapped_pages.h"
#include "io/codec.h"
#include "io/lost_pages.h"

namespace cuimg {
namespace {

bool is_known_image(std::span<const std::byte> head) {
  const auto& all = codecs();
  return std::ranges::any_of(all, [&](const Codec& codec) { return codec.sniff(head); });
}

std::vector<std::byte> read_to_end(int fd, const std::string& name) {
  constexpr std::size_t largest = std::size_t{1} << 36;
  constexpr std::size_t head_bytes = 65536;
  std::vector<std::byte> bytes;
  std::size_t filled = 0;
  try {
    for (;;) {
      if (filled == bytes.size()) bytes.resize(filled == 0 ? head_bytes : filled * 2);
      const ssize_t count = read(fd, bytes.data() + filled, bytes.size() - filled);
      if (count == 0) break;
      if (count < 0) {
        if (errno == EINTR) continue;
        fail_with_errno(name, "cannot read", errno);
      }
      filled += static_cast<std::size_t>(count);
      // What is no image need not be read to its end, which may never come: /dev/zero.
      if (filled == head_bytes && !is_known_image(bytes)) break;
      if (filled > largest) throw Error(name, "more than 64 GiB of input");
    }
    bytes.resize(filled);
  } catch (const std::bad_alloc&) {
    throw Error(name, "no memory for more than " + std::to_string(filled) + " bytes of input");
  }
  return bytes;
}

// A file that is mapped to be read once, from its start.
struct Mapping {
  Mapping(void* first, std::size_t size) : memory(first), bytes(size), watched(first, size) {
    madvise(memory, bytes, MADV_SEQUENTIAL);
    madvise(memory, bytes, MADV_WILLNEED);
    add_mapped_file(memory, bytes);
  }
  ~Mapping() { unmap_file(memory, bytes); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  void* const memory;
  const std::size_t bytes;
  const WatchedPages watched;
};

}  // namespace

void ByteSource::check_complete() const {
  if (watched_ && watched_->are_lost())
    throw Error(name_, "the file became shorter, or its disk failed, while it was read");
}

std::shared_ptr<const ByteSource> ByteSource::open(const std::string& path) {
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "standard input" : path;
  if (path.empty()) throw Error("''", "a file's name is empty");
  const Descriptor opened(standard_input ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int file = standard_input ? STDIN_FILENO : opened.get();
  if (file < 0 && errno == ENOENT) throw Error(name, "no such file");
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) fail_with_errno(name, "cannot read", errno);
  if (S_ISDIR(status.st_mode)) throw Error(name, "is a directory, not an image");

  // Standard input may be in the middle of its file: read() starts there, a mapping does not.
  if (!standard_input && S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory != MAP_FAILED) {
      const auto mapping = std::make_shared<const Mapping>(memory, size);
      const auto source = std::make_shared<ByteSource>(
          std::span(static_cast<const std::byte*>(memory), size), name, mapping);
      source->watched_ = {mapping, &mapping->watched};
      return source;
    }
  }
  const auto bytes = std::make_shared<const std::vector<std::byte>>(read_to_end(file, name));
  if (bytes->empty()) throw Error(name, "is empty");
  return std::make_shared<ByteSource>(*bytes, name, bytes);
}

std::shared_ptr<const ByteSource> ByteSource::from_memory(std::span<const std::byte> bytes,
                                                          std::string name) {
  return std::make_shared<ByteSource>(bytes, std::move(name));
}

}  // namespace cuimg
