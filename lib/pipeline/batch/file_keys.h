// SPDX-License-Identifier: Apache-2.0
// Detects names of the same file among thousands of names in a few folders.
#pragma once

#include <map>
#include <string>

namespace cuimg {

/// Looks each folder up once: its links and parts take the system a dozen calls, where a file in it
/// takes one.
class FileKeys {
 public:
  /// The same for all names of one file, through folders and symbolic links. It may be absent.
  std::string of(const std::string& path);

 private:
  std::map<std::string, std::string> folders_;  ///< Their keys, by the names used.
};

}  // namespace cuimg
