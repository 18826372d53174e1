// SPDX-License-Identifier: Apache-2.0
// The one way out: every encoder writes through a checked sink, and a file appears complete or not
// at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cuimg {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Writes at the current position, which then lies behind what was written. @throws Error.
  virtual void write(std::span<const std::byte> bytes) = 0;
  /// Moves the position; formats with tables of offsets go back to fill them in. @throws Error.
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
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
  std::uint64_t position_ = 0;
};

/// A target on disk or standard output, replaced in one step by commit().
class OutputFile {
 public:
  /// @param path a file's name, or "-" for standard output. A regular file is written as a
  /// temporary next to the target (next to the file that a symbolic link names); a device or pipe
  /// receives everything at commit(). @throws Error naming the path when it cannot be written.
  /// @param no_clobber refuse an existing target.
  explicit OutputFile(std::string path, bool no_clobber = false);
  /// Without commit() the temporary file is removed and the target stays as it was.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  ByteSink& sink();
  /// Lays a word with a regular file at commit(), where its file system keeps such.
  /// @see mark_of_file
  void mark(const std::string& text);
  /// Flushes, syncs, closes and renames into place. @throws Error; the target is then untouched.
  void commit();
  /// The same for several files, which get their names one right after the other once all are
  /// complete; a signal that ends the process waits for that. @throws Error, mostly before the
  /// first has its name: renaming itself can still fail.
  static void commit_all(std::span<OutputFile* const> files);

 private:
  struct Impl;
  void complete();
  void put_in_place();
  void sync_folder() const;
  std::unique_ptr<Impl> impl_;
};

/// Looks whether an OutputFile could be opened, and writes nothing. @throws Error as it would.
/// @param makes_folders its folder need not be there.
void check_output(const std::string& path, bool no_clobber, bool makes_folders);

/// SIGINT, SIGTERM and SIGHUP remove the temporary files of this process, then end it as the
/// signal would have. Called once by the program; a library's user may choose not to.
void remove_temporaries_on_signals();

}  // namespace cuimg
