// SPDX-License-Identifier: Apache-2.0
#include "compare/trees/compare_trees.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>

#include "base/error.h"
#include "base/threads.h"
#include "compare/compare_files.h"
#include "compare/trees/rule_file.h"

namespace cuimg {
namespace {

// The mean squared difference of values, whichever metrics are measured.
double mean_square_error(const Comparison& c) {
  double squares = 0, values = 0;
  for (const LayerComparison& layer : c.layers) {
    squares += layer.differences.sum_of_squares;
    values += static_cast<double>(layer.differences.values);
  }
  return values > 0 ? squares / values : 0;
}

// Orders comparisons from better to worse.
auto badness(const Comparison& c) {
  return std::tuple(c.verdict, !c.equal_bytes, c.reasons.empty() ? 0 : (c.layers.empty() ? 1 : 0),
                    c.mismatches, c.pixels_failing, mean_square_error(c), c.pixels_differing,
                    c.forgiven.shifted + c.forgiven.antialiased + c.forgiven.non_finite);
}

void count(const Comparison& c, TreeSummary& summary) {
  const bool is_same = c.verdict == Verdict::same;
  if (!c.skipped.empty())
    ++summary.skipped_by_rule;
  else if (c.verdict == Verdict::error)
    ++summary.errors;
  else if (c.lone == "missing")
    ++(is_same ? summary.allowed_missing : summary.missing);
  else if (c.lone == "extra")
    ++(is_same ? summary.allowed_extra : summary.extra);
  else if (is_same)
    ++summary.same;
  else
    ++summary.differs;
  if (!c.warnings.empty()) ++summary.warned;
}

// For an error about a mask, regions, layers or a part from a section: names the section.
void name_section(const PictureLimits& rules, Comparison& comparison) {
  if (comparison.verdict != Verdict::error) return;
  Reason& reason = comparison.reasons.front();
  for (const char* option : {"mask", "ignore", "layers", "ignore-layers", "part"}) {
    // No pixel is left to compare.
    const bool is_of_pixels =
        option == std::string_view("mask") || option == std::string_view("ignore");
    const bool is_about = reason.code == option || (is_of_pixels && reason.code == "nothing-left");
    const std::string section = is_about ? rules.section_of(option) : "";
    if (!section.empty())
      reason.text += std::string(" (") + option + " of " + printable(section) + ")";
  }
}

// The limits for a pair, or for one of its goldens.
PictureLimits rules_of(const TreePair& pair, const std::vector<CompareRule>& rules,
                       const std::string& golden = "") {
  const bool is_variant = !variant_of(golden).empty();
  return {rules, pair.path, is_variant ? pair.path_of(golden) : ""};
}

void name_rule(const PictureLimits& rules, Comparison& comparison) {
  comparison.rule = rules.text();
  if (comparison.rule.empty()) comparison.rule = "none; the limits of the command line";
}

// A pair without the goldens that rules skip. @param skipped receives the comparison of a pair of
// which nothing is left.
TreePair without_skipped(TreePair pair, const std::vector<CompareRule>& rules, bool names_rule,
                         std::optional<Comparison>& skipped) {
  const auto skip = [&](const std::string& golden) {
    const PictureLimits of_rules = rules_of(pair, rules, golden);
    const std::string reason = of_rules.skip();
    if (!reason.empty() && !skipped) {
      skipped.emplace();
      skipped->name = pair.path;
      skipped->golden = golden;
      skipped->result = pair.result;
      skipped->skipped = reason;
      skipped->variant = variant_of(golden);
      if (names_rule) name_rule(of_rules, *skipped);
    }
    return !reason.empty();
  };
  std::vector<std::string> goldens = pair.goldens;
  if (goldens.empty()) {
    skip("");
    return pair;
  }
  std::erase_if(goldens, skip);
  if (!goldens.empty()) skipped.reset();
  pair.goldens = std::move(goldens);
  return pair;
}

// Compares with one golden of a pair. @param golden empty: there is none.
Comparison compare_with(const TreePair& pair, const std::string& golden,
                        const std::vector<CompareRule>& rules, const TreeOptions& options,
                        Measurer& measurer, DecodedPair* decoded) {
  const PictureLimits of_rules = rules_of(pair, rules, golden);
  Limits limits = options.limits;
  of_rules.apply(limits);
  Comparison found =
      golden.empty() || pair.result.empty()
          ? lone_file(golden, pair.result, pair.result.empty(), limits)
          : compare_files(golden, pair.result, {limits, options.compare, options.decode}, measurer,
                          decoded);
  found.name = pair.path;
  found.variant = variant_of(golden);
  if (found.variant.empty() && pair.goldens.size() > 1) found.variant = "default";
  name_section(of_rules, found);
  if (options.names_rule) name_rule(of_rules, found);
  return found;
}

// The reason why a golden cannot be compared; empty if it can.
std::string problem_of(const std::string& golden, const DecodeOptions& decode) {
  try {
    check_golden(golden, decode);
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Compares with the golden that matches best: one that is equal in every byte, otherwise the one
// with the least error among those with the best verdict. Goldens that cannot be read are warnings
// if another one passes or differs, since a broken one would otherwise never be noticed.
// @param decoded null, or receives the pictures of that golden and the result.
Comparison compare_pair(const TreePair& whole, const std::vector<CompareRule>& rules,
                        const TreeOptions& options, Measurer& measurer, DecodedPair* decoded) {
  std::optional<Comparison> skipped;
  const TreePair pair = without_skipped(whole, rules, options.names_rule, skipped);
  if (skipped) return *std::move(skipped);
  if (pair.result.empty() || pair.goldens.empty())
    return compare_with(pair, pair.goldens.empty() ? "" : pair.goldens.front(), rules, options,
                        measurer, nullptr);
  std::optional<Comparison> best;
  std::vector<Reason> broken;
  for (const std::string& golden : pair.goldens) {
    if (best && best->equal_bytes) {
      if (const std::string problem = problem_of(golden, options.decode); !problem.empty())
        broken.push_back({"variant", problem});
      continue;
    }
    DecodedPair pictures;
    Comparison found = compare_with(pair, golden, rules, options, measurer,
                                    decoded != nullptr ? &pictures : nullptr);
    if (found.verdict == Verdict::error) broken.push_back({"variant", found.reasons.front().text});
    if (best && !(badness(found) < badness(*best))) continue;
    best = std::move(found);
    if (decoded != nullptr) *decoded = std::move(pictures);
  }
  if (best->verdict != Verdict::error)
    std::ranges::move(broken, std::back_inserter(best->warnings));
  return *std::move(best);
}

// As a golden it would be a variant of another picture, so no golden could be recorded for it.
void refuse_variant(const std::string& result) {
  if (!variant_of(result).empty())
    throw Error("compare",
                printable(result) +
                    ": @@ in a name marks a variant of a golden, so a result cannot have it",
                "rename it, or leave it out with --exclude '*@@*'");
}

void warn_of_unused(const std::vector<CompareRule>& rules, const std::vector<TreePair>& pairs,
                    const std::function<void(const std::string&)>& warn) {
  const auto is_used = [&](const CompareRule& rule) {
    return std::ranges::any_of(pairs, [&](const TreePair& pair) {
      return rule.matches(pair.path) ||
             std::ranges::any_of(pair.goldens, [&](const std::string& golden) {
               return rule.matches(pair.path_of(golden));
             });
    });
  };
  for (const CompareRule& rule : rules) {
    if (is_used(rule)) continue;
    CompareRule below = rule;
    below.pattern = rule.pattern.substr(0, rule.pattern.find_last_not_of('/') + 1) + "/**";
    warn(rule.place + ": [" + rule.pattern + "] matches no picture" +
         (is_used(below) ? ": use [" + below.pattern + "] for those in the folder" : ""));
  }
}

// Hands out pairs to threads, and comparisons in order to one function.
class TreeRun {
 public:
  TreeRun(const std::vector<TreePair>& pairs, const std::vector<CompareRule>& rules,
          const TreeOptions& options, const std::function<void(const Comparison&)>& report)
      : pairs_(pairs),
        rules_(rules),
        options_(options),
        report_(report),
        done_(pairs.size()),
        devices_(options.devices, pairs.size(), options.threads, options.warn) {}

  TreeSummary run() {
    const int threads = options_.threads > 0 ? options_.threads : hardware_threads();
    constexpr int most_on_a_card = 4;  // decoding takes longer than what a card does
    const bool on_cards = options_.devices.kind == MeasuringChoice::Kind::cards ||
                          options_.devices.kind == MeasuringChoice::Kind::both;
    const int by_itself =
        on_cards
            ? std::min(threads, most_on_a_card * static_cast<int>(options_.devices.cards.size()))
            : threads;
    const int wanted = options_.jobs > 0 ? options_.jobs : by_itself;
    const int jobs = std::max(1, std::min(wanted, static_cast<int>(pairs_.size())));
    const int each = std::max(1, threads / jobs);
    std::vector<std::thread> others;
    try {
      for (int i = 1; i < jobs; ++i) others.emplace_back([this, each, i] { work(i, each); });
    } catch (const std::system_error&) {
      // The system gives no more threads: those that exist do all the work.
    }
    work(0, each);
    for (std::thread& other : others) other.join();
    if (failed_) std::rethrow_exception(failed_);
    // Pairs after one that fail_fast skipped may be complete.
    for (const auto& [index, comparison] : waiting_) report(comparison);
    for (std::size_t i = 0; i < pairs_.size(); ++i) summary_.skipped += !done_[i];
    return summary_;
  }

 private:
  void work(int worker, int threads) {
    try {
      Measurer measurer(devices_, worker, threads);
      TreeOptions own = options_;
      own.decode.threads = threads;
      for (std::size_t i = next_++; i < pairs_.size() && !stopped_; i = next_++) {
        DecodedPair decoded;
        Comparison comparison =
            compare_pair(pairs_[i], rules_, own, measurer, options_.pictures ? &decoded : nullptr);
        devices_.end_pair();
        if (options_.pictures)
          options_.pictures(static_cast<int>(i), comparison, std::move(decoded),
                            measurer.processor());
        if (options_.fail_fast && comparison.verdict != Verdict::same) stopped_ = true;
        finish(i, std::move(comparison));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failed_) failed_ = std::current_exception();
      stopped_ = true;
    }
  }

  // Reports all comparisons before the first one that is still in progress.
  void finish(std::size_t index, Comparison&& comparison) {
    const std::lock_guard lock(mutex_);
    done_[index] = true;
    waiting_.emplace(index, std::move(comparison));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == reported_;) {
      report(first->second);
      first = waiting_.erase(first);
      ++reported_;
    }
  }

  void report(const Comparison& comparison) {
    report_(comparison);
    count(comparison, summary_);
  }

  const std::vector<TreePair>& pairs_;
  const std::vector<CompareRule>& rules_;
  const TreeOptions& options_;
  const std::function<void(const Comparison&)>& report_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::vector<char> done_;
  std::map<std::size_t, Comparison> waiting_;
  std::size_t reported_ = 0;
  TreeSummary summary_;
  std::exception_ptr failed_;
  MeasuringDevices devices_;
};

}  // namespace

TreeSummary compare_trees(const std::string& golden, const std::string& result,
                          const TreeOptions& options,
                          const std::function<void(const Comparison&)>& report) {
  const std::vector<CompareRule> rules = read_rules(golden, result);
  const std::vector<std::string> masks = masks_of(rules);
  const std::vector<TreePair> pairs = pair_trees(golden, result, masks, options.matching);
  if (pairs.empty())
    throw Error(
        "compare",
        "no picture is in " + printable(golden) + " or " + printable(result) +
            (options.matching.files.is_empty() ? "" : " that --include and --exclude take"));
  for (const TreePair& pair : pairs) {
    refuse_variant(pair.result);
    std::vector<std::string> goldens = pair.goldens;
    goldens.emplace_back();
    for (const std::string& golden : goldens) {
      Limits limits = options.limits;
      rules_of(pair, rules, golden).apply(limits);
      check_limits(limits, golden.empty() ? pair.path : pair.path_of(golden));
    }
  }
  // A section for pictures that --include and --exclude leave out is used in another run.
  if (options.matching.warn)
    warn_of_unused(rules,
                   options.matching.files.is_empty() ? pairs : pair_trees(golden, result, masks),
                   options.matching.warn);
  return TreeRun(pairs, rules, options, report).run();
}

TreeSummary compare_pairs(const std::vector<TreePair>& pairs, const TreeOptions& options,
                          const std::function<void(const Comparison&)>& report) {
  const std::vector<CompareRule> no_rules;
  return TreeRun(pairs, no_rules, options, report).run();
}

}  // namespace cuimg
