// SPDX-License-Identifier: Apache-2.0
// When --device auto takes a card.
#pragma once

#include "base/environment.h"

namespace cuimg {

/// Milliseconds of the CPU's own estimate below which it is done before a card's context is made.
/// The variable CUIMG_AUTO_CARD_MS sets another than 300: for tests, and for machines where that is
/// a bad guess. @throws Error when it is no number of at least 0.
double milliseconds_worth_a_card(const Environment& environment = process_environment());

}  // namespace cuimg
