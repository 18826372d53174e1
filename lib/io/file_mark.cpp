// SPDX-License-Identifier: Apache-2.0
#include "io/file_mark.h"

#include <sys/xattr.h>

#include <cerrno>

namespace cuimg {
namespace {

constexpr const char* attribute = "user.cuimg.recipe";

}  // namespace

bool mark_file(int descriptor, const std::string& mark) {
  return fsetxattr(descriptor, attribute, mark.data(), mark.size(), 0) == 0;
}

std::optional<std::string> mark_of_file(const std::string& path) {
  char text[256];
  const ssize_t length = getxattr(path.c_str(), attribute, text, sizeof text);
  if (length >= 0) return std::string(text, static_cast<std::size_t>(length));
  return errno == ENODATA || errno == ERANGE ? std::optional<std::string>("") : std::nullopt;
}

}  // namespace cuimg
