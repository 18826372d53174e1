// SPDX-License-Identifier: Apache-2.0
// Running one image through bound stages.
#pragma once

#include <string>
#include <vector>

#include "pipeline/bound_stage.h"
#include "pipeline/options.h"
#include "pipeline/run_report.h"
#include "stages/run_cache.h"

namespace cuimg {

/// What one output is made of: usually one input. A source has none, a reducer all of them. A sink
/// has no output.
struct Job {
  std::vector<std::string> inputs;
  std::string output;
  bool makes_folders = false;  ///< The output's folder is made when it is missing.
  bool alone = true;           ///< The only one of its command.

  /// Its name in reports.
  const std::string& name() const { return inputs.size() == 1 ? inputs.front() : output; }
  friend bool operator==(const Job&, const Job&) = default;
};

/// Decodes the input, runs the stages, encodes the output. May be called from several threads.
/// A file named "-" is standard input or output.
/// @param shared what the images of one command share; outlives the call.
/// @throws Error; the output is then as it was before.
RunReport run_image(const std::vector<BoundStage>& stages, const Job& job,
                    const CommonOptions& common, RunCache& shared);

}  // namespace cuimg
