// SPDX-License-Identifier: Apache-2.0
// The files that a command reads, recognised by any of their names.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <utility>

#include "pipeline/batch/file_keys.h"

namespace cuimg {

struct Job;

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
