// SPDX-License-Identifier: Apache-2.0
// One open file for all jobs that each read one of its parts, for formats whose parts depend on
// each other.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace cuimg {

class ByteSource;
class ImageFile;
struct CommonOptions;
struct DecodeOptions;

/// A file that is open for the jobs of all its parts.
class SharedParts {
 public:
  const std::shared_ptr<const ByteSource>& source() const { return source_; }
  /// @param options receive the reader's notes. May be called from several threads.
  ImageFile& open(const DecodeOptions& options) const;

 private:
  friend class SharedFiles;
  std::shared_ptr<const ByteSource> source_;
  std::shared_ptr<ImageFile> file_;
  std::vector<std::string> notes_, warnings_;
};

/// Jobs come in the order of their inputs, so the latest file is the one in use. May be called from
/// several threads.
class SharedFiles {
 public:
  /// @param memory_bytes of all images together. @returns null if each job opens the file
  /// separately, since its parts do not depend on each other. @throws Error.
  std::shared_ptr<const SharedParts> open(const std::string& path, const CommonOptions& common,
                                          std::uint64_t memory_bytes);

 private:
  std::mutex mutex_;
  std::string path_;
  std::shared_ptr<const SharedParts> latest_;  ///< The file with that path, or null.
};

}  // namespace cuimg
