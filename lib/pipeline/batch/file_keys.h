// SPDX-License-Identifier: Apache-2.0
// Detects names of the same file among thousands of names in a few folders.
#pragma once

#include <map>
#include <string>

namespace cuimg {

/// Looks up each folder once: resolving its links and parents takes the system a dozen calls, and a
/// file in it takes one.
class FileKeys {
 public:
  /// The same key for all names of one file, through folders and symbolic links. The file need not
  /// exist.
  std::string of(const std::string& path);

 private:
  std::map<std::string, std::string> folders_;  ///< The keys of folders by the names used.
};

}  // namespace cuimg
