// SPDX-License-Identifier: Apache-2.0
// A file of which cuimg omits something and prints a warning.
#pragma once

#include <zlib.h>

#include <string>

namespace cuimg::test {

/// A PNG declared as an animation of two frames. @param png the bytes of any PNG, which become the
/// first frame.
inline std::string animated(const std::string& png) {
  std::string chunk = std::string("acTL\0\0\0\2\0\0\0\0", 12);
  const auto sum = crc32(0, reinterpret_cast<const unsigned char*>(chunk.data()),
                         static_cast<unsigned>(chunk.size()));
  for (int shift = 24; shift >= 0; shift -= 8) chunk += static_cast<char>(sum >> shift & 0xff);
  constexpr std::size_t header_end = 33;
  return png.substr(0, header_end) + std::string("\0\0\0\10", 4) + chunk + png.substr(header_end);
}

}  // namespace cuimg::test
