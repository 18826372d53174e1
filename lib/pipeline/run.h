// SPDX-License-Identifier: Apache-2.0
// Running one image through bound stages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/grammar.h"
#include "stages/run_cache.h"

namespace cuimg {

/// What a run has to tell.
struct RunReport {
  std::vector<std::string> explanation;   ///< --explain: decisions, a line each.
  std::vector<std::string> notes;         ///< -v: what was decided without being asked.
  std::string fallback;                   ///< -v: why the CPU did a card's work; or empty.
  std::vector<StepTime> times;            ///< --timing
  std::optional<std::string> difference;  ///< --device both: what differs, and where.
  std::string printed;                    ///< What a sink prints on standard output.
};

/// One output's way: most often from one input. A source has none, a reducer all of them; a sink
/// has no output.
struct Job {
  std::vector<std::string> inputs;
  std::string output;
  bool makes_folders = false;  ///< The output's folder is made when it is missing.
  bool alone = true;           ///< The only one of its command.

  /// What reports call it.
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
