// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_one_part.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>

#include "base/bytes.h"
#include "io/exr/exr_head.h"

namespace cuimg {

ExrOnePart::ExrOnePart(const Imf::Header& header)
    : Imf::OStream("output"), head_(exr_head({header}).size()), chunks_(exr_chunk_count(header)) {
  end_ = chunks_at();
}

void ExrOnePart::write(const char from[], int count) {
  const auto all = static_cast<std::uint64_t>(count);
  const std::uint64_t before = position_ < chunks_at() ? std::min(all, chunks_at() - position_) : 0;
  add_to_head(from, before);
  if (before == all) return;
  if (position_ != end_) throw std::logic_error("chunks are not written in a row");
  position_ = end_ += all - before;
  add_chunks(from + before, all - before);
}

void ExrOnePart::add_to_head(const char from[], std::uint64_t count) {
  std::copy_n(from, count, head_.begin() + static_cast<std::ptrdiff_t>(position_));
  position_ += count;
}

std::vector<std::uint64_t> ExrOnePart::table() const {
  constexpr std::size_t entry_bytes = 8;
  const auto head = std::as_bytes(std::span(head_));
  std::vector<std::uint64_t> table;
  for (std::size_t at = head.size() - entry_bytes * chunks_; at < head.size(); at += entry_bytes)
    table.push_back(number_at(head, at, entry_bytes, false));
  return table;
}

}  // namespace cuimg
