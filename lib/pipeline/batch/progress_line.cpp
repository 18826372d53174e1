// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"

namespace cuimg {
namespace {

constexpr std::string_view dots = "...";

std::size_t length_at(std::string_view text, std::size_t i) {
  return std::max<std::size_t>(1, utf8_length(text, i));
}

// From U+1100 on the first byte is at least 0xe1; the few narrow characters there only make the
// line shorter than necessary.
std::size_t width_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]) > 0xe1 ? 2 : 1;
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); i += length_at(text, i)) width += width_at(text, i);
  return width;
}

std::string_view end_of(std::string_view text, std::size_t width) {
  std::size_t from = 0;
  for (std::size_t left = width_of(text); left > width; from += length_at(text, from))
    left -= width_at(text, from);
  return text.substr(from);
}

}  // namespace

bool can_rewrite_lines() {
  const char* const terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::size_t terminal_columns() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string fitted_line(const std::string& head, const std::string& name, std::size_t columns) {
  const std::size_t of_head = width_of(head);
  if (columns == 0 || of_head + width_of(name) <= columns) return head + name;
  if (of_head + dots.size() < columns)
    return head + std::string(dots) + std::string(end_of(name, columns - of_head - dots.size()));
  return head.substr(0, columns);
}

}  // namespace cuimg
