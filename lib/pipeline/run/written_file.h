// SPDX-License-Identifier: Apache-2.0
// A file that is being written: opened, encoded part by part, and given its name once it is
// complete.
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
  std::optional<std::vector<std::byte>> turned;  ///< All of it, where no pixel is decoded.
  std::optional<OutputFile> file;
  std::unique_ptr<Encoder> encoder;

  /// Opens it for what the chain puts out there. @returns what encodes its parts; null where it is
  /// `turned`, which is written, or the output is no file. @throws Error.
  Encoder* open(const ChainOutput& chain);
};

/// Gives all files their names or none: what can fail comes before the first name.
/// @param places where the disk is waited for, lent meanwhile; null: none. @throws Error.
void put_in_place(std::span<WrittenFile> files, WorkPlaces* places);

}  // namespace cuimg
