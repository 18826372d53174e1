// SPDX-License-Identifier: Apache-2.0
// A terminal for one test, in which a program can run.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace cuimg::test {

// A pseudo terminal: the program has one end and the test the other.
class Terminal {
 public:
  Terminal() : fd_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    char name[128];
    if (fd_ < 0 || grantpt(fd_) != 0 || unlockpt(fd_) != 0 ||
        ptsname_r(fd_, name, sizeof name) != 0)
      throw std::runtime_error("no terminal");
    name_ = name;
    // If nothing had the other end open, written text could be lost.
    program_end_ = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  ~Terminal() {
    close(program_end_);
    close(fd_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  const std::string& name() const { return name_; }
  void resize(int columns, int rows, int width_px = 0, int height_px = 0) const {
    winsize size = {};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = static_cast<unsigned short>(rows);
    size.ws_xpixel = static_cast<unsigned short>(width_px);
    size.ws_ypixel = static_cast<unsigned short>(height_px);
    ioctl(fd_, TIOCSWINSZ, &size);
  }
  /// Types these keys, or sends a terminal's answer.
  void type(const std::string& keys) const {
    if (write(fd_, keys.data(), keys.size()) < 0) throw std::runtime_error("the terminal is deaf");
  }
  /// All that the program has written so far.
  std::string shown(int patience_ms = 100) const {
    std::string text;
    pollfd ready = {fd_, POLLIN, 0};
    while (poll(&ready, 1, patience_ms) == 1) {
      char buffer[4096];
      const ssize_t count = read(fd_, buffer, sizeof buffer);
      if (count <= 0) break;
      text.append(buffer, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int fd_ = -1, program_end_ = -1;
  std::string name_;
};

}  // namespace cuimg::test
