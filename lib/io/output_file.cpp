// SPDX-License-Identifier: Apache-2.0
// Writing a target in one step: everything goes to a temporary next to it, which takes the target's
// name only once it is complete and on disk.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "base/error.h"
#include "io/byte_sink.h"
#include "io/temporaries.h"

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

namespace cuimg {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what, int error) {
  throw Error(name, what + ": " + std::strerror(error));
}

void write_all(int fd, std::span<const std::byte> bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      fail(name, "cannot write", errno);
    }
    if (count == 0) fail(name, "cannot write", EIO);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

// Some file systems and devices have nothing to sync, and say so; that is no failure.
void sync_descriptor(int fd, const std::string& name) {
  while (fsync(fd) != 0) {
    if (errno == EINTR) continue;
    if (errno == EINVAL || errno == ENOTSUP || errno == EROFS) return;
    fail(name, "cannot write to disk", errno);
  }
}

// A descriptor that closes itself, and reports what close() says when asked to.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  void reset(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }
  // Linux releases the descriptor even when close() is interrupted, so it is never repeated.
  void close(const std::string& name) {
    const int fd = std::exchange(fd_, -1);
    if (fd >= 0 && ::close(fd) != 0 && errno != EINTR) fail(name, "cannot write", errno);
  }

 private:
  int fd_;
};

class FileSink final : public ByteSink {
 public:
  FileSink(int fd, std::string name) : fd_(fd), name_(std::move(name)) {
    buffer_.reserve(buffer_bytes);
  }
  void write(std::span<const std::byte> bytes) override {
    if (buffer_.size() + bytes.size() > buffer_bytes) flush();
    if (bytes.size() >= buffer_bytes)
      write_all(fd_, bytes, name_);
    else
      buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    position_ += bytes.size();
  }
  void seek(std::uint64_t position) override {
    if (position == position_) return;
    flush();
    if (lseek(fd_, static_cast<off_t>(position), SEEK_SET) < 0) fail(name_, "cannot write", errno);
    position_ = position;
  }
  std::uint64_t position() const override { return position_; }
  void flush() {
    write_all(fd_, buffer_, name_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 18;
  int fd_;
  std::string name_;
  std::vector<std::byte> buffer_;
  std::uint64_t position_ = 0;
};

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// What the last component names after its symbolic links, also where the end does not exist yet.
std::string resolve_links(std::string path, const std::string& name) {
  for (int hops = 0;; ++hops) {
    struct stat status;
    if (lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return path;
    if (hops == 40) fail(name, "cannot write", ELOOP);
    char link[PATH_MAX];
    const ssize_t length = readlink(path.c_str(), link, sizeof link);
    if (length < 0) fail(name, "cannot write", errno);
    const std::string text(link, static_cast<std::size_t>(length));
    path = !text.empty() && text.front() == '/' ? text : directory_of(path) + "/" + text;
  }
}

// The descriptor that "-", /dev/stdout or /dev/fd/N means. Opening those by name would lose the
// position that the shell gave them (`>>`).
std::optional<int> inherited_descriptor(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(prefix)) continue;
    const std::string digits = path.substr(prefix.size());
    if (!digits.empty() && digits.size() < 6 &&
        digits.find_first_not_of("0123456789") == std::string::npos)
      return std::stoi(digits);
  }
  return std::nullopt;
}

// ".NAME.cuimg-PID-N.tmp", shortened to what a file system takes.
std::string temporary_path(const std::string& target) {
  static std::atomic<unsigned> count{0};
  const std::size_t slash = target.rfind('/');
  const std::string directory = slash == std::string::npos ? "" : target.substr(0, slash + 1);
  std::string base = target.substr(directory.size());
  const std::string suffix =
      ".cuimg-" + std::to_string(getpid()) + "-" + std::to_string(count++) + ".tmp";
  const std::size_t room = NAME_MAX - 1 - suffix.size();
  if (base.size() > room) {
    std::size_t cut = room;
    while (cut > 0 && (static_cast<unsigned char>(base[cut]) & 0xc0) == 0x80) --cut;  // whole UTF-8
    base.resize(cut);
  }
  return directory + "." + base + suffix;
}

[[noreturn]] void refuse_folder(const std::string& target, const std::string& name, int error) {
  if (error == ENOENT && access(directory_of(target).c_str(), F_OK) != 0)
    throw Error(name, "no folder '" + directory_of(target) + "'");
  fail(name, "cannot write", error);
}

// What is known of a target whose links are resolved; nothing when it is not there.
// @throws Error when it is there and may not be replaced.
std::optional<struct stat> status_of(const std::string& target, const std::string& name,
                                     bool no_clobber) {
  struct stat status;
  const bool exists = stat(target.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail(name, "cannot write", errno);
  if (exists ? S_ISDIR(status.st_mode) : target.back() == '/')
    throw Error(name, "is a directory, not a file");
  if (!exists) return std::nullopt;
  if (!S_ISREG(status.st_mode)) return status;
  if (no_clobber) throw Error(name, "exists already", "--no-clobber keeps it");
  // Renaming would replace a file that its owner made read-only.
  if (access(target.c_str(), W_OK) != 0) fail(name, "cannot write", errno);
  return status;
}

}  // namespace

struct OutputFile::Impl {
  std::string name;    // what errors call it
  std::string target;  // the resolved path of a regular file
  std::string temporary;
  std::optional<TemporaryPath> registered;
  bool no_clobber = false;
  Descriptor descriptor;
  std::optional<FileSink> file;  // a regular file
  MemorySink memory;             // a device, pipe or standard output
  bool inherited = false;

  ~Impl() { discard(); }
  void discard() {
    if (!temporary.empty()) unlink(temporary.c_str());
    temporary.clear();
    registered.reset();
  }
  void open_temporary(const struct stat* existing);
  void move_into_place();
};

void OutputFile::Impl::open_temporary(const struct stat* existing) {
  for (int attempt = 0;; ++attempt) {
    const std::string path = temporary_path(target);
    registered.emplace(path);
    int error = 0;
    {
      const TemporaryChange change;
      descriptor.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      error = errno;
    }
    if (descriptor.get() >= 0) {
      temporary = path;
      break;
    }
    registered.reset();
    if (error == EEXIST && attempt < 100) continue;
    if (error == EINTR) continue;
    refuse_folder(target, name, error);
  }
  if (existing != nullptr) {
    // Best effort: only root may give a file away, and a file system may have no modes.
    if (fchown(descriptor.get(), existing->st_uid, existing->st_gid) != 0) errno = 0;
    if (fchmod(descriptor.get(), existing->st_mode & 07777) != 0) errno = 0;
  }
  file.emplace(descriptor.get(), name);
}

void OutputFile::Impl::move_into_place() {
  const TemporaryChange change;
  if (!no_clobber) {
    if (std::rename(temporary.c_str(), target.c_str()) != 0) fail(name, "cannot write", errno);
    temporary.clear();
    return;
  }
  long result = syscall(SYS_renameat2, AT_FDCWD, temporary.c_str(), AT_FDCWD, target.c_str(),
                        RENAME_NOREPLACE);
  if (result != 0 && errno != EEXIST) {
    // Not every file system knows the flag; a hard link refuses an existing name as well.
    result = link(temporary.c_str(), target.c_str());
    if (result == 0) unlink(temporary.c_str());
  }
  if (result != 0) {
    if (errno == EEXIST) throw Error(name, "exists already", "--no-clobber keeps it");
    fail(name, "cannot write", errno);
  }
  temporary.clear();
}

void check_output(const std::string& path, bool no_clobber, bool makes_folders) {
  if (inherited_descriptor(path)) return;
  const std::string name = path, target = resolve_links(path, name);
  const std::optional<struct stat> status = status_of(target, name, no_clobber);
  if (status && !S_ISREG(status->st_mode)) return;
  if (access(directory_of(target).c_str(), W_OK) != 0 && !(makes_folders && errno == ENOENT))
    refuse_folder(target, name, errno);
}

OutputFile::OutputFile(std::string path, bool no_clobber) : impl_(std::make_unique<Impl>()) {
  Impl& self = *impl_;
  self.name = path == "-" ? "standard output" : path;
  self.no_clobber = no_clobber;
  if (path.empty()) throw Error("''", "an output's name is empty");
  if (const auto fd = inherited_descriptor(path)) {
    self.descriptor.reset(fcntl(*fd, F_DUPFD_CLOEXEC, 3));
    if (self.descriptor.get() < 0) fail(self.name, "cannot write", errno);
    self.inherited = true;
    return;
  }
  self.target = resolve_links(std::move(path), self.name);
  const std::optional<struct stat> status = status_of(self.target, self.name, no_clobber);
  if (status && !S_ISREG(status->st_mode)) {
    do {
      self.descriptor.reset(::open(self.target.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    } while (self.descriptor.get() < 0 && errno == EINTR);
    if (self.descriptor.get() < 0) fail(self.name, "cannot write", errno);
    return;
  }
  self.open_temporary(status ? &*status : nullptr);
}

OutputFile::~OutputFile() = default;

ByteSink& OutputFile::sink() {
  if (impl_->file) return *impl_->file;
  return impl_->memory;
}

void OutputFile::commit() {
  Impl& self = *impl_;
  if (!self.file) {
    write_all(self.descriptor.get(), self.memory.bytes(), self.name);
    struct stat status;
    if (fstat(self.descriptor.get(), &status) == 0 && S_ISREG(status.st_mode))
      sync_descriptor(self.descriptor.get(), self.name);
    self.descriptor.close(self.name);
    return;
  }
  try {
    self.file->flush();
    sync_descriptor(self.descriptor.get(), self.name);
    self.file.reset();
    self.descriptor.close(self.name);
    self.move_into_place();
  } catch (...) {
    self.discard();
    throw;
  }
  self.registered.reset();
  // The new name is on disk only once its folder is; a folder that may not be read cannot be asked.
  const std::string folder = directory_of(self.target);
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) sync_descriptor(directory.get(), folder);
}

}  // namespace cuimg
