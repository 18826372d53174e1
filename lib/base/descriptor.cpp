// SPDX-License-Identifier: Apache-2.0
#include "base/descriptor.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace cuimg {

void Descriptor::reset(int fd) {
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

void Descriptor::close(const std::string& name) {
  // Linux releases the descriptor even when close() is interrupted, so it is never repeated.
  const int fd = std::exchange(fd_, -1);
  if (fd >= 0 && ::close(fd) != 0 && errno != EINTR) fail_with_errno(name, "cannot write", errno);
}

void fail_with_errno(const std::string& name, const std::string& what, int error) {
  throw Error(name, what + ": " + std::strerror(error));
}

}  // namespace cuimg
