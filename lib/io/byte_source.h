// SPDX-License-Identifier: Apache-2.0
// The bytes that a codec decodes: a file mapped into memory, or all of standard input, which is
// also kept in a file if it is long.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cuimg {

class WatchedPages;

class ByteSource {
 public:
  /// @param path a file's name, or "-" for standard input (read to its end).
  /// @throws Error that names the path if the file is missing, a directory, unreadable or empty.
  /// @param scratch the folder for the file that keeps a long standard input.
  static std::shared_ptr<const ByteSource> open(const std::string& path,
                                                const std::string& scratch = "");
  /// The same for a file that is not an image, such as a list; at most 1 GiB from a pipe.
  static std::shared_ptr<const ByteSource> open_text(const std::string& path);
  /// Bytes held by the caller, for tests and for embedding.
  static std::shared_ptr<const ByteSource> from_memory(std::span<const std::byte> bytes,
                                                       std::string name);
  /// Not for a vector that ends with the statement.
  template <std::same_as<std::vector<std::byte>> Bytes>
  static std::shared_ptr<const ByteSource> from_memory(Bytes&& bytes, std::string name) = delete;

  /// @param owner holds the bytes; null: the caller does.
  ByteSource(std::span<const std::byte> bytes, std::string name,
             std::shared_ptr<const void> owner = nullptr)
      : bytes_(bytes), name_(std::move(name)), owner_(std::move(owner)) {}

  std::span<const std::byte> bytes() const { return bytes_; }
  /// The name in errors: the path, or "standard input".
  const std::string& name() const { return name_; }
  /// Call this after everything was read, before using the result.
  /// @throws Error if the file has become shorter, or could not be read, in the meantime.
  void check_complete() const;
  /// Runs `read` and then check_complete(). If the file became shorter, a decoder sees zeros and
  /// reports corrupt data; this function reports the real error instead.
  template <class Read>
  void read_whole(const Read& read) const {
    try {
      read();
    } catch (const std::exception&) {
      look_at_the_end();
      check_complete();
      throw;
    }
    check_complete();
  }

 private:
  void look_at_the_end() const;
  static std::shared_ptr<const ByteSource> open_file(const std::string& path,
                                                     const std::string& scratch, bool is_image);

  std::span<const std::byte> bytes_;
  std::string name_;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const WatchedPages> watched_;  ///< Only for a mapped file.
};

}  // namespace cuimg
