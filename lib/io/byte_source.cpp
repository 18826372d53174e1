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
#include <cstring>
#include <new>
#include <vector>

#include "base/error.h"
#include "base/mapped_pages.h"
#include "io/codec.h"

namespace cuimg {
namespace {

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::span<const std::byte> bytes, std::string name)
      : ByteSource(std::move(name)), bytes_(bytes) {}
  std::span<const std::byte> bytes() const override { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

class OwnedSource final : public ByteSource {
 public:
  OwnedSource(std::vector<std::byte> bytes, std::string name)
      : ByteSource(std::move(name)), bytes_(std::move(bytes)) {}
  std::span<const std::byte> bytes() const override { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

class MappedSource final : public ByteSource {
 public:
  MappedSource(void* memory, std::size_t size, std::string name)
      : ByteSource(std::move(name)), memory_(memory), size_(size) {
    add_mapped_file(memory_, size_);
  }
  ~MappedSource() override { unmap_file(memory_, size_); }
  std::span<const std::byte> bytes() const override {
    return {static_cast<const std::byte*>(memory_), size_};
  }

 private:
  void* memory_;
  std::size_t size_;
};

struct Descriptor {
  int fd;
  bool owned;
  ~Descriptor() {
    if (owned) close(fd);
  }
};

[[noreturn]] void fail(const std::string& name, int error) {
  throw Error(name, std::string("cannot read: ") + std::strerror(error));
}

bool is_known_image(std::span<const std::byte> head) {
  const auto& all = codecs();
  return std::any_of(all.begin(), all.end(), [&](const Codec& codec) { return codec.sniff(head); });
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
        fail(name, errno);
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

}  // namespace

std::shared_ptr<const ByteSource> ByteSource::open(const std::string& path) {
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "standard input" : path;
  if (path.empty()) throw Error("''", "a file's name is empty");
  const Descriptor file{standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC),
                        !standard_input};
  if (file.fd < 0) {
    if (errno == ENOENT) throw Error(name, "no such file");
    fail(name, errno);
  }
  struct stat status;
  if (fstat(file.fd, &status) != 0) fail(name, errno);
  if (S_ISDIR(status.st_mode)) throw Error(name, "is a directory, not an image");

  // Standard input may be in the middle of its file: read() starts there, a mapping does not.
  if (!standard_input && S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
    if (memory != MAP_FAILED) {
      madvise(memory, size, MADV_SEQUENTIAL);
      madvise(memory, size, MADV_WILLNEED);
      return std::make_shared<MappedSource>(memory, size, name);
    }
  }
  std::vector<std::byte> bytes = read_to_end(file.fd, name);
  if (bytes.empty()) throw Error(name, "is empty");
  return std::make_shared<OwnedSource>(std::move(bytes), name);
}

std::shared_ptr<const ByteSource> ByteSource::from_memory(std::span<const std::byte> bytes,
                                                          std::string name) {
  return std::make_shared<MemorySource>(bytes, std::move(name));
}

}  // namespace cuimg
