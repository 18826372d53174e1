// SPDX-License-Identifier: Apache-2.0
// When --device auto takes a card.
#pragma once

#include "base/environment.h"
#include "pipeline/plan.h"

namespace cuimg {

/// Milliseconds of the CPU's own estimate below which the CPU is done before a card's context
/// exists. The variable CUIMG_AUTO_CARD_MS replaces the usual 300: for tests, and for machines
/// where 300 is a bad guess. @throws Error when it is no number of at least 0.
double milliseconds_worth_a_card(const Environment& environment = process_environment());

/// Whether the plan would take the CPU longer than that. @param threads of the CPU, 0: all.
bool is_worth_a_card(const Plan& plan, int threads);

}  // namespace cuimg
