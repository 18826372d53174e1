// SPDX-License-Identifier: Apache-2.0
// Files are mapped, so that a decoder reads the page cache without a copy; inputs that cannot be
// mapped (pipes, standard input, /proc) are read completely first.
#include "io/byte_source.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/mapped_pages.h"
#include "image/scratch.h"
#include "io/codec.h"
#include "io/lost_pages.h"

namespace cuimg {
namespace {

bool is_known_image(std::span<const std::byte> head) {
  const auto& all = codecs();
  return std::ranges::any_of(all, [&](const Codec& codec) { return codec.sniff(head); });
}

// A mapping of a file that is read once, from its start.
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

// Collects the bytes of a pipe: in memory at first, and in a file when there are many. If the
// folder has no room for the file, they stay in memory.
class Collected {
 public:
  explicit Collected(std::string folder) : folder_(std::move(folder)) {}

  // @throws std::bad_alloc.
  void add(std::span<const std::byte> bytes) {
    if (file_ == nullptr && may_move_ && kept_.size() + bytes.size() > most_in_memory)
      move_to_file();
    if (file_ != nullptr && !write(bytes)) move_back();
    if (file_ == nullptr) kept_.insert(kept_.end(), bytes.begin(), bytes.end());
    size_ += bytes.size();
  }
  std::size_t size() const { return size_; }
  std::span<const std::byte> in_memory() const { return kept_; }

  // Called once, at the end.
  std::shared_ptr<const ByteSource> source(const std::string& name) {
    if (file_ != nullptr) {
      void* memory = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file_->get(), 0);
      if (memory == MAP_FAILED) fail_with_errno(name, "cannot map", errno);
      const auto mapping = std::make_shared<const Mapping>(memory, size_);
      const std::span bytes(static_cast<const std::byte*>(memory), size_);
      return std::make_shared<ByteSource>(bytes, name, mapping);
    }
    const auto bytes = std::make_shared<const std::vector<std::byte>>(std::move(kept_));
    return std::make_shared<ByteSource>(*bytes, name, bytes);
  }

 private:
  static constexpr std::size_t most_in_memory = std::size_t{32} << 20;

  void move_to_file() {
    may_move_ = false;  // it is tried only once
    const int file = open_scratch_file(folder_);
    if (file < 0) return;
    file_ = std::make_unique<Descriptor>(file);
    if (!write(kept_))
      file_.reset();
    else
      kept_ = std::vector<std::byte>();  // = {} would not free the memory
  }
  // Appends to the file. @returns false if there is no more room.
  bool write(std::span<const std::byte> bytes) {
    off_t at = static_cast<off_t>(kept_.empty() ? size_ : 0);
    while (!bytes.empty()) {
      const ssize_t count = pwrite(file_->get(), bytes.data(), bytes.size(), at);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      at += count;
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
  }
  void move_back() {
    kept_.resize(size_);
    for (std::size_t at = 0; at < size_;) {
      const ssize_t count =
          pread(file_->get(), kept_.data() + at, size_ - at, static_cast<off_t>(at));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) fail_with_errno(folder_, "cannot read", errno);
      at += static_cast<std::size_t>(count);
    }
    file_.reset();
  }

  const std::string folder_;
  bool may_move_ = true;
  std::vector<std::byte> kept_;  // all bytes, unless there is a file
  std::unique_ptr<Descriptor> file_;
  std::size_t size_ = 0;
};

std::shared_ptr<const ByteSource> read_to_end(int fd, const std::string& name,
                                              const std::string& scratch, bool is_image) {
  constexpr std::size_t head_bytes = 65536;
  const unsigned largest_gib = is_image ? 64 : 1;
  Collected collected(scratch.empty() ? default_scratch_folder() : scratch);
  try {
    std::vector<std::byte> piece(head_bytes);
    for (std::size_t filled = 0;;) {
      const ssize_t count = read(fd, piece.data() + filled, piece.size() - filled);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail_with_errno(name, "cannot read", errno);
      filled += static_cast<std::size_t>(count);
      if (count > 0 && filled < piece.size()) continue;
      const bool is_head = collected.size() == 0;
      collected.add(std::span(piece).first(filled));
      if (count == 0) break;
      // A file that is not an image need not be read to its end, which may not exist: /dev/zero.
      if (is_image && is_head && !is_known_image(collected.in_memory())) break;
      if (collected.size() >> 30 >= largest_gib)
        throw Error(name, "more than " + std::to_string(largest_gib) + " GiB of input");
      filled = 0;
      piece.resize(std::size_t{1} << 20);
    }
  } catch (const std::bad_alloc&) {
    throw Error(name,
                "no memory for more than " + std::to_string(collected.size()) + " bytes of input");
  }
  if (collected.size() == 0) throw Error(name, "is empty");
  return collected.source(name);
}

}  // namespace

void ByteSource::check_complete() const {
  if (watched_ && watched_->are_lost())
    throw Error(name_, "the file became shorter, or its disk failed, while it was read");
}

// The page in which a shortened file ends still exists, with zeros after the end. Only later pages
// are detected as lost, once they are read.
void ByteSource::look_at_the_end() const {
  if (!watched_ || bytes_.empty()) return;
  const volatile std::byte* const last = &bytes_.back();
  [[maybe_unused]] const std::byte looked_at = *last;
}

std::shared_ptr<const ByteSource> ByteSource::open(const std::string& path,
                                                   const std::string& scratch) {
  return open_file(path, scratch, true);
}

std::shared_ptr<const ByteSource> ByteSource::open_text(const std::string& path) {
  return open_file(path, "", false);
}

std::shared_ptr<const ByteSource> ByteSource::open_file(const std::string& path,
                                                        const std::string& scratch, bool is_image) {
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "standard input" : path;
  if (path.empty()) throw Error("''", "a file's name is empty");
  const Descriptor opened(standard_input ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int file = standard_input ? STDIN_FILENO : opened.get();
  if (file < 0 && errno == ENOENT) throw Error(name, "no such file");
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) fail_with_errno(name, "cannot read", errno);
  if (S_ISDIR(status.st_mode))
    throw Error(name,
                std::string("is a directory, not ") + (is_image ? "an image" : "a text file"));

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
  return read_to_end(file, name, scratch, is_image);
}

std::shared_ptr<const ByteSource> ByteSource::from_memory(std::span<const std::byte> bytes,
                                                          std::string name) {
  return std::make_shared<ByteSource>(bytes, std::move(name));
}

}  // namespace cuimg
