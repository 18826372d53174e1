// SPDX-License-Identifier: Apache-2.0
#include "options/path_filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cuimg {
namespace {

// Where the set of characters that `pattern` begins with, "[a-z]", ends; npos: it is none.
std::size_t end_of_set(std::string_view pattern) {
  const std::size_t first = pattern.starts_with("[!") || pattern.starts_with("[^") ? 2 : 1;
  return pattern.find(']', first + 1);  // one that comes first is a character of the set
}

bool is_in_set(std::string_view set, char c) {
  const bool is_negated = set.starts_with('!') || set.starts_with('^');
  if (is_negated) set.remove_prefix(1);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const bool is_range = i + 2 < set.size() && set[i + 1] == '-';
    const auto value = [](char of) { return static_cast<unsigned char>(of); };
    found = found || (value(c) >= value(set[i]) && value(c) <= value(set[is_range ? i + 2 : i]));
    if (is_range) i += 2;
  }
  return found != is_negated && c != '/';
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.starts_with("**")) {
    // "**/" also matches no folder.
    const std::string_view rest = pattern.substr(2);
    if (rest.starts_with('/') && matches_glob(rest.substr(1), text)) return true;
    for (std::size_t i = 0; i <= text.size(); ++i)
      if (matches_glob(rest, text.substr(i))) return true;
    return false;
  }
  if (pattern.front() == '*') {
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (matches_glob(pattern.substr(1), text.substr(i))) return true;
      if (i < text.size() && text[i] == '/') return false;
    }
    return false;
  }
  if (text.empty()) return false;
  const std::size_t end = pattern.front() == '[' ? end_of_set(pattern) : std::string_view::npos;
  if (end != std::string_view::npos)
    return is_in_set(pattern.substr(1, end - 1), text.front()) &&
           matches_glob(pattern.substr(end + 1), text.substr(1));
  const bool same = pattern.front() == '?' ? text.front() != '/' : pattern.front() == text.front();
  return same && matches_glob(pattern.substr(1), text.substr(1));
}

bool matches_path(std::string_view pattern, std::string_view path) {
  if (pattern.find('/') == std::string_view::npos)
    return matches_glob(pattern, path.substr(path.rfind('/') + 1));
  return matches_glob(pattern.starts_with('/') ? pattern.substr(1) : pattern, path);
}

bool PathPatterns::match(std::string_view path, bool is_folder) const {
  return std::ranges::any_of(patterns, [&](std::string_view pattern) {
    const bool is_for_folders = pattern.ends_with('/');
    if (is_for_folders) pattern.remove_suffix(1);
    if ((is_folder || !is_for_folders) && matches_path(pattern, path)) return true;
    for (std::size_t end = path.rfind('/'); end != std::string_view::npos;
         end = path.substr(0, end).rfind('/'))
      if (matches_path(pattern, path.substr(0, end))) return true;
    return false;
  });
}

void parse_value(const std::string& text, const Range&, PathPatterns& value) {
  if (text.empty() || text == "/") throw BadValue{"is not a pattern", "use one such as '*.exr'"};
  value.patterns = {text};
}

std::string format_value(const PathPatterns& value) {
  return fmt::format("{}", fmt::join(value.patterns, "\n"));
}

}  // namespace cuimg
