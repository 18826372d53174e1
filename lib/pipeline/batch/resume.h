// SPDX-License-Identifier: Apache-2.0
// --skip-existing: checks whether an existing output is what this command would make from its
// inputs.
#pragma once

#include <span>
#include <string>

#include "base/digest/sha256.h"
#include "pipeline/grammar.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// The origin of outputs at one place in a chain: this version, the stages, the options that affect
/// pixels and file, the path, size and modification time of each file that is read, and the names
/// and frame numbers that stages write into the picture.
class OutputFingerprint {
 public:
  /// @param stages before the output, for a tee's. @param common options of the output.
  /// @param files of the job, if they belong to a frame.
  OutputFingerprint(Chain stages, const CommonOptions& common,
                    std::span<const StageFile> files = {});
  /// A hash of it and of the job's inputs; empty if one of them is standard input, whose
  /// bytes may differ from run to run. May be called from several threads.
  std::string hash(const Job& job) const;

 private:
  Sha256 of_all_jobs_;
  bool reads_stream_ = false;
  bool shows_names_ = false;  ///< Whether a stage writes names or frame numbers into the picture.
};

enum class Existing : std::uint8_t {
  none,     ///< There is no such file.
  same,     ///< The same command made it from the same files.
  other,    ///< It was made differently, or by another program; or the job has no hash.
  changed,  ///< Like `same`, but another program has changed it since.
  unknown,  ///< The file system does not store how it was made.
};
/// @param hash of the job.
Existing existing_output(const Job& job, const std::string& hash);

}  // namespace cuimg
