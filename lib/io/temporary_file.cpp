// SPDX-License-Identifier: Apache-2.0
#include "io/temporary_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "base/error.h"

namespace cuimg {
namespace {

constexpr std::string_view temporary_mark = ".cuimg-", temporary_ending = ".tmp";

std::string first_word(const char* file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

// Part of an identifier that is random for each boot of each machine: only where a process runs can
// it be asked whether the lock is held. Empty if the system does not provide it.
const std::string& boot_name() {
  static const std::string name = [] {
    std::string id = first_word("/proc/sys/kernel/random/boot_id");
    std::erase(id, '-');
    return id.substr(0, 16);
  }();
  return name;
}

// Identifies this machine across boots. Machines that were cloned share their number, but hardly
// their name, so both are hashed by FNV-1a.
const std::string& host_name() {
  static const std::string name = [] {
    const std::string text =
        first_word("/etc/machine-id") + ' ' + first_word("/proc/sys/kernel/hostname");
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return fmt::format("{:016x}", hash);
  }();
  return name;
}

// ".NAME.cuimg-BOOT-HOST-PID-N.tmp", shortened to the file system's limit.
std::string temporary_path(const std::string& target) {
  static std::atomic<unsigned> count{0};
  const std::size_t slash = target.rfind('/');
  const std::string directory = slash == std::string::npos ? "" : target.substr(0, slash + 1);
  std::string base = target.substr(directory.size());
  const std::string suffix = std::string(temporary_mark) + boot_name() + "-" + host_name() + "-" +
                             std::to_string(getpid()) + "-" + std::to_string(count++) +
                             std::string(temporary_ending);
  const std::size_t room = NAME_MAX - 1 - suffix.size();
  if (base.size() > room) {
    std::size_t cut = room;
    // at a character's boundary in UTF-8
    while (cut > 0 && (static_cast<unsigned char>(base[cut]) & 0xc0) == 0x80) --cut;
    base.resize(cut);
  }
  return directory + "." + base + suffix;
}

std::string own_link(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

bool is_same_file(int fd, const std::string& path) {
  struct stat opened, named;
  return fstat(fd, &opened) == 0 && lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

enum class MadeBy : std::uint8_t { others, this_boot, earlier_boot };

// The boot and machine that made a temporary, according to its name.
MadeBy maker_of(std::string_view file_name) {
  const std::size_t mark = file_name.rfind(temporary_mark);
  if (boot_name().empty() || mark == std::string_view::npos || !file_name.starts_with('.') ||
      !file_name.ends_with(temporary_ending))
    return MadeBy::others;
  const std::string_view maker = file_name.substr(mark + temporary_mark.size());
  if (maker.starts_with(boot_name() + "-")) return MadeBy::this_boot;
  const std::size_t host = maker.find('-');
  const bool is_of_this_host =
      host != std::string_view::npos && maker.substr(host).starts_with("-" + host_name() + "-");
  return is_of_this_host ? MadeBy::earlier_boot : MadeBy::others;
}

// In seconds, like a file's times.
std::time_t time_of_boot() {
  timespec now = {}, since_boot = {};
  clock_gettime(CLOCK_REALTIME, &now);
  clock_gettime(CLOCK_BOOTTIME, &since_boot);
  return now.tv_sec - since_boot.tv_sec;
}

// If a file is unlocked, its process has ended, or has not locked it yet. In the latter case that
// process checks again after locking.
void remove_if_unlocked(const std::string& path, MadeBy maker) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0 || flock(file.get(), LOCK_EX | LOCK_NB) != 0) return;
  struct stat status;
  // No process of an earlier boot is alive. The time of the last change shows that the file does
  // not belong to another machine.
  if (maker == MadeBy::earlier_boot &&
      (fstat(file.get(), &status) != 0 || status.st_mtime >= time_of_boot()))
    return;
  if (is_same_file(file.get(), path)) unlink(path.c_str());
}

// Removes the temporaries in a folder whose processes have ended: of this boot of this machine,
// according to their locks, and of its earlier boots, which a power loss ended.
// A process does this once for each folder; files that cannot be removed are left.
void sweep_temporaries(const std::string& folder) {
  static std::mutex mutex;
  static std::set<std::string> swept;
  {
    const std::lock_guard lock(mutex);
    if (!swept.insert(folder).second) return;
  }
  // std::filesystem would make a path of each of the names, of which there may be a hundred
  // thousand.
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(folder.c_str()), &closedir);
  if (!listing) return;
  while (const dirent* const entry = readdir(listing.get()))
    if (const MadeBy maker = entry->d_name[0] == '.' ? maker_of(entry->d_name) : MadeBy::others;
        maker != MadeBy::others)
      remove_if_unlocked(folder + "/" + entry->d_name, maker);
}

constexpr std::size_t most_attribute_bytes = 65536;  // Linux's limit

// Gives a file the access control list of another, or removes it if the other has none: the folder
// may have assigned one. @returns false if a list could not be copied.
bool take_over_access_list(const std::string& from, int fd) {
  constexpr const char* name = "system.posix_acl_access";
  std::vector<char> list(most_attribute_bytes);
  const ssize_t size = getxattr(from.c_str(), name, list.data(), list.size());
  if (size > 0) return fsetxattr(fd, name, list.data(), static_cast<std::size_t>(size), 0) == 0;
  fremovexattr(fd, name);
  return true;
}

void leave_to_others(mode_t& mode) {
  const mode_t of_others = mode & S_IRWXO;
  mode &= ~static_cast<mode_t>(S_ISGID) & ~static_cast<mode_t>(S_IRWXG);
  mode |= of_others << 3;
}

// Copies owner, group, mode and access control list as far as possible: only root may give a file
// away, others may only use their groups, and a file system may support neither. If the group could
// not be copied, its permissions are removed, since they were meant for other people. The same
// holds for a list, because the group's bits of the mode are the limit for everybody in the list.
void take_over(const std::string& from, int fd, const struct stat& existing) {
  mode_t mode = existing.st_mode & 07777;
  if (fchown(fd, existing.st_uid, existing.st_gid) != 0) {
    mode &= ~static_cast<mode_t>(S_ISUID);
    struct stat made;
    if (fchown(fd, static_cast<uid_t>(-1), existing.st_gid) != 0 &&
        (fstat(fd, &made) != 0 || made.st_gid != existing.st_gid)) {
      leave_to_others(mode);
    }
  }
  if (!take_over_access_list(from, fd)) leave_to_others(mode);
  fchmod(fd, mode);
  errno = 0;
}

// Attributes that users and their programs gave the file, as far as the file system supports them.
// cuimg's own attributes describe how an output was made, so the new file gets new ones.
void copy_attributes(const std::string& from, int to) {
  const ssize_t length = listxattr(from.c_str(), nullptr, 0);
  std::string names(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  const ssize_t listed = names.empty() ? 0 : listxattr(from.c_str(), names.data(), names.size());
  names.resize(listed > 0 ? static_cast<std::size_t>(listed) : 0);
  for (std::size_t at = 0; at < names.size();) {
    const std::string name = names.c_str() + at;
    at += name.size() + 1;
    if (!name.starts_with("user.") || name.starts_with("user.cuimg.")) continue;
    std::vector<char> value(most_attribute_bytes);
    const ssize_t size = getxattr(from.c_str(), name.c_str(), value.data(), value.size());
    if (size >= 0) fsetxattr(to, name.c_str(), value.data(), static_cast<std::size_t>(size), 0);
  }
  errno = 0;
}

}  // namespace

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

TemporaryFile::TemporaryFile(std::string target, std::string name, const struct stat* existing,
                             Name has_name)
    : target_(std::move(target)), name_(std::move(name)) {
  sweep_temporaries(folder_of(target_));
  if (has_name == Name::always || !open_nameless()) open_named();
  if (existing == nullptr) return;
  copy_attributes(target_, descriptor());  // before its mode could forbid it
  take_over(target_, descriptor(), *existing);
}

TemporaryFile::~TemporaryFile() { remove(); }

void TemporaryFile::remove() {
  if (!path_.empty()) unlink(path_.c_str());
  path_.clear();
  registered_.reset();
}

bool TemporaryFile::open_nameless() {
  do {
    descriptor_.reset(::open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  } while (descriptor() < 0 && errno == EINTR);
  if (descriptor() < 0) return false;
  // It is renamed through /proc, which a chroot may not have.
  if (access(own_link(descriptor()).c_str(), F_OK) == 0) return true;
  descriptor_.reset(-1);
  return false;
}

void TemporaryFile::open_named() {
  for (int attempt = 0;; ++attempt) {
    const std::string path = temporary_path(target_);
    registered_.emplace(path);
    int error = 0;
    {
      const TemporaryChange change;
      descriptor_.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      error = errno;
    }
    if (descriptor() >= 0) {
      // A file system without locks is not swept either. A file that was swept before it was locked
      // has lost its name.
      if (flock(descriptor(), LOCK_EX) != 0 || is_same_file(descriptor(), path)) {
        path_ = path;
        return;
      }
      error = EEXIST;
    }
    registered_.reset();
    if ((error == EEXIST || error == EINTR) && attempt < 100) continue;
    if (error == ENOENT && access(folder_of(target_).c_str(), F_OK) != 0)
      throw Error(name_, "no folder '" + folder_of(target_) + "'");
    fail_with_errno(name_, "cannot write", error);
  }
}

void TemporaryFile::take_name() {
  // Locked by its descriptor before it has a name, so that no sweep removes it.
  flock(descriptor(), LOCK_EX);
  for (int attempt = 0;; ++attempt) {
    const std::string path = temporary_path(target_);
    registered_.emplace(path);
    if (linkat(AT_FDCWD, own_link(descriptor()).c_str(), AT_FDCWD, path.c_str(),
               AT_SYMLINK_FOLLOW) == 0) {
      path_ = path;
      return;
    }
    registered_.reset();
    if (errno != EEXIST || attempt == 100) fail_with_errno(name_, "cannot write", errno);
  }
}

void TemporaryFile::put_in_place(bool no_clobber) {
  const auto refuse_existing = [this] {
    throw Error(name_, "exists already", "--no-clobber keeps it");
  };
  const TemporaryChange change;
  if (path_.empty()) {
    if (linkat(AT_FDCWD, own_link(descriptor()).c_str(), AT_FDCWD, target_.c_str(),
               AT_SYMLINK_FOLLOW) == 0)
      return descriptor_.close(name_);
    if (errno != EEXIST) fail_with_errno(name_, "cannot write", errno);
    if (no_clobber) refuse_existing();
    take_name();
  }
  if (!no_clobber) {
    if (std::rename(path_.c_str(), target_.c_str()) != 0)
      fail_with_errno(name_, "cannot write", errno);
  } else {
    int result = renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE);
    if (result != 0 && errno != EEXIST) {
      // Not every file system supports the flag; a hard link also refuses an existing name.
      result = link(path_.c_str(), target_.c_str());
      if (result == 0) unlink(path_.c_str());
    }
    if (result != 0 && errno == EEXIST) refuse_existing();
    if (result != 0) fail_with_errno(name_, "cannot write", errno);
  }
  path_.clear();
  registered_.reset();
  descriptor_.close(name_);
}

}  // namespace cuimg
