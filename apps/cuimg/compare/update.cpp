// SPDX-License-Identifier: Apache-2.0
#include "update.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <map>

#include "base/error.h"
#include "base/message_text.h"
#include "compare/trees/tree_pairs.h"
#include "pipeline/batch/file_keys.h"

namespace cuimg {
namespace {

// "2 missing", "2 missing (allowed)", "3 missing (2 allowed)".
std::string lone_text(const char* what, std::size_t refused, std::size_t allowed) {
  std::string text = fmt::format("{} {}", refused + allowed, what);
  if (allowed > 0)
    text += refused == 0 ? std::string(" (allowed)") : fmt::format(" ({} allowed)", allowed);
  return text;
}

}  // namespace

void GoldenUpdates::add(const Comparison& comparison) {
  if (auto update = golden_update(comparison, golden_, result_))
    updates_.push_back(std::move(*update));
  else if (comparison.verdict == Verdict::differs)
    ++not_updated_;
  for (const std::string& file : {comparison.golden, comparison.result})
    if (!file.empty() && file != "-") read_.push_back(file);
}

// A copy goes to the file behind a link. If that is the file of another name too, the copy would
// change what another pair is compared with, or overwrite the copy of another result.
void GoldenUpdates::refuse_shared_goldens() const {
  if (updates_.empty()) return;
  std::vector<std::string> files = read_;
  // Other variants, and goldens that --include and --exclude leave out.
  if (!golden_.empty())
    for (TreePair& pair : pair_trees(golden_, result_, {})) {
      files.insert(files.end(), pair.goldens.begin(), pair.goldens.end());
      if (!pair.result.empty()) files.push_back(pair.result);
    }
  for (const GoldenUpdate& update : updates_) files.push_back(update.to);
  std::map<std::string, std::set<std::string>> names;  // by file
  FileKeys keys;
  for (const std::string& file : files) names[keys.of(file)].insert(file);
  for (const GoldenUpdate& update : updates_)
    for (const std::string& other : names[keys.of(update.to)])
      if (other != update.to)
        throw Error("compare",
                    printable(update.to) + " and " + printable(other) +
                        " are links to one file, so --update would change both",
                    "replace one of them by a file of its own");
}

void GoldenUpdates::finish(bool copies, const DecodeOptions& decode) {
  refuse_shared_goldens();
  std::size_t accepted = 0;
  for (const GoldenUpdate& update : updates_) {
    try {
      if (copies)
        copy_to_golden(update, decode);
      else
        check_acceptable(update, decode);
    } catch (const std::exception& error) {
      // The others can still become goldens.
      ++(update.is_new ? refused_new_ : refused_);
      std::fputs(("cuimg: " +
                  naming(update.from, printable(error.what()), {update.from, update.to}) + "\n")
                     .c_str(),
                 stderr);
      continue;
    }
    ++accepted;
    if (copies) {
      ++(update.is_new ? added_ : updated_);
      copied_.insert(update.from);
    }
    const char* const what = copies ? (update.is_new ? "added: " : "updated: ")
                                    : (update.is_new ? "would add: " : "would update: ");
    std::fputs(
        ("cuimg: " + (what + printable(update.to)) + " from " + printable(update.from) + "\n")
            .c_str(),
        stderr);
  }
  if (!copies && accepted > 0)
    std::fputs("cuimg: compare: nothing was copied; give --yes too\n", stderr);
}

void GoldenUpdates::pass_copied(Comparison& comparison) const {
  if (comparison.verdict != Verdict::differs || !copied_.contains(comparison.result)) return;
  comparison.verdict = Verdict::same;
  for (Reason& reason : comparison.reasons)
    comparison.warnings.push_back({reason.code, "accepted: " + reason.text});
  comparison.reasons.clear();
}

int GoldenUpdates::exit_code(int code) const {
  if (refused_ + refused_new_ > 0) return 2;
  const bool copied = updated_ + added_ == updates_.size();
  return copied && code == 1 && not_updated_ == 0 ? 0 : code;
}

TreeSummary GoldenUpdates::left(TreeSummary summary) const {
  summary.differs -= updated_ + refused_;
  summary.extra -= added_ + refused_new_;
  summary.errors += refused_ + refused_new_;
  return summary;
}

std::string GoldenUpdates::text(const TreeSummary& summary) const {
  const TreeSummary counts = left(summary);
  std::string text = fmt::format("{} same, {} differ, {}, {}, {}", counts.same, counts.differs,
                                 lone_text("missing", counts.missing, counts.allowed_missing),
                                 lone_text("extra", counts.extra, counts.allowed_extra),
                                 counted(counts.errors, "error"));
  if (updated_ > 0) text += fmt::format(", {} updated", updated_);
  if (added_ > 0) text += fmt::format(", {} added", added_);
  if (counts.warned > 0) text += fmt::format(", {} with warnings", counts.warned);
  if (counts.skipped_by_rule > 0) text += fmt::format(", {} skipped", counts.skipped_by_rule);
  if (counts.skipped > 0) text += fmt::format(", {} not compared", counts.skipped);
  return text;
}

}  // namespace cuimg
