// SPDX-License-Identifier: Apache-2.0
// What running an image leaves to print.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/queue.h"

namespace cuimg {

struct RunReport {
  std::vector<std::string> explanation;   ///< --explain: decisions, a line each.
  std::vector<std::string> notes;         ///< -v: choices that no option asked for.
  std::string fallback;                   ///< -v: why the CPU did a card's work; or empty.
  std::vector<StepTime> times;            ///< --timing
  std::optional<std::string> difference;  ///< --device both: what differs, and where.
  std::string printed;                    ///< What a sink prints on standard output.
};

}  // namespace cuimg
