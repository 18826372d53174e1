// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

namespace cuimg {

void append_number(std::vector<std::byte>& to, std::uint64_t value, std::size_t count,
                   bool big_endian) {
  to.resize(to.size() + count);
  put_number(std::span(to).last(count), value, big_endian);
}

void append_bytes(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

}  // namespace cuimg
