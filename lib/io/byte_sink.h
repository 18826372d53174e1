// SPDX-License-Identifier: Apache-2.0
// The sink to which encoders write; every write is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cuimg {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Writes at the current position and advances it. @throws Error.
  virtual void write(std::span<const std::byte> bytes) = 0;
  /// Moves the position; formats with tables of offsets move back to fill them in. @throws Error.
  virtual void seek(std::uint64_t position) = 0;
  virtual std::uint64_t position() const = 0;
};

/// Collects bytes in memory.
class MemorySink final : public ByteSink {
 public:
  void write(std::span<const std::byte> bytes) override;
  void seek(std::uint64_t position) override { position_ = position; }
  std::uint64_t position() const override { return position_; }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  /// The bytes, after which the sink is empty and at position 0.
  std::vector<std::byte> take() {
    position_ = 0;
    return std::exchange(bytes_, {});
  }

 private:
  std::vector<std::byte> bytes_;
  std::uint64_t position_ = 0;
};

}  // namespace cuimg
