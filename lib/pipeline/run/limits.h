// SPDX-License-Identifier: Apache-2.0
// How large a plan may be, checked before anything is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "pipeline/plan.h"

namespace cuimg {

/// The limit on files holds for the stages' images too. @param limit in pixels. @throws Error
/// naming the stage.
void check_sizes(const Plan& plan, std::uint64_t limit);

/// A small file may decode to a picture that no memory holds. Stages that work row by row need
/// little of it in memory; one that reads all over its input needs all of it, and is refused unless
/// --limit-pixels is above its default. @throws Error naming the stage.
void check_inflation(const std::string& stage, const Spec& input, std::size_t file_bytes,
                     std::uint64_t limit_pixels);
/// For all steps of a plan.
void check_inflation(const Plan& plan, std::size_t file_bytes, std::uint64_t limit_pixels);

}  // namespace cuimg
