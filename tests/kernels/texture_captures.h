// SPDX-License-Identifier: Apache-2.0
// Reads samples captured from a real texture unit. A file is a sequence of blocks: a 64-byte
// zero-padded header `name|type|count|components`, then that many little-endian values; `_v`
// contains texels, `_p` coordinates, `_o` the card's results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace cuimg::test {

struct Block {
  std::size_t count = 0, components = 0;
  std::vector<char> bytes;

  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(bytes.data());
  }
};

using Capture = std::map<std::string, Block>;

/// @returns the blocks of `path`, which is decompressed first if its name ends in .xz. @throws
/// std::runtime_error if it cannot be read.
Capture read_capture(const std::string& path);

}  // namespace cuimg::test
