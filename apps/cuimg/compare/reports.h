// SPDX-License-Identifier: Apache-2.0
// The output of `cuimg compare`: each comparison when it is done, and reports of all at the end.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "compare/decoded_pair.h"
#include "compare/report/html_report.h"
#include "pipeline/options.h"
#include "show.h"
#include "update.h"

namespace cuimg {

/// The options of the command.
struct Compare : Limits {
  std::vector<std::string> metric;
  Background background = {MetricOptions{}.background};
  float pixels_per_degree = MetricOptions{}.pixels_per_degree;
  std::optional<Exposures> exposures;
  float range = MetricOptions{}.range;
  std::string junit, html, flip_map, label;
  FileNames from;
  bool show = false, history = false, update = false, yes = false;
  Protocol protocol = Protocol::automatic;
  MatchBy match = MatchBy::path;
};

HtmlReportOptions html_options(const Compare& given);

/// The report of --junit for a run that could not compare anything: one test, named by the results.
void write_junit_of_error(const std::string& file, const std::vector<std::string>& operands,
                          const std::exception& error);

/// The kind of a command's pairs.
enum class ComparedKind : std::uint8_t { files, folders, sequences };

/// Prints comparisons as they are completed, and at the end writes the reports that options
/// request.
class CompareReports {
 public:
  /// @param golden, result the operands.
  CompareReports(const Compare& given, const CommonOptions& common, const std::string& golden,
                 const std::string& result, ComparedKind kind);

  /// Whether show() needs the decoded pictures.
  bool shows_pictures() const { return html_ != nullptr || drawing_; }
  /// Called before add() for the same comparison. May be called by several threads.
  void show(int number, const Comparison& comparison, DecodedPair decoded,
            const CompareOptions& options, const DecodeOptions& decode, const Queue& queue);
  void add(const Comparison& comparison);

  /// @returns the exit code, which updates change to 0 if they leave no difference.
  int finish(int code);
  /// The results of updating goldens; only after finish().
  const GoldenUpdates& updates() const { return updates_; }

 private:
  bool becomes_golden(const Comparison& comparison) const;
  void print_drawing(const std::string& name);
  Json json_of(const Comparison& comparison) const;

  const Compare& given_;
  const CommonOptions& common_;
  /// Whether only comparisons that need attention are printed, unless an option asks for more.
  const bool are_many_;
  std::optional<PairDrawing> drawing_;
  std::unique_ptr<HtmlReport> html_;
  std::mutex mutex_;  ///< Guards drawn_.
  /// By the pair's name; kept until the pair is printed.
  std::map<std::string, std::string> drawn_;
  std::vector<Comparison> all_;
  GoldenUpdates updates_;
};

}  // namespace cuimg
