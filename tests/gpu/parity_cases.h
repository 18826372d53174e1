// SPDX-License-Identifier: Apache-2.0
// Common code of the parity tests: running a plan on the CPU and on a card, and random chains.
#pragma once

#include "card.h"
#include "support/stage_cases.h"

namespace cuimg::test {

/// A chain over a picture, planned.
struct ChainCase {
  Image source;
  ChainOptions options;
  Plan plan;
  std::string command;  ///< "cuimg resize --size 50% + blur IN OUT, IN is ...": how to repeat it.
};

/// Limits for a chain's frames, so that thousands of chains take only minutes.
struct ChainLimits {
  std::int64_t pixels;  ///< Of each frame.
  double cost_ns;       ///< Of each stage, as Plan::cost_ns() estimates it.
};

/// The result of a plan on a queue: an image, or the error's line.
struct Made {
  std::optional<Image> image;
  std::string error;
};
Made made_on(const Queue& queue, const Plan& plan, const Image& source,
             const ChainOptions& options);

/// Runs the plan on the CPU and on the card. @returns a failure unless both give the same bytes, or
/// the same error, within twenty seconds of processor time. @param what is printed if a sanitizer
/// ends the process.
testing::AssertionResult same_on_both(const Queue& card, const Plan& plan, const Image& source,
                                      const ChainOptions& options, const std::string& what);

/// One folder for each stage of a chain, whose files have the same names.
using ChainFolders = std::vector<TempDir>;
inline constexpr int longest_chain = 6;

/// Two to six stages with random parameters over a random picture. @param number the case's number.
/// @returns nothing if too few stages fit each other.
std::optional<ChainCase> random_chain(unsigned number, const ChainFolders& folders,
                                      const ChainLimits& limits);

/// The stages as a command line, and a description of IN.
std::string command_line(const Chain& chain, const ChainOptions& options, const Spec& picture);

}  // namespace cuimg::test
