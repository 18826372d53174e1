// SPDX-License-Identifier: Apache-2.0
// Combines files of one part into a file of several parts. The chunks are the same except that each
// begins with the part's number ("OpenEXR File Layout", openexr.com). So any writer of one-part
// files can write a part, and its memory is freed when the part is complete.
#pragma once

#include "io/exr/exr_one_part.h"

namespace cuimg {

/// Writes the headers of a file of several parts, followed by empty tables of chunk offsets.
/// @returns the position of the first table; the tables are contiguous.
std::uint64_t write_exr_heads(Imf::OStream& output, const std::vector<Imf::Header>& headers);

void write_exr_offsets(Imf::OStream& output, const std::vector<std::uint64_t>& offsets);

/// A part whose chunks are passed on to the file of several parts.
class ExrPartOutput final : public ExrOnePart {
 public:
  /// @param output at the position of the part's first chunk. @param header of that part.
  ExrPartOutput(Imf::OStream& output, const Imf::Header& header, int part);

  /// The part's table, after it has been written: the position of each chunk in the file of several
  /// parts.
  std::vector<std::uint64_t> chunk_offsets() const;

 private:
  void add_chunks(const char from[], std::uint64_t count) override;

  Imf::OStream& output_;
  const int part_;
  const std::size_t place_bytes_;  ///< The size of a chunk's coordinates and size field.
  /// The beginning of a chunk, as far as it has been received.
  std::vector<char> place_;
  std::uint64_t rest_ = 0;              ///< The number of bytes that the chunk still lacks.
  std::vector<std::uint64_t> starts_;   ///< Positions of chunks in the file of one part.
  std::vector<std::uint64_t> offsets_;  ///< Positions of chunks in the file of several parts.
};

}  // namespace cuimg
