// SPDX-License-Identifier: Apache-2.0
// Writes files whose lineOrder is decreasing: their chunks are stored from the bottom up, while
// rows become ready from the top down.
#pragma once

#include "image/pixel_memory.h"
#include "io/exr/exr_one_part.h"

namespace cuimg {

/// Holds a part's chunks, in the form they have in the file, until all are complete. They are kept
/// in memory if there is room, otherwise in a scratch file.
class ExrBottomUp final : public ExrOnePart {
 public:
  /// @param header of the part; the part must be written with a header whose lineOrder is
  /// increasing.
  explicit ExrBottomUp(const Imf::Header& header);
  /// After the part is written, writes it in the order that the header states.
  void write_to(Imf::OStream& output) const;

 private:
  struct Chunk {
    std::uint64_t start = 0;  ///< In the file as it was written.
    std::uint64_t bytes = 0;
    std::size_t entry = 0;  ///< In its table.
  };
  void add_chunks(const char from[], std::uint64_t count) override;
  template <class Take>
  void for_each_piece(std::uint64_t start, std::uint64_t bytes, Take take) const;
  std::vector<Chunk> chunks() const;
  std::int32_t number(std::uint64_t at) const;
  void put_bottom_up(std::vector<Chunk>& chunks) const;

  const Imf::Header header_;
  std::vector<PixelMemory> blocks_;  ///< All chunks, one after another.
};

}  // namespace cuimg
