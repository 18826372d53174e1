// SPDX-License-Identifier: Apache-2.0
// Output files, which appear complete or not at all.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/byte_sink.h"

namespace cuimg {

/// A target on disk or standard output, replaced in one step by commit().
class OutputFile {
 public:
  /// @param path a file's name, or "-" for standard output. A regular file is written as a
  /// temporary next to the target (next to the file that a symbolic link names); a device or pipe
  /// receives everything at commit(). @throws Error that names the path if it cannot be written.
  /// @param no_clobber refuses an existing target.
  explicit OutputFile(std::string path, bool no_clobber = false);
  /// Without commit() the temporary file is removed and the target does not change.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  ByteSink& sink();
  /// Makes commit() store a text with a regular file, if its file system supports this.
  /// @see mark_of_file
  void mark(const std::string& text);
  /// Flushes, syncs, closes and renames into place. @throws Error; the target is then untouched.
  void commit();
  /// The same for several files, which are renamed one right after the other when all are complete;
  /// a signal that ends the process waits for this. @throws Error, usually before the first file is
  /// renamed: renaming itself can still fail.
  static void commit_all(std::span<OutputFile* const> files);

 private:
  struct Impl;
  void complete();
  void put_in_place();
  void sync_folder() const;
  std::unique_ptr<Impl> impl_;
};

/// Checks whether an OutputFile could be opened, without writing. @throws Error as OutputFile does.
/// @param makes_folders its folder need not exist, if it can be created.
void check_output(const std::string& path, bool no_clobber, bool makes_folders);

/// Writes a text through an OutputFile. @throws Error.
void write_text_file(const std::string& path, std::string_view text, bool no_clobber = false);

}  // namespace cuimg
