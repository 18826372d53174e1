// SPDX-License-Identifier: Apache-2.0
// A file that is being written: opened, encoded part by part, and renamed when it is complete.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "io/codec.h"
#include "io/output_file.h"
#include "pipeline/run/file_run.h"
#include "pipeline/run/work_places.h"

namespace cuimg {

struct WrittenFile {
  std::vector<PartToWrite> parts;
  std::optional<std::vector<std::byte>> turned;  ///< The complete file, if no pixel is decoded.
  std::optional<OutputFile> file;
  std::unique_ptr<Encoder> encoder;

  /// Opens the file for the chain's output at this place. @returns the encoder for its parts; null
  /// if it is `turned`, in which case it is written, or if the output is not a file. @throws Error.
  Encoder* open(const ChainOutput& chain);
};

/// Renames all files or none: everything that can fail comes before the first renaming.
/// @param places lent while waiting for the disk; null: none. @throws Error.
void put_in_place(std::span<WrittenFile> files, WorkPlaces* places);

}  // namespace cuimg
