// SPDX-License-Identifier: Apache-2.0
// The file that an output is written to until it is complete. Where the file system can, it has no
// name, so that nothing is left of a process that is killed.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "io/temporaries.h"

namespace cuimg {

/// A file in the folder of its target: without a name, or ".NAME.cuimg-BOOT-HOST-PID-N.tmp" where
/// the file system has no files without names. A name is locked (flock) while its process lives.
/// Those that killed processes left in the folder are removed when a file is made there.
class TemporaryFile {
 public:
  enum class Name : std::uint8_t { where_needed, always };

  /// @param target a path whose symbolic links are resolved. @param name what errors call it.
  /// @param existing the target's status when it is there; its owner, mode and
  /// extended attributes (user.*) are taken over.
  /// @throws Error.
  TemporaryFile(std::string target, std::string name, const struct stat* existing,
                Name has_name = Name::where_needed);
  /// Removes the file unless it is in place.
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_.get(); }
  /// Gives it the target's name, replacing what has that unless `no_clobber`, and closes it.
  /// @throws Error; the target is then untouched.
  void put_in_place(bool no_clobber);

 private:
  bool open_nameless();
  void open_named();
  /// Links the nameless file under a temporary name, from which it can replace another.
  void take_name();
  void remove();

  const std::string target_, name_;
  std::string path_;  ///< Empty: it has no name, or is in place.
  std::optional<TemporaryPath> registered_;
  Descriptor descriptor_;
};

/// "." for a path without a folder.
std::string folder_of(const std::string& path);

}  // namespace cuimg
