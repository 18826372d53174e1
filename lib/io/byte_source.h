// SPDX-License-Identifier: Apache-2.0
// The bytes that a codec decodes: a file mapped into memory, or all of standard input.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace cuimg {

class ByteSource {
 public:
  /// @param path a file's name, or "-" for standard input (read to its end).
  /// @throws Error naming the path: missing, a directory, unreadable, empty.
  static std::shared_ptr<const ByteSource> open(const std::string& path);
  /// Bytes held by the caller, for tests and for embedding.
  static std::shared_ptr<const ByteSource> from_memory(std::span<const std::byte> bytes,
                                                       std::string name);

  virtual ~ByteSource() = default;
  virtual std::span<const std::byte> bytes() const = 0;
  /// What an error calls it: the path, or "standard input".
  const std::string& name() const { return name_; }

 protected:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

}  // namespace cuimg
