// SPDX-License-Identifier: Apache-2.0
// Common code of the parity tests: a plan run on the CPU and on a card, and chains to run.
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

/// Limits of a chain's frames, so that thousands of chains take minutes.
struct ChainLimits {
  std::int64_t pixels;  ///< Of every frame.
  double cost_ns;       ///< Of every stage, as Plan::cost_ns() estimates it.
};

/// What a plan gives on a queue: an image, or the line of its error.
struct Made {
  std::optional<Image> image;
  std::string error;
};
Made made_on(const Queue& queue, const Plan& plan, const Image& source,
             const ChainOptions& options);

/// Runs the plan on the CPU and on the card. @returns a failure unless both give the same bytes, or
/// the same error, within twenty seconds of processor time. @param what is printed should a
/// sanitizer end the process.
testing::AssertionResult same_on_both(const Queue& card, const Plan& plan, const Image& source,
                                      const ChainOptions& options, const std::string& what);

/// One folder for each stage of a chain, whose files have the same names.
using ChainFolders = std::vector<TempDir>;
inline constexpr int longest_chain = 6;

/// Two to six stages with random parameters over a random picture. @param number of the case.
/// Nothing where too few stages fit each other.
std::optional<ChainCase> random_chain(unsigned number, const ChainFolders& folders,
                                      const ChainLimits& limits);

/// The stages as a command line, and what IN is.
std::string command_line(const Chain& chain, const ChainOptions& options, const Spec& picture);

}  // namespace cuimg::test
