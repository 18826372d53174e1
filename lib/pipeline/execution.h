// SPDX-License-Identifier: Apache-2.0
// Where a plan runs: on the device that --device names, or, with --device auto, on the one that is
// estimated to be faster, the CPU taking over from a card that fails.
#pragma once

#include "pipeline/execute.h"
#include "pipeline/options.h"
#include "pipeline/run_report.h"

namespace cuimg {

/// @param report gets the device's name, the steps' times, why --device auto did not take a card,
/// and the difference that --device both found. @throws as execute() does; an Error that names
/// --device where a card was asked for and fails.
void execute_where_asked(const Plan& plan, const CommonOptions& common, const RowFlow& flow,
                         RunReport& report);

}  // namespace cuimg
