// SPDX-License-Identifier: Apache-2.0
// What running an image leaves to print.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/queue.h"

namespace cuimg {

struct RunReport {
  std::uint64_t pixels = 0;               ///< Of the input, or of the output where there is none.
  int parts = 1;                          ///< Of the input, that are taken.
  std::vector<std::string> explanation;   ///< --explain: decisions, a line each.
  std::vector<std::string> warnings;      ///< What an output lacks; printed unless --quiet.
  std::vector<std::string> notes;         ///< -v: choices that no option asked for.
  std::string fallback;                   ///< -v: why the CPU did a card's work; or empty.
  std::vector<StepTime> times;            ///< --timing
  std::optional<std::string> difference;  ///< --device both: what differs, and where.
  std::vector<std::string> unmeasured;    ///< --dry-run: stages whose result only pixels tell.
  std::string printed;                    ///< What a sink prints on standard output.

  /// Joins what another part or output leaves; pixels and parts are counted apart.
  void add(RunReport other);
};

}  // namespace cuimg
