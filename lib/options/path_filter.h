// SPDX-License-Identifier: Apache-2.0
// --include and --exclude: select files of a folder by patterns of their paths.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/parameter.h"

namespace cuimg {

/// Whether all of `text` matches. `*` and `?` match no '/', `**` matches any text, `[a-z]` one of
/// the characters between brackets and `[!a-z]` another one, but no '/'; a bracket that nothing
/// closes is itself.
bool matches_glob(std::string_view pattern, std::string_view text);

/// The same for a path below a folder: a pattern without '/' matches names at any depth; other
/// patterns, also those that begin with '/', match paths from the folder.
bool matches_path(std::string_view pattern, std::string_view path);

/// One pattern or several: each use of the option adds one.
struct PathPatterns {
  std::vector<std::string> patterns;
  void gather(PathPatterns more) {
    patterns.insert(patterns.end(), more.patterns.begin(), more.patterns.end());
  }
  /// Whether a pattern matches the path, or a folder on the way to it. A pattern that ends in '/'
  /// matches folders only.
  bool match(std::string_view path, bool is_folder) const;
  friend bool operator==(const PathPatterns&, const PathPatterns&) = default;
};
void parse_value(const std::string& text, const Range& range, PathPatterns& value);
std::string format_value(const PathPatterns& value);
constexpr TypeName type_name(const PathPatterns&) { return {"patterns", "GLOB"}; }

struct PathFilter {
  PathPatterns include, exclude;

  bool is_empty() const { return include.patterns.empty() && exclude.patterns.empty(); }
  /// Whether a file is taken. @param path below the folder, with '/'.
  bool takes(std::string_view path) const {
    return (include.patterns.empty() || include.match(path, false)) && !exclude.match(path, false);
  }
  /// Whether a folder may hold files that are taken.
  bool enters(std::string_view path) const { return !exclude.match(path, true); }
};

}  // namespace cuimg
