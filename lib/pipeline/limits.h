// SPDX-License-Identifier: Apache-2.0
// What a plan may take, looked at before any of it is allocated.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pipeline/plan.h"

namespace cuimg {

/// What the stages make is limited like what files hold. @param limit in pixels. @throws Error
/// naming the stage.
void check_sizes(const Plan& plan, std::uint64_t limit);

/// A small file may stand for a picture that no memory holds. What goes through row by row does not
/// mind; a stage that reads all over its input holds all of it, and is refused. Whoever raises
/// --limit-pixels above its default knows. @throws Error naming the stage.
void check_inflation(const Plan& plan, std::size_t file_bytes, std::uint64_t limit_pixels);

}  // namespace cuimg
