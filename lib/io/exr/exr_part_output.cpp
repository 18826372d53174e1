// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_part_output.h"

#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfTileDescription.h>
#include <OpenEXR/ImfTiledOutputFile.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/bytes.h"
#include "io/exr/exr_support.h"

namespace cuimg {
namespace {

// Notes how far a file was written, and nothing else.
class LengthOnly final : public Imf::OStream {
 public:
  LengthOnly() : Imf::OStream("output") {}
  void write(const char[], int count) override { position_ += static_cast<std::uint64_t>(count); }
  std::uint64_t tellp() override { return position_; }
  void seekp(std::uint64_t position) override { position_ = position; }

 private:
  std::uint64_t position_ = 0;
};

// What a file of one part has before its first chunk. Constructors write it.
struct Head {
  std::uint64_t bytes = 0;   ///< All of it; the table is its end.
  std::uint64_t chunks = 0;  ///< Entries of the table.
};

Head head_of(const Imf::Header& header) {
  LengthOnly length;
  if (!header.hasTileDescription()) {
    const Imf::OutputFile file(length, header, 0);
    const Imath::Box2i window = header.dataWindow();
    const int rows = window.max.y - window.min.y + 1, chunk = exr_chunk_rows(header.compression());
    return {length.tellp(), static_cast<std::uint64_t>((rows - 1) / chunk + 1)};
  }
  const Imf::TiledOutputFile file(length, header, 0);
  const bool every_pair = header.tileDescription().mode == Imf::RIPMAP_LEVELS;
  return {length.tellp(), exr_tile_count(file, every_pair)};
}

std::uint64_t little_endian(const char* from, std::size_t count) {
  return number_at(std::as_bytes(std::span(from, count)), 0, count, false);
}

template <std::size_t count>
void write_little_endian(Imf::OStream& output, std::uint64_t value) {
  std::array<char, count> bytes;
  put_number(std::as_writable_bytes(std::span(bytes)), value, false);
  output.write(bytes.data(), count);
}

}  // namespace

std::uint64_t write_exr_heads(Imf::OStream& output, const std::vector<Imf::Header>& headers) {
  std::uint64_t tables = 0;
  for (const Imf::Header& header : headers) tables += 8 * head_of(header).chunks;
  const Imf::MultiPartOutputFile heads(output, headers.data(), static_cast<int>(headers.size()),
                                       false, 0);
  return output.tellp() - tables;
}

void write_exr_offsets(Imf::OStream& output, const std::vector<std::uint64_t>& offsets) {
  for (const std::uint64_t offset : offsets) write_little_endian<8>(output, offset);
}

ExrPartOutput::ExrPartOutput(Imf::OStream& output, const Imf::Header& header, int part)
    : Imf::OStream("output"),
      output_(output),
      part_(part),
      place_bytes_(header.hasTileDescription() ? 20 : 8) {
  const Head head = head_of(header);
  chunks_at_ = end_ = head.bytes;
  table_bytes_ = 8 * head.chunks;
  head_.resize(chunks_at_);
}

void ExrPartOutput::write(const char from[], int count) {
  const auto all = static_cast<std::uint64_t>(count);
  const std::uint64_t before = position_ < chunks_at_ ? std::min(all, chunks_at_ - position_) : 0;
  add_to_head(from, before);
  add_chunks(from + before, all - before);
}

void ExrPartOutput::add_to_head(const char from[], std::uint64_t count) {
  std::copy_n(from, count, head_.begin() + static_cast<std::ptrdiff_t>(position_));
  position_ += count;
}

void ExrPartOutput::add_chunks(const char from[], std::uint64_t count) {
  if (count == 0) return;
  if (position_ != end_) throw std::logic_error("chunks are not written in a row");
  position_ = end_ += count;
  while (count > 0) {
    if (rest_ == 0 && place_.empty()) {
      starts_.push_back(end_ - count);
      offsets_.push_back(output_.tellp());
      write_little_endian<4>(output_, static_cast<std::uint64_t>(part_));
    }
    std::uint64_t taken = 0;
    if (rest_ == 0) {
      taken = std::min<std::uint64_t>(count, place_bytes_ - place_.size());
      place_.insert(place_.end(), from, from + taken);
      if (place_.size() == place_bytes_) {
        rest_ = little_endian(place_.data() + place_bytes_ - 4, 4);
        place_.clear();
      }
    } else {
      taken = std::min(count, rest_);
      rest_ -= taken;
    }
    output_.write(from, static_cast<int>(taken));
    from += taken;
    count -= taken;
  }
}

std::vector<std::uint64_t> ExrPartOutput::chunk_offsets() const {
  std::vector<std::uint64_t> table;
  const char* entry = head_.data() + (chunks_at_ - table_bytes_);
  for (; entry < head_.data() + chunks_at_; entry += 8) {
    const auto found = std::ranges::lower_bound(starts_, little_endian(entry, 8));
    if (found == starts_.end() || *found != little_endian(entry, 8))
      throw std::logic_error("a chunk is missing");
    table.push_back(offsets_[static_cast<std::size_t>(found - starts_.begin())]);
  }
  return table;
}

}  // namespace cuimg
