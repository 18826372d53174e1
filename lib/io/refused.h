// SPDX-License-Identifier: Apache-2.0
// Formats that cuimg recognises but does not read, so that the error can name them.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuimg {

/// @param head the file's beginning. @returns the format's name, such as "WebP", or "" if it is
/// unknown.
std::string_view refused_format(std::span<const std::byte> head);

/// Whether files with that extension (lower case, without the dot) are usually pictures of a format
/// that is not read.
bool is_refused_extension(std::string_view extension);

/// The files of a folder that are left out because their extensions are refused: otherwise a run
/// would omit them without a message.
class RefusedFiles {
 public:
  /// Takes the file if its extension is refused. @returns whether it did.
  bool take(const std::string& path);
  /// "b.webp is left out: .webp is not read", or "renders: 12 files are left out, ...". Empty if
  /// there are none.
  std::string remark(const std::string& folder) const;

 private:
  std::map<std::string, std::vector<std::string>> names_;  ///< By extension.
};

}  // namespace cuimg
