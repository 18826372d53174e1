// SPDX-License-Identifier: Apache-2.0
// The lines that `cuimg checksum` prints and `cuimg checksum --check` reads.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cuimg {

/// The sum of a file's pixels, or of one of its parts.
struct ListedSum {
  std::string sum;  ///< SHA-256 in hexadecimal digits.
  std::string file;
  std::optional<int> part = {};  ///< Its number, where the file has several.
  friend bool operator==(const ListedSum&, const ListedSum&) = default;
};

/// "SUM  FILE" or "SUM  FILE: part N 'NAME'". Where that would not say which file is meant (it has
/// a backslash, a control character, what is no UTF-8, or ": part " in its name) the line begins
/// with a backslash, as sha256sum's does, and the name is escaped.
/// @param part_name may be empty.
std::string sum_line(const ListedSum& listed, const std::string& part_name);

/// What "FILE: part N" is called in messages.
std::string name_of(const ListedSum& listed);

/// Lines of such a list, empty ones left out.
/// @param place the list's name. @throws Error naming a line that is none.
std::vector<ListedSum> parse_sums(const std::string& text, const std::string& place);

}  // namespace cuimg
