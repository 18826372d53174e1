// SPDX-License-Identifier: Apache-2.0
// Bytes of files in formats that cuimg does not write, assembled number by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace cuimg::test {

using MadeBytes = std::vector<std::byte>;

inline void put_be(MadeBytes& out, std::uint64_t value, int bytes) {
  for (int i = bytes; i-- > 0;) out.push_back(static_cast<std::byte>(value >> 8 * i));
}
inline void put_le(MadeBytes& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(value >> 8 * i));
}
inline void put_text(MadeBytes& out, std::string_view text) {
  for (const char c : text) out.push_back(static_cast<std::byte>(c));
}
inline void put_bytes(MadeBytes& out, const MadeBytes& more) {
  out.insert(out.end(), more.begin(), more.end());
}

}  // namespace cuimg::test
