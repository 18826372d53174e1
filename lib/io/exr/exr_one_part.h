// SPDX-License-Identifier: Apache-2.0
// A file with one part whose chunks are redirected while it is written, so that any writer of such
// files can be used to write something else.
#pragma once

#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>

#include <cstdint>
#include <vector>

namespace cuimg {

/// The object that a writer of one part uses as its file. It keeps only the table of the head.
class ExrOnePart : public Imf::OStream {
 public:
  void write(const char from[], int count) override;
  std::uint64_t tellp() override { return position_; }
  void seekp(std::uint64_t position) override { position_ = position; }

 protected:
  explicit ExrOnePart(const Imf::Header& header);
  /// Takes the bytes that follow the previous ones; a chunk may come in pieces.
  virtual void add_chunks(const char from[], std::uint64_t count) = 0;

  /// The file position after the last bytes.
  std::uint64_t end() const { return end_; }
  /// The file position of the first chunk.
  std::uint64_t chunks_at() const { return head_.size(); }
  /// The file position of each chunk, as recorded by the writer.
  std::vector<std::uint64_t> table() const;

 private:
  void add_to_head(const char from[], std::uint64_t count);

  std::vector<char> head_;
  const std::uint64_t chunks_;  ///< The number of entries in the table at the end of the head.
  std::uint64_t end_ = 0, position_ = 0;
};

}  // namespace cuimg
