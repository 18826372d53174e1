// SPDX-License-Identifier: Apache-2.0
#include "terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace cuimg {
namespace {

// Long enough for a terminal on a slow line, short enough not to be noticed if none answers.
constexpr std::chrono::milliseconds patience{300};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The terminal, opened for reading and writing, with echo and line mode switched off during its
// lifetime.
class Conversation {
 public:
  Conversation() {
    char name[256];
    if (ttyname_r(STDOUT_FILENO, name, sizeof name) != 0) return;
    const int fd = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return;
    // Changing the terminal from the background would stop this process.
    const pid_t front = tcgetpgrp(fd);
    termios quiet = {};
    if ((front >= 0 && front != getpgrp()) || tcgetattr(fd, &before_) != 0) {
      close(fd);
      return;
    }
    quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    quiet.c_cc[VMIN] = 0;
    quiet.c_cc[VTIME] = 0;
    if (tcsetattr(fd, TCSANOW, &quiet) != 0) {
      close(fd);
      return;
    }
    fd_ = fd;
  }
  ~Conversation() {
    if (fd_ < 0) return;
    tcsetattr(fd_, TCSANOW, &before_);
    close(fd_);
  }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  /// The answers up to that of device attributes, which every terminal gives.
  std::string ask(std::string_view question) {
    if (fd_ < 0 || write(fd_, question.data(), question.size()) < 0) return {};
    std::string answer;
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!is_complete(answer)) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      pollfd ready = {fd_, POLLIN, 0};
      if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) != 1) break;
      char buffer[512];
      const ssize_t count = read(fd_, buffer, sizeof buffer);
      if (count <= 0) break;
      answer.append(buffer, static_cast<std::size_t>(count));
    }
    return answer;
  }

 private:
  static bool is_complete(const std::string& answer) {
    const std::size_t at = answer.find("\x1b[?");
    return at != std::string::npos && answer.find('c', at) != std::string::npos;
  }

  int fd_ = -1;
  termios before_ = {};
};

// Whether 4, sixel graphics, is among the attributes: ESC [ ? 62 ; 4 ; 22 c.
bool reports_sixel(const std::string& answer) {
  const std::size_t at = answer.find("\x1b[?");
  if (at == std::string::npos) return false;
  const std::size_t end = answer.find('c', at);
  if (end == std::string::npos) return false;
  const std::string attributes = ";" + answer.substr(at + 3, end - at - 3) + ";";
  return attributes.find(";4;") != std::string::npos;
}

std::optional<Protocol> protocol_by_environment() {
  const std::string terminal = variable("TERM");
  // A multiplexer inside kitty inherits the variable but does not pass on graphics.
  const bool is_inside = !variable("TMUX").empty() || !variable("STY").empty();
  if ((!is_inside && !variable("KITTY_WINDOW_ID").empty()) ||
      terminal.find("kitty") != std::string::npos)
    return Protocol::kitty;
  if (terminal.find("sixel") != std::string::npos) return Protocol::sixel;
  if (terminal == "dumb" || terminal == "linux") return Protocol::blocks;
  return std::nullopt;
}

}  // namespace

std::span<const Choice<Protocol>> choices_of(Protocol) {
  static constexpr Choice<Protocol> choices[] = {
      {Protocol::automatic, "auto", "the best protocol that the terminal reports"},
      {Protocol::kitty, "kitty", "kitty's graphics: kitty, Ghostty, WezTerm, Konsole"},
      {Protocol::sixel, "sixel", "252 colours: xterm -ti vt340, foot, mlterm, mintty"},
      {Protocol::blocks, "blocks", "half blocks in 24-bit colours"}};
  return choices;
}

Terminal look_at_terminal() {
  Terminal terminal;
  terminal.is_one = isatty(STDOUT_FILENO) == 1;
  if (!terminal.is_one) return terminal;
  terminal.rows = 24;
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return terminal;
  if (size.ws_col > 0) terminal.columns = size.ws_col;
  if (size.ws_row > 0) terminal.rows = size.ws_row;
  if (size.ws_xpixel >= terminal.columns && size.ws_ypixel >= terminal.rows) {
    terminal.cell_width = size.ws_xpixel / terminal.columns;
    terminal.cell_height = size.ws_ypixel / terminal.rows;
  }
  return terminal;
}

Protocol best_protocol(const Terminal& terminal) {
  if (!terminal.is_one) return Protocol::blocks;
  if (const auto known = protocol_by_environment()) return *known;
  // The first question asks whether kitty's graphics would accept a picture of one pixel. A
  // terminal without them ignores it and answers the second, about its attributes.
  const std::string answer = Conversation().ask("\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c");
  if (answer.find("\x1b_Gi=31;OK") != std::string::npos) return Protocol::kitty;
  return reports_sixel(answer) ? Protocol::sixel : Protocol::blocks;
}

}  // namespace cuimg
