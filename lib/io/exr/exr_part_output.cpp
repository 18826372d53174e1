// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_part_output.h"

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

#include "base/bytes.h"
#include "io/exr/exr_head.h"

namespace cuimg {
namespace {

template <std::size_t count>
void write_little_endian(Imf::OStream& output, std::uint64_t value) {
  std::array<char, count> bytes;
  put_number(std::as_writable_bytes(std::span(bytes)), value, false);
  output.write(bytes.data(), count);
}

}  // namespace

std::uint64_t write_exr_heads(Imf::OStream& output, const std::vector<Imf::Header>& headers) {
  const std::vector<std::byte> head = exr_head(headers);
  output.write(reinterpret_cast<const char*>(head.data()), static_cast<int>(head.size()));
  std::uint64_t tables = 0;
  for (const Imf::Header& header : headers) tables += 8 * exr_chunk_count(header);
  return head.size() - tables;
}

void write_exr_offsets(Imf::OStream& output, const std::vector<std::uint64_t>& offsets) {
  for (const std::uint64_t offset : offsets) write_little_endian<8>(output, offset);
}

ExrPartOutput::ExrPartOutput(Imf::OStream& output, const Imf::Header& header, int part)
    : ExrOnePart(header),
      output_(output),
      part_(part),
      place_bytes_(header.hasTileDescription() ? 20 : 8) {}

void ExrPartOutput::add_chunks(const char from[], std::uint64_t count) {
  while (count > 0) {
    if (rest_ == 0 && place_.empty()) {
      starts_.push_back(end() - count);
      offsets_.push_back(output_.tellp());
      write_little_endian<4>(output_, static_cast<std::uint64_t>(part_));
    }
    std::uint64_t taken = 0;
    if (rest_ == 0) {
      taken = std::min<std::uint64_t>(count, place_bytes_ - place_.size());
      place_.insert(place_.end(), from, from + taken);
      if (place_.size() == place_bytes_) {
        rest_ = number_at(std::as_bytes(std::span(place_)), place_bytes_ - 4, 4, false);
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
  std::vector<std::uint64_t> offsets;
  for (const std::uint64_t start : table()) {
    const auto found = std::ranges::lower_bound(starts_, start);
    if (found == starts_.end() || *found != start) throw std::logic_error("a chunk is missing");
    offsets.push_back(offsets_[static_cast<std::size_t>(found - starts_.begin())]);
  }
  return offsets;
}

}  // namespace cuimg
