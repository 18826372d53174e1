// SPDX-License-Identifier: Apache-2.0
// The file to which an output is written until it is complete. If the file system allows it, it has
// no name, so nothing remains if the process is killed.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "io/temporaries.h"

namespace cuimg {

/// A file in the folder of its target: without a name, or ".NAME.cuimg-BOOT-HOST-PID-N.tmp" if the
/// file system has no files without names. A named file is locked (flock) while its process runs.
/// Creating a file also removes those that killed processes left in the folder.
class TemporaryFile {
 public:
  enum class Name : std::uint8_t { where_needed, always };

  /// @param target a path whose symbolic links are resolved. @param name its name in errors.
  /// @param existing the target's status if it exists; its owner, mode and
  /// extended attributes (user.*) are copied.
  /// @throws Error.
  TemporaryFile(std::string target, std::string name, const struct stat* existing,
                Name has_name = Name::where_needed);
  /// Removes the file unless it is in place.
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_.get(); }
  /// Renames it to the target, replacing an existing file unless `no_clobber`, and closes it.
  /// @throws Error; the target is then unchanged.
  void put_in_place(bool no_clobber);

 private:
  bool open_nameless();
  void open_named();
  /// Links the nameless file to a temporary name, from which it can replace another.
  void take_name();
  void remove();

  const std::string target_, name_;
  std::string path_;  ///< Empty: it has no name, or has been renamed.
  std::optional<TemporaryPath> registered_;
  Descriptor descriptor_;
};

/// "." for a path without a folder.
std::string folder_of(const std::string& path);

}  // namespace cuimg
