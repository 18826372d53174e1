// SPDX-License-Identifier: Apache-2.0
// Storage for pixels that do not fit into memory: files without a name, which the system frees when
// the program ends, however it ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/mapped_pages.h"

namespace cuimg {

/// While an object exists, large blocks of pixels that exceed its share of the memory are created
/// in its folder, and only a few of their pages are in memory at a time. If there are several
/// objects, the last one applies.
class Scratch {
 public:
  /// @param memory_bytes the memory that pixels may take in any form.
  Scratch(std::string folder, std::uint64_t memory_bytes);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// The memory that pixels may take; empty if there is no Scratch, which means no limit.
  static std::optional<std::uint64_t> memory_bytes();
  /// The folder for a block of that size if that much memory is already in use; empty: use memory.
  static std::optional<std::string> folder_for(std::size_t bytes, std::size_t taken_bytes);

 private:
  const std::string folder_;
  const std::uint64_t memory_bytes_;
  const MappedPagesLimit limit_;
};

/// A read-write file descriptor of a file without a name in that folder. Less than 0: an error, see
/// errno.
int open_scratch_file(const std::string& folder);

/// TMPDIR, or /var/tmp.
std::string default_scratch_folder();

/// Maps an unlinked file of that size with allocated disk space, so writing to it cannot fail. Free
/// it with unmap_file(). @throws Error that names --scratch and the folder.
void* map_scratch_file(const std::string& folder, std::size_t bytes);

}  // namespace cuimg
