// SPDX-License-Identifier: Apache-2.0
#include "pipeline/bound_stage.h"

namespace cuimg {

bool takes_input(Chain chain) { return chain.empty() || chain.front().kind() != Kind::source; }

bool reduces(Chain chain) { return !chain.empty() && chain.front().kind() == Kind::reducer; }

const BoundStage* sink_of(Chain chain) {
  return !chain.empty() && chain.back().kind() == Kind::sink ? &chain.back() : nullptr;
}

}  // namespace cuimg
