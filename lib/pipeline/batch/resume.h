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

/// What outputs of one place in a chain are made of: this version, the stages and the options that
/// decide on pixels and file, and of each file that is read its place, size and time of change.
class OutputFingerprint {
 public:
  /// @param stages before the output, where that is a tee's. @param common of the output.
  /// @param files of the job, where they are those of a frame.
  OutputFingerprint(Chain stages, const CommonOptions& common,
                    std::span<const StageFile> files = {});
  /// A hash of it and of the job's inputs; empty where one is standard input, whose
  /// bytes may differ from run to run. May be called from several threads.
  std::string hash(const Job& job) const;

 private:
  Sha256 of_all_jobs_;
  bool reads_stream_ = false;
};

enum class Existing : std::uint8_t {
  none,     ///< There is no such file.
  same,     ///< The same command made it of the same files.
  other,    ///< It was made otherwise, or by another program; or the job has no hash.
  changed,  ///< As `same`, but another program has changed it since.
  unknown,  ///< The file system does not keep what it was made by.
};
/// @param hash of the job.
Existing existing_output(const Job& job, const std::string& hash);

}  // namespace cuimg
