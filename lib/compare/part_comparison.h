// SPDX-License-Identifier: Apache-2.0
// Compares the parts of a pair one after another and adds the results to the comparison.
#pragma once

#include <string>

#include "compare/compare.h"
#include "compare/measurer.h"

namespace cuimg {

/// The same part of both files.
struct PartPair {
  const Image& golden;
  const Image& result;
  int number;  ///< In the golden.
};

/// Compares two parts and adds the results. Call decide() and summarize() after the last part.
void compare_part(const PartPair& parts, const Limits& limits, const CompareOptions& options,
                  const Queue& queue, Comparison& comparison);

/// Adds what compare_part() would find for a part of files with equal bytes, without reading a
/// pixel: layers with all their figures, but without their pixels.
void add_equal_part(const Spec& spec, const Limits& limits, const CompareOptions& options,
                    Comparison& comparison);

/// Adds the separate results of compare_part() for a smaller level.
void add_level(const std::string& level, Comparison found, Comparison& comparison);

/// The approximate cost of compare_part(), as if all pixels differed.
Measurer::Cost measuring_cost(const PartPair& parts, const Limits& limits,
                              const CompareOptions& options);

/// Computes the pair's figures from its layers': the worst values, with counts added up.
void summarize(Comparison& comparison);

}  // namespace cuimg
