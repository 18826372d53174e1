// SPDX-License-Identifier: Apache-2.0
// Bounds-checked reading of a file's bytes: a truncated file gives an error that says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/bytes.h"
#include "base/error.h"
#include "io/byte_source.h"

namespace cuimg {

class ByteReader {
 public:
  /// @param format the format's name in errors: "TGA".
  ByteReader(const ByteSource& source, std::string format)
      : bytes_(source.bytes()), name_(source.name()), format_(std::move(format)) {}

  std::size_t position() const { return at_; }
  std::size_t remaining() const { return bytes_.size() - at_; }

  /// The next `count` bytes. @throws Error if there are fewer.
  std::span<const std::byte> take(std::uint64_t count) {
    require(count);
    const auto result = bytes_.subspan(at_, static_cast<std::size_t>(count));
    at_ += static_cast<std::size_t>(count);
    return result;
  }
  /// @throws Error unless `count` bytes are left.
  void require(std::uint64_t count) const {
    if (count <= remaining()) return;
    const std::uint64_t missing = count - remaining();
    fail(missing == 1 ? "truncated: a byte is missing"
                      : "truncated: " + std::to_string(missing) + " bytes are missing");
  }
  void seek(std::uint64_t position) {
    if (position > bytes_.size()) fail("truncated: an offset points past the end");
    at_ = static_cast<std::size_t>(position);
  }
  std::uint32_t u8() { return std::to_integer<std::uint32_t>(take(1)[0]); }
  std::uint32_t u16le() { return static_cast<std::uint32_t>(number(2, false)); }
  std::uint32_t u32le() { return static_cast<std::uint32_t>(number(4, false)); }
  std::uint32_t u16be() { return static_cast<std::uint32_t>(number(2, true)); }
  std::uint32_t u32be() { return static_cast<std::uint32_t>(number(4, true)); }
  std::uint64_t u64be() { return number(8, true); }
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = "") const {
    throw Error(name_, format_ + ": " + problem, advice);
  }

 private:
  std::uint64_t number(std::size_t bytes, bool big_endian) {
    return number_at(take(bytes), 0, bytes, big_endian);
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  std::string name_, format_;
};

}  // namespace cuimg
