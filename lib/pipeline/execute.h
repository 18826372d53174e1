// SPDX-License-Identifier: Apache-2.0
// Carrying out a plan on a queue, from one image in memory to another.
#pragma once

#include <string>
#include <vector>

#include "base/row_progress.h"
#include "device/queue.h"
#include "image/image.h"
#include "pipeline/plan.h"

namespace cuimg {

/// Runs every step. On the CPU in bands of rows, each through all steps, so that no whole image
/// but the two lies in memory; on a card step by step over whole frames.
/// @param source of the plan's input spec; its rows are used as `ready` says.
/// @param target as large as the plan's output, with its layers; its window's origin may differ.
/// @param done advances as rows of every layer are complete.
/// @throws Error, DeviceError, or what `ready` failed with.
void execute(const Plan& plan, const Queue& queue, const Image& source, RowProgress& ready,
             Image& target, RowProgress& done);

/// Where a card holds what each step makes, for --explain: a line for each.
std::vector<std::string> layout_on_card(const Plan& plan);

}  // namespace cuimg
