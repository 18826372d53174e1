// SPDX-License-Identifier: Apache-2.0
// Compares all pictures of two folders, several at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compare/compare.h"
#include "compare/decoded_pair.h"
#include "compare/measurer.h"
#include "compare/trees/tree_pairs.h"
#include "io/decode_options.h"

namespace cuimg {

/// Gets a comparison with what it decoded. Called by the thread that compared, several at a time.
/// @param number the pair's place in the order of paths.
using PictureReport = std::function<void(int number, const Comparison& comparison,
                                         DecodedPair decoded, const Queue& queue)>;

struct TreeOptions {
  Limits limits;  ///< Rules of the golden tree's `.cuimg-compare` files come on top.
  CompareOptions compare;
  DecodeOptions decode;
  int threads = 0;          ///< 0: hardware_threads().
  int jobs = 0;             ///< Pairs at a time; 0: as many as threads, with cards at most 4 each.
  MeasuringChoice devices;  ///< Which measure.
  /// Gets a line where the processor does what a card was to do. Several threads call, in turn.
  std::function<void(const std::string&)> warn;
  TreeMatching matching;    ///< Which pictures of both folders are pairs.
  bool fail_fast = false;   ///< Begin no pair after the first that is not the same.
  bool names_rule = false;  ///< Comparison::rule is filled in.
  PictureReport pictures;   ///< Empty: pictures are not kept.
};

/// What happened to how many pairs.
struct TreeSummary {
  std::size_t same = 0, differs = 0, missing = 0, extra = 0, errors = 0, warned = 0;
  std::size_t allowed_missing = 0, allowed_extra = 0;  ///< Not among the others.
  std::size_t skipped = 0;                             ///< By fail_fast.

  /// 0, 1 where a pair is not the same, 2 after an error.
  int exit_code() const { return errors > 0 ? 2 : differs + missing + extra > 0 ? 1 : 0; }
};

/// @param golden, result folders; one that is not there is empty.
/// @param report gets the comparisons in the order of their paths, one at a time.
/// @throws Error for a folder that cannot be read, a rule file with a mistake, limits of a
/// picture that contradict each other, two files of one stem where pairs are matched by it, and two
/// folders without a picture; DeviceError for a card
/// that cannot be used.
TreeSummary compare_trees(const std::string& golden, const std::string& result,
                          const TreeOptions& options,
                          const std::function<void(const Comparison&)>& report);

/// The same for pairs that are known, without rules.
TreeSummary compare_pairs(const std::vector<TreePair>& pairs, const TreeOptions& options,
                          const std::function<void(const Comparison&)>& report);

/// One pair: with the golden that it matches best, which is named where there are several. Best is
/// one that is equal in every byte, else of those with the best verdict the one with the least
/// error.
/// @param decoded null, or what keeps the pictures of that golden and the result.
Comparison compare_pair(const TreePair& pair, const Limits& limits, const TreeOptions& options,
                        Measurer& measurer, DecodedPair* decoded = nullptr);

}  // namespace cuimg
