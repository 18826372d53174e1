// SPDX-License-Identifier: Apache-2.0
// The lines that `cuimg checksum` prints and `cuimg checksum --check` reads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cuimg {

/// The sum of a file's pixels, or of one of its parts.
struct ListedSum {
  std::string sum;  ///< SHA-256 in hexadecimal digits.
  std::string file;
  std::optional<int> part = {};  ///< The part's number if the file has several.
  friend bool operator==(const ListedSum&, const ListedSum&) = default;
};

/// "SUM  FILE" or "SUM  FILE: part N 'NAME'". If the name would be ambiguous (it contains a
/// backslash, a control character, invalid UTF-8 or ": part "), the line begins with a backslash,
/// as with sha256sum, and the name is escaped.
/// @param part_name may be empty.
std::string sum_line(const ListedSum& listed, const std::string& part_name);

/// The name of "FILE: part N" in messages.
std::string name_of(const ListedSum& listed);

/// Lines of such a list, without empty ones.
/// @param place the list's name. @throws Error with the first wrong line.
std::vector<ListedSum> parse_sums(std::string_view text, const std::string& place);

}  // namespace cuimg
