// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for checksums of pixels. Implemented here, because loading a library for
// one function would slow every start of the program.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace cuimg {

class Sha256 {
 public:
  void update(std::span<const std::byte> bytes);
  void update(const std::string& text) { update(std::as_bytes(std::span(text))); }
  /// The digest of all updates in hexadecimal, 64 digits. Called once.
  std::string finish();

 private:
  void block(const std::byte* bytes);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> pending_{};
  std::size_t pending_bytes_ = 0;
  std::uint64_t total_bytes_ = 0;
};

}  // namespace cuimg
