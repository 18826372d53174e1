// SPDX-License-Identifier: Apache-2.0
#include "io/file_mark.h"

#include <sys/stat.h>
#include <sys/xattr.h>

#include <cerrno>

namespace cuimg {
namespace {

constexpr const char* attribute = "user.cuimg.recipe";

// " SIZE SECONDS.NANOSECONDS", which is the same in copies that keep times.
std::string state_of(const struct stat& status) {
  std::string state(1, ' ');
  state += std::to_string(status.st_size) + ' ' + std::to_string(status.st_mtim.tv_sec) + '.';
  return state += std::to_string(status.st_mtim.tv_nsec);
}

}  // namespace

bool mark_file(int descriptor, const std::string& mark) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return false;
  // The time is set to its present value, since a network file system later assigns its own time to
  // written data. Then the time is read again, since some file systems store it less exactly.
  const struct timespec times[] = {{0, UTIME_OMIT}, status.st_mtim};
  if (futimens(descriptor, times) != 0 || fstat(descriptor, &status) != 0) return false;
  const std::string text = mark + state_of(status);
  return fsetxattr(descriptor, attribute, text.data(), text.size(), 0) == 0;
}

std::optional<FileMark> mark_of_file(const std::string& path) {
  char bytes[256];
  const ssize_t length = getxattr(path.c_str(), attribute, bytes, sizeof bytes);
  if (length < 0)
    return errno == ENODATA || errno == ERANGE ? std::optional<FileMark>(FileMark{}) : std::nullopt;
  const std::string text(bytes, static_cast<std::size_t>(length));
  const std::size_t end = text.find(' ');
  if (end == std::string::npos) return FileMark{};
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileMark{text.substr(0, end), text.substr(end) == state_of(status)};
}

}  // namespace cuimg
