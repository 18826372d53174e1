// SPDX-License-Identifier: Apache-2.0
// The files that a command reads, recognised under any name.
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

  /// The first reader of a file is the one that counts.
  /// @param path - is the file that standard input comes from, if it comes from one.
  void add(const std::string& path, const Reader& reader);
  /// Null for a file that is not read: neither under this name nor under one of its links.
  /// @param path - is the file that standard output goes to, if it goes to one.
  const Reader* find(const std::string& path);

 private:
  FileKeys keys_;
  std::map<std::string, Reader> by_name_;
  std::map<std::pair<dev_t, ino_t>, Reader> by_inode_;
};

}  // namespace cuimg
