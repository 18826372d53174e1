// SPDX-License-Identifier: Apache-2.0
// Every stage there is.
#pragma once

#include <span>
#include <string_view>

#include "stages/description.h"

namespace cuimg {

/// In the order in which help lists them.
std::span<const StageDescription* const> stages();
/// @returns the stage of that name, or null.
const StageDescription* find_stage(std::string_view name);

}  // namespace cuimg
