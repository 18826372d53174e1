// SPDX-License-Identifier: Apache-2.0
// Sequences that options of stages name, `--with bg.####.exr`: which file goes with which frame of
// the input.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pipeline/batch/sequence.h"
#include "pipeline/bound_stage.h"
#include "pipeline/run/run.h"

namespace cuimg {

/// Those of files_of() that are sequences.
std::vector<FileOfStage> sequences_of(Chain chain);

class FrameFiles {
 public:
  /// @param frames of the inputs. @throws Error where a file of one is missing, unless `missing`
  /// says what takes its place: with hold that of the frame before it, or else the first.
  FrameFiles(Chain chain, const std::set<int>& frames, MissingFrames missing);

  /// Whether every sequence has a file for it, or what takes its place.
  bool has(int frame) const;
  /// What each of files_of() is for this frame, of which has() is true.
  std::vector<FrameFileOfStage> of(int frame) const;

 private:
  struct Option {
    std::string path;
    std::vector<FrameFile> frames;  ///< Sorted; none: the path names one file for all.
  };
  /// Null where the sequence has none.
  static const FrameFile* find(const Option& option, int frame);

  std::vector<Option> options_;
};

}  // namespace cuimg
