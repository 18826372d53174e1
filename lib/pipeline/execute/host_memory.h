// SPDX-License-Identifier: Apache-2.0
// Estimates the host memory that executing a plan on the CPU takes if everything is kept in memory.
#pragma once

#include <cstdint>

#include "pipeline/plan.h"

namespace cuimg {

/// Rows of the source that must wait because they are not read from the top to the bottom.
std::uint64_t source_bytes_held(const Plan& plan);
/// The images between the steps, including the source if a step reads it in any order, and the
/// output if a step makes all of it in one call.
std::uint64_t bytes_between(const Plan& plan);
/// The floats of the bands that are in progress at a time. @param threads 0: all available ones.
std::uint64_t bytes_of_bands(const Plan& plan, int threads);
/// The total, including the whole source and output: for a measuring pass.
std::uint64_t bytes_on_cpu(const Plan& plan);

/// Whether rows are used and made from the top to the bottom, a few at a time.
struct RowOrder {
  bool source, output;
};
/// For a plan that runs in tiles in this amount of memory. @param threads 0: all available ones.
RowOrder row_order(const Plan& plan, std::uint64_t memory_bytes, int threads);

}  // namespace cuimg
