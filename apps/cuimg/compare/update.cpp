// SPDX-License-Identifier: Apache-2.0
#include "update.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "base/error.h"
#include "base/message_text.h"

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
}

void GoldenUpdates::finish(bool copies, const DecodeOptions& decode) {
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
  if (counts.skipped > 0) text += fmt::format(", {} not compared", counts.skipped);
  return text;
}

}  // namespace cuimg
