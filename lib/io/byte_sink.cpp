// SPDX-License-Identifier: Apache-2.0
// A sink that collects bytes in memory.
#include "io/byte_sink.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/error.h"

namespace cuimg {

void MemorySink::write(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const std::size_t most = bytes_.max_size();
  if (position_ > most || bytes.size() > most - static_cast<std::size_t>(position_))
    throw Error("memory", "position " + std::to_string(position_) + " is too large");
  const std::size_t at = static_cast<std::size_t>(position_);
  const std::size_t end = at + bytes.size();
  if (end > bytes_.size()) {
    if (end > bytes_.capacity())
      bytes_.reserve(std::max(end, std::min(bytes_.capacity(), most / 2) * 2));
    bytes_.resize(end);
  }
  std::memcpy(bytes_.data() + at, bytes.data(), bytes.size());
  position_ = end;
}

}  // namespace cuimg
