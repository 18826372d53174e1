// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --update`: collects the results that become goldens, copies them after the last
// comparison, and prints a summary.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "compare/trees/compare_trees.h"
#include "compare/trees/update_goldens.h"

namespace cuimg {

class GoldenUpdates {
 public:
  /// @param golden, result folders of trees; empty for a pair of files.
  GoldenUpdates(std::string golden, std::string result)
      : golden_(std::move(golden)), result_(std::move(result)) {}

  void add(const Comparison& comparison);
  /// Lists the files that would be copied, or copies them. Files that cannot be read or written are
  /// reported on standard error, and the others are still copied. @throws Error before the first
  /// copy if a golden that it would replace is also another golden or a result, through links.
  void finish(bool copies, const DecodeOptions& decode);
  /// After finish(): turns the reasons of a comparison whose result became the golden into
  /// warnings, and sets its verdict to `same`.
  void pass_copied(Comparison& comparison) const;
  /// The exit code after finish(): 0 if copies leave no difference, 2 if a result could not be
  /// accepted.
  int exit_code(int code) const;
  /// "1 same, 0 differ, 0 missing, 2 extra (allowed), 0 errors, 1 updated": the counts after
  /// finish().
  std::string text(const TreeSummary& summary) const;

 private:
  /// Without the copied pairs; refused results count as errors.
  TreeSummary left(TreeSummary summary) const;

  void refuse_shared_goldens() const;

  std::string golden_, result_;
  std::vector<std::string> read_;  ///< Goldens and results that were compared.
  std::vector<GoldenUpdate> updates_;
  std::set<std::string> copied_;  ///< Results that became goldens.
  std::size_t not_updated_ = 0, updated_ = 0, added_ = 0, refused_ = 0, refused_new_ = 0;
};

}  // namespace cuimg
