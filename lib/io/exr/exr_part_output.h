// SPDX-License-Identifier: Apache-2.0
// Files of several parts, put together from files of one: their chunks are the same but for the
// part's number, which is in front of each ("OpenEXR File Layout", openexr.com). So a part may be
// written by whatever writes a file of one, and what that needs goes when the part is complete.
#pragma once

#include "io/exr/exr_one_part.h"

namespace cuimg {

/// Writes the headers of a file of several parts, and empty tables of chunk offsets behind them.
/// @returns where the first table begins; each follows on the one before.
std::uint64_t write_exr_heads(Imf::OStream& output, const std::vector<Imf::Header>& headers);

void write_exr_offsets(Imf::OStream& output, const std::vector<std::uint64_t>& offsets);

/// A part, whose chunks go on to the file of several.
class ExrPartOutput final : public ExrOnePart {
 public:
  /// @param output at the place of the part's first chunk. @param header of that part.
  ExrPartOutput(Imf::OStream& output, const Imf::Header& header, int part);

  /// The part's table, once it is written: where each chunk lies in the file of several.
  std::vector<std::uint64_t> chunk_offsets() const;

 private:
  void add_chunks(const char from[], std::uint64_t count) override;

  Imf::OStream& output_;
  const int part_;
  const std::size_t place_bytes_;       ///< Of a chunk's coordinates and size.
  std::vector<char> place_;             ///< The beginning of a chunk, as far as it is known.
  std::uint64_t rest_ = 0;              ///< Bytes that the chunk still has.
  std::vector<std::uint64_t> starts_;   ///< Of chunks in the file of one part,
  std::vector<std::uint64_t> offsets_;  ///< and in that of several.
};

}  // namespace cuimg
