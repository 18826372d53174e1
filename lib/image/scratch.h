// SPDX-License-Identifier: Apache-2.0
// Pixels for which memory has no room: they lie in files without a name, which the system frees
// when the program ends, however it ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/mapped_pages.h"

namespace cuimg {

/// While one lives, large blocks of pixels for which its share of the memory has no room are made
/// in its folder, and few of their pages lie in memory at a time. Of several the last one counts.
class Scratch {
 public:
  /// @param memory_bytes what pixels may take of memory, in whatever form.
  Scratch(std::string folder, std::uint64_t memory_bytes);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// What pixels may take of memory; nothing where none lives: as much as they like.
  static std::optional<std::uint64_t> memory_bytes();
  /// Where a block of that size goes when so much memory is taken already; nothing: into memory.
  static std::optional<std::string> folder_for(std::size_t bytes, std::size_t taken_bytes);

 private:
  const std::string folder_;
  const std::uint64_t memory_bytes_;
  const MappedPagesLimit limit_;
};

/// A file without a name in that folder, to write and to read; less than 0: errno says why there is
/// none.
int open_scratch_file(const std::string& folder);

/// TMPDIR, or /var/tmp.
std::string default_scratch_folder();

/// Maps an unlinked file of that size, whose room on the disk is taken: writing to it cannot fail.
/// To be given back with unmap_file(). @throws Error naming --scratch and the folder.
void* map_scratch_file(const std::string& folder, std::size_t bytes);

}  // namespace cuimg
