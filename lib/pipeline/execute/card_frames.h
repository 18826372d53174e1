// SPDX-License-Identifier: Apache-2.0
// A plan on a card: step by step over whole frames.
#pragma once

#include "device/queue.h"
#include "pipeline/execute/execute.h"
#include "pipeline/execute/planned_steps.h"

namespace cuimg {

/// @throws DeviceError, or what `flow.ready` failed with.
void execute_on_card(Steps steps, const Queue& queue, const RowFlow& flow);

}  // namespace cuimg
