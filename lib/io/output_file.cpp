// SPDX-License-Identifier: Apache-2.0
// Writes a target in one step: everything goes to a temporary file next to it, which gets the
// target's name only when it is complete and on disk.
#include "io/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <optional>
#include <utility>

#include "base/descriptor.h"
#include "base/error.h"
#include "io/file_mark.h"
#include "io/temporaries.h"
#include "io/temporary_file.h"

namespace cuimg {
namespace {

void write_all(int fd, std::span<const std::byte> bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      fail_with_errno(name, "cannot write", errno);
    }
    if (count == 0) fail_with_errno(name, "cannot write", EIO);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

// Some file systems and devices cannot sync and report that; this is not a failure.
void sync_descriptor(int fd, const std::string& name) {
  while (fsync(fd) != 0) {
    if (errno == EINTR) continue;
    if (errno == EINVAL || errno == ENOTSUP || errno == EROFS) return;
    fail_with_errno(name, "cannot write to disk", errno);
  }
}

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
    if (lseek(fd_, static_cast<off_t>(position), SEEK_SET) < 0)
      fail_with_errno(name_, "cannot write", errno);
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

// The path after symbolic links are resolved, even if the file at the end does not exist yet.
std::string resolve_links(std::string path, const std::string& name) {
  for (int hops = 0;; ++hops) {
    struct stat status;
    if (lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return path;
    if (hops == 40) fail_with_errno(name, "cannot write", ELOOP);
    char link[PATH_MAX];
    const ssize_t length = readlink(path.c_str(), link, sizeof link);
    if (length < 0) fail_with_errno(name, "cannot write", errno);
    const std::string text(link, static_cast<std::size_t>(length));
    path = !text.empty() && text.front() == '/' ? text : folder_of(path) + "/" + text;
  }
}

// The descriptor for "-", /dev/stdout or /dev/fd/N. Opening those by name would lose the file
// position that the shell set (`>>`).
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

std::string shown_name(const std::string& path) { return path == "-" ? "standard output" : path; }

void check_descriptor(int fd, const std::string& name) {
  const int flags = fcntl(fd, F_GETFL);
  if (flags < 0) fail_with_errno(name, "cannot write", errno);
  if ((flags & O_ACCMODE) == O_RDONLY) fail_with_errno(name, "cannot write", EBADF);
}

// Whether a folder does not exist and can be created, with the folders above it. @throws Error with
// the text of std::filesystem::create_directories() if it cannot.
bool is_new_folder(const std::string& folder) {
  std::string above = folder;
  struct stat status;
  while (stat(above.c_str(), &status) != 0) {
    const int error = errno;
    const bool is_link_to_nothing = error == ENOENT && lstat(above.c_str(), &status) == 0;
    if (is_link_to_nothing) throw Error(folder, std::strerror(EEXIST));
    if (error != ENOENT) throw Error(folder, std::strerror(error));
    above = folder_of(above);
  }
  if (!S_ISDIR(status.st_mode)) throw Error(folder, std::strerror(ENOTDIR));
  if (above == folder) return false;
  if (access(above.c_str(), W_OK | X_OK) != 0) throw Error(folder, std::strerror(errno));
  return true;
}

[[noreturn]] void refuse_folder(const std::string& target, const std::string& name, int error) {
  if (error == ENOENT && access(folder_of(target).c_str(), F_OK) != 0)
    throw Error(name, "no folder '" + folder_of(target) + "'");
  fail_with_errno(name, "cannot write", error);
}

// The status of a target whose links are resolved; nothing if it does not exist.
// @throws Error if it exists and must not be replaced.
std::optional<struct stat> status_of(const std::string& target, const std::string& name,
                                     bool no_clobber) {
  struct stat status;
  const bool exists = stat(target.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail_with_errno(name, "cannot write", errno);
  if (exists ? S_ISDIR(status.st_mode) : target.back() == '/')
    throw Error(name, "is a directory, not a file");
  if (!exists) return std::nullopt;
  if (!S_ISREG(status.st_mode)) return status;
  if (no_clobber) throw Error(name, "exists already", "--no-clobber keeps it");
  // Renaming would replace a file that its owner made read-only.
  if (access(target.c_str(), W_OK) != 0) fail_with_errno(name, "cannot write", errno);
  return status;
}

}  // namespace

struct OutputFile::Impl {
  std::string name;  // its name in errors
  bool no_clobber = false;
  Descriptor descriptor;  // for a device, a pipe or standard output
  MemorySink memory;      // the bytes for it
  std::string target;     // for a regular file, with links resolved
  std::optional<TemporaryFile> temporary;
  std::optional<FileSink> file;
  std::string mark;  // stored with it when it is complete
};

void check_output(const std::string& path, bool no_clobber, bool makes_folders) {
  const std::string name = shown_name(path);
  if (const auto fd = inherited_descriptor(path)) return check_descriptor(*fd, name);
  if (makes_folders && is_new_folder(folder_of(path))) return;
  const std::string target = resolve_links(path, name);
  const std::optional<struct stat> status = status_of(target, name, no_clobber);
  if (status && !S_ISREG(status->st_mode)) return;
  if (access(folder_of(target).c_str(), W_OK | X_OK) != 0) refuse_folder(target, name, errno);
}

OutputFile::OutputFile(std::string path, bool no_clobber) : impl_(std::make_unique<Impl>()) {
  Impl& self = *impl_;
  self.name = shown_name(path);
  self.no_clobber = no_clobber;
  if (path.empty()) throw Error("''", "an output's name is empty");
  if (const auto fd = inherited_descriptor(path)) {
    self.descriptor.reset(fcntl(*fd, F_DUPFD_CLOEXEC, 3));
    if (self.descriptor.get() < 0) fail_with_errno(self.name, "cannot write", errno);
    return;
  }
  self.target = resolve_links(std::move(path), self.name);
  const std::optional<struct stat> status = status_of(self.target, self.name, no_clobber);
  if (status && !S_ISREG(status->st_mode)) {
    do {
      self.descriptor.reset(::open(self.target.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    } while (self.descriptor.get() < 0 && errno == EINTR);
    if (self.descriptor.get() < 0) fail_with_errno(self.name, "cannot write", errno);
    return;
  }
  self.temporary.emplace(self.target, self.name, status ? &*status : nullptr);
  self.file.emplace(self.temporary->descriptor(), self.name);
}

OutputFile::~OutputFile() = default;

ByteSink& OutputFile::sink() {
  if (impl_->file) return *impl_->file;
  return impl_->memory;
}

void OutputFile::mark(const std::string& text) { impl_->mark = text; }

void OutputFile::commit() {
  OutputFile* const self = this;
  commit_all({&self, 1});
}

void OutputFile::commit_all(std::span<OutputFile* const> files) {
  for (OutputFile* const file : files) file->complete();
  {
    const TemporaryChange together;
    for (OutputFile* const file : files) file->put_in_place();
  }
  for (const OutputFile* const file : files) file->sync_folder();
}

void OutputFile::complete() {
  Impl& self = *impl_;
  if (self.file) {
    self.file->flush();
    if (!self.mark.empty()) mark_file(self.temporary->descriptor(), self.mark);
    return sync_descriptor(self.temporary->descriptor(), self.name);
  }
  write_all(self.descriptor.get(), self.memory.bytes(), self.name);
  struct stat status;
  if (fstat(self.descriptor.get(), &status) == 0 && S_ISREG(status.st_mode))
    sync_descriptor(self.descriptor.get(), self.name);
  self.descriptor.close(self.name);
}

void OutputFile::put_in_place() {
  if (impl_->file) impl_->temporary->put_in_place(impl_->no_clobber);
}

// The new name is only on disk when its folder is synced; a folder without read permission cannot
// be synced.
void OutputFile::sync_folder() const {
  if (!impl_->file) return;
  const std::string folder = folder_of(impl_->target);
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) sync_descriptor(directory.get(), folder);
}

void write_text_file(const std::string& path, std::string_view text, bool no_clobber) {
  OutputFile file(path, no_clobber);
  file.sink().write(std::as_bytes(std::span(text)));
  file.commit();
}

}  // namespace cuimg
