// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_bottom_up.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <stdexcept>

#include "base/bytes.h"
#include "io/exr/exr_head.h"

namespace cuimg {
namespace {

constexpr std::uint64_t block_bytes = std::uint64_t{1} << 24;

}  // namespace

ExrBottomUp::ExrBottomUp(const Imf::Header& header) : ExrOnePart(header), header_(header) {}

void ExrBottomUp::add_chunks(const char from[], std::uint64_t count) {
  for (std::uint64_t at = end() - count - chunks_at(); count > 0;) {
    if (at / block_bytes == blocks_.size())
      blocks_.push_back(allocate_pixels(block_bytes, "EXR chunks"));
    const std::uint64_t taken = std::min(count, block_bytes - at % block_bytes);
    std::memcpy(blocks_.back().get() + at % block_bytes, from, taken);
    from += taken;
    at += taken;
    count -= taken;
  }
}

// Calls take(std::span<const std::byte>) for the parts of that range of the file that the blocks
// contain.
template <class Take>
void ExrBottomUp::for_each_piece(std::uint64_t start, std::uint64_t bytes, Take take) const {
  for (std::uint64_t at = start - chunks_at(); bytes > 0;) {
    const std::uint64_t taken = std::min(bytes, block_bytes - at % block_bytes);
    take(std::span<const std::byte>(blocks_[at / block_bytes].get() + at % block_bytes, taken));
    at += taken;
    bytes -= taken;
  }
}

std::int32_t ExrBottomUp::number(std::uint64_t at) const {
  std::vector<std::byte> bytes;
  for_each_piece(at, sizeof(std::int32_t),
                 [&](std::span<const std::byte> piece) { append_bytes(bytes, piece); });
  return static_cast<std::int32_t>(number_at(bytes, 0, bytes.size(), false));
}

// In the order in which they were written.
std::vector<ExrBottomUp::Chunk> ExrBottomUp::chunks() const {
  std::vector<Chunk> chunks;
  for (const std::uint64_t start : table()) {
    if (start < chunks_at() || start >= end()) throw std::logic_error("a chunk is missing");
    chunks.push_back({start, 0, chunks.size()});
  }
  std::ranges::sort(chunks, {}, &Chunk::start);
  for (std::size_t i = 0; i < chunks.size(); ++i)
    chunks[i].bytes = (i + 1 < chunks.size() ? chunks[i + 1].start : end()) - chunks[i].start;
  return chunks;
}

// A chunk begins with its first row, or with a tile's column and row among tiles and its level
// numbers in x and y. Levels, and chunks of the same rows, keep their order.
void ExrBottomUp::put_bottom_up(std::vector<Chunk>& chunks) const {
  const bool has_tiles = header_.hasTileDescription();
  std::ranges::stable_sort(chunks, {}, [&](const Chunk& chunk) {
    const auto at = [&](std::uint64_t i) { return std::int64_t{number(chunk.start + 4 * i)}; };
    return has_tiles ? std::array{at(3), at(2), -at(1), at(0)}
                     : std::array<std::int64_t, 4>{-at(0)};
  });
}

void ExrBottomUp::write_to(Imf::OStream& output) const {
  std::vector<Chunk> all = chunks();
  put_bottom_up(all);
  std::vector<std::byte> head = exr_head({header_});
  const auto offsets = std::span(head).last(8 * all.size());
  std::uint64_t position = head.size();
  for (const Chunk& chunk : all) {
    put_number(offsets.subspan(8 * chunk.entry, 8), position, false);
    position += chunk.bytes;
  }
  const auto write = [&](std::span<const std::byte> bytes) {
    output.write(reinterpret_cast<const char*>(bytes.data()), static_cast<int>(bytes.size()));
  };
  write(head);
  for (const Chunk& chunk : all) for_each_piece(chunk.start, chunk.bytes, write);
}

}  // namespace cuimg
