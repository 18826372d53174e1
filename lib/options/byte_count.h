// SPDX-License-Identifier: Apache-2.0
// An amount of memory on the command line.
#pragma once

#include <cstdint>
#include <string>

#include "options/parameter.h"

namespace cuimg {

/// "500M", "4G": K, M, G and T are powers of 1024.
struct ByteCount {
  std::uint64_t bytes = 0;
  friend bool operator==(const ByteCount&, const ByteCount&) = default;
};

/// What may be given.
inline constexpr std::string_view byte_count_words =
    "a whole number of bytes, or with K, M, G or T (1024, 1024^2 and so on), such as 500M";
void parse_value(const std::string& text, const Range& range, ByteCount& value);
std::string format_value(const ByteCount& value);
constexpr TypeName type_name(const ByteCount&) { return {"bytes", "SIZE"}; }

}  // namespace cuimg
