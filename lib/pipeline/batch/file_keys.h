// SPDX-License-Identifier: Apache-2.0
// Detects names of the same file among thousands of names in a few folders, and the files that a
// command reads by any of their names.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <utility>

namespace cuimg {

struct Job;

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

class FilesRead {
 public:
  struct Reader {
    const Job* job = nullptr;  ///< Null: it is read for the command as a whole.
    std::string file;          ///< The option that names it, or the input.
  };

  /// Adds a reader of a file; only the first one is kept.
  /// @param path - is the file behind standard input, if there is one.
  void add(const std::string& path, const Reader& reader);
  /// Null for a file that is not read, neither by this name nor through one of its links.
  /// @param path - is the file behind standard output, if there is one.
  const Reader* find(const std::string& path);

 private:
  FileKeys keys_;
  std::map<std::string, Reader> by_name_;
  std::map<std::pair<dev_t, ino_t>, Reader> by_inode_;
};

}  // namespace cuimg
