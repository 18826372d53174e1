// SPDX-License-Identifier: Apache-2.0
// Running one image through bound stages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/grammar.h"

namespace cuimg {

/// What a run has to tell.
struct RunReport {
  std::vector<std::string> explanation;   ///< --explain: decisions, a line each.
  std::vector<std::string> notes;         ///< -v: what was decided without being asked.
  std::vector<StepTime> times;            ///< --timing
  std::optional<std::string> difference;  ///< --device both: what differs, and where.
};

/// Decodes `input`, runs the stages, encodes `output`. May be called from several threads.
/// @param input a file, "-", or empty when the first stage is a source.
/// @param output a file, "-", or empty when the last stage is a sink.
/// @throws Error; `output` is then as it was before.
RunReport run_image(const std::vector<BoundStage>& stages, const std::string& input,
                    const std::string& output, const CommonOptions& common);

}  // namespace cuimg
