// SPDX-License-Identifier: Apache-2.0
// The part of an EXR file before its first chunk: its headers, followed by the tables of offsets
// ("OpenEXR File Layout", openexr.com).
#pragma once

#include <OpenEXR/ImfHeader.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cuimg {

/// The head of a file with those headers; its tables are still empty.
std::vector<std::byte> exr_head(const std::vector<Imf::Header>& headers);

/// The number of entries in a part's table: the chunks of all levels.
std::uint64_t exr_chunk_count(const Imf::Header& header);

/// Iterates over the attributes of a head, one header after another.
class ExrHeadAttributes {
 public:
  explicit ExrHeadAttributes(std::span<const std::byte> head) : head_(head) {}
  /// @returns false at the end of a header, which it skips.
  bool next();
  std::string_view name() const { return name_; }
  /// The position after the value in the head.
  std::size_t value_end() const { return at_ + value_bytes_; }

 private:
  std::string_view text();

  static constexpr std::size_t magic_and_version = 8;
  std::span<const std::byte> head_;
  std::size_t at_ = magic_and_version, value_bytes_ = 0;
  std::string_view name_;
};

}  // namespace cuimg
