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

/// Receives a comparison with the decoded pictures. Called by the thread that compared, several at
/// a time.
/// @param number the pair's index in the order of paths.
using PictureReport = std::function<void(int number, const Comparison& comparison,
                                         DecodedPair decoded, const Queue& queue)>;

struct TreeOptions {
  /// The rules in the golden tree's `.cuimg-compare` files are applied after these.
  Limits limits;
  CompareOptions compare;
  DecodeOptions decode;
  int threads = 0;  ///< 0: hardware_threads().
  /// Pairs at a time; 0: as many as threads, but with cards at most 4 for each card.
  int jobs = 0;
  MeasuringChoice devices;  ///< The devices that measure.
  /// Gets a message if the processor replaces a card. Called by several threads, one at a time.
  std::function<void(const std::string&)> warn;
  /// How pictures of both folders are paired. Its `warn` also gets the sections of rule files that
  /// match no picture.
  TreeMatching matching;
  bool fail_fast = false;   ///< Begin no pair after the first one that is not the same.
  bool names_rule = false;  ///< Whether Comparison::rule is filled in.
  PictureReport pictures;   ///< Empty: pictures are not kept.
};

/// The numbers of pairs by result.
struct TreeSummary {
  std::size_t same = 0, differs = 0, missing = 0, extra = 0, errors = 0, warned = 0;
  std::size_t allowed_missing = 0, allowed_extra = 0;  ///< Not included in the other numbers.
  std::size_t skipped_by_rule = 0;                     ///< The same.
  std::size_t skipped = 0;                             ///< Skipped by fail_fast.

  /// 0 if all pairs are the same, 1 if one is not, 2 after an error.
  int exit_code() const { return errors > 0 ? 2 : differs + missing + extra > 0 ? 1 : 0; }
};

/// @param golden, result folders; a folder that does not exist counts as empty.
/// @param report gets the comparisons in the order of their paths, one at a time.
/// @throws Error for a folder that cannot be read, an error in a rule file, contradictory limits of
/// a picture, two files with the same stem if pairs are matched by stem, a result with the name of
/// a variant, and two folders without a picture; DeviceError for a card that cannot be used.
TreeSummary compare_trees(const std::string& golden, const std::string& result,
                          const TreeOptions& options,
                          const std::function<void(const Comparison&)>& report);

/// The same for known pairs, without rules.
TreeSummary compare_pairs(const std::vector<TreePair>& pairs, const TreeOptions& options,
                          const std::function<void(const Comparison&)>& report);

}  // namespace cuimg
