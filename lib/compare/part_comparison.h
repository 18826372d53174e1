// SPDX-License-Identifier: Apache-2.0
// Compares the parts of a pair one after another and adds the results to the comparison.
#pragma once

#include <string>

#include "compare/compare.h"
#include "compare/measurer.h"

namespace cuimg {

/// Compares two parts and adds what it finds. decide() and summarize() come after the last.
/// @param number the part's in the golden.
void compare_part(const Image& golden, const Image& result, int number, const Limits& limits,
                  const CompareOptions& options, const Queue& queue, Comparison& comparison);

/// Adds what compare_part() finds of a part of files with equal bytes, of which no pixel is read:
/// layers with every figure that they would have, but without their pixels.
void add_equal_part(const Spec& spec, const Limits& limits, const CompareOptions& options,
                    Comparison& comparison);

/// Adds what compare_part() found of a smaller level, by itself.
void add_level(const std::string& level, Comparison found, Comparison& comparison);

/// What compare_part() takes, about: as if all pixels differed.
Measurer::Cost measuring_cost(const Image& golden, const Image& result, const Limits& limits,
                              const CompareOptions& options);

/// The pair's figures from its layers': the worst values, counts added up.
void summarize(Comparison& comparison);

}  // namespace cuimg
