// SPDX-License-Identifier: Apache-2.0
// Estimates the host memory that executing a plan on the CPU takes if everything is kept in memory.
#pragma once

#include <cstdint>

#include "pipeline/plan.h"

namespace cuimg {

/// Rows of the source that are read in another order than from the top to the bottom, and wait.
std::uint64_t source_bytes_held(const Plan& plan);
/// Images between the steps, the source among them where a step reads all over it, and the output
/// where a step makes all of it in one call.
std::uint64_t bytes_between(const Plan& plan);
/// Floats of the bands that are made at a time. @param threads 0: all that there are.
std::uint64_t bytes_of_bands(const Plan& plan, int threads);
/// All of it, the whole source and the whole output too: for a measuring pass.
std::uint64_t bytes_on_cpu(const Plan& plan);

/// Whether rows are used and made from the top to the bottom, a few at a time.
struct RowOrder {
  bool source, output;
};
/// Of a plan that runs in tiles, in so much memory. @param threads 0: all that there are.
RowOrder row_order(const Plan& plan, std::uint64_t memory_bytes, int threads);

}  // namespace cuimg
