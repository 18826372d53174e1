// SPDX-License-Identifier: Apache-2.0
// Owns a file descriptor.
#pragma once

#include <string>

namespace cuimg {

/// A descriptor that closes itself; close() reports errors.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { reset(-1); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  void reset(int fd);
  /// @param name the file's name, for errors. @throws Error.
  void close(const std::string& name);

 private:
  int fd_;
};

/// "NAME: WHAT: No space left on device". @param error an errno. @throws Error always.
[[noreturn]] void fail_with_errno(const std::string& name, const std::string& what, int error);

}  // namespace cuimg
