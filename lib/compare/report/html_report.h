// SPDX-License-Identifier: Apache-2.0
// The folder of `compare --html`: index.html with the list of pairs and the viewer, and a script
// file for each layer of a pair whose pixels are kept.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "compare/report/layer_script.h"
#include "image/image.h"

namespace cuimg {

struct HtmlReportOptions {
  std::string folder;  ///< Made where it is not there.
  std::string title = "cuimg compare";
  std::string golden;  ///< The tree of goldens, for results that have none yet.
  /// The beginning of the command that the page offers for accepted results; the paths of the
  /// golden and of the result follow.
  std::string update = "cuimg compare --update --yes";
  /// Layers with more bytes on both sides together are left out: browsers refuse a script of
  /// 512 MiB.
  std::size_t most_layer_bytes = std::size_t{375} << 20;
  /// How many scripts wait for finish() as files without names, each with a descriptor. Of those,
  /// a process that is killed leaves nothing.
  std::size_t most_open_scripts = 128;
};

/// The maps of one layer; any may be empty. Without `difference` the viewer computes where stored
/// values differ, and shows what `forgiven` marks apart from what counts.
struct ReportMaps {
  ErrorMap difference;
  ErrorMap flip;
  ForgivenPixels forgiven = {};
};

struct ReportPart {
  std::string name;               ///< Often empty.
  const Image* golden = nullptr;  ///< Null where that side lacks the part.
  const Image* result = nullptr;
  std::vector<ReportMaps> maps;  ///< By the golden's layer, the result's without a golden.
  int number = -1;               ///< Of the part in the golden; negative: its place in the list.
  std::string level = {};        ///< Of a mip or rip map: "3", "2,1". Empty: the picture itself.
};

/// A pair as it was compared.
struct ReportPair {
  int number = 0;    ///< Its own in the report, 0 to 9,999,999: the name of its script files.
  std::string name;  ///< The path below both trees, shown in the list.
  /// The pair's object of --json, from which the viewer takes all text. Members that it knows:
  /// `golden`, `result` (paths, empty or null where missing), `verdict`, `reasons` and `warnings`
  /// (lists of texts, or of objects with `text`), `reason_codes` ("missing", "extra"), `metrics`
  /// (numbers by name, nested or dotted) with `first` and `worst` (`part`, `layer`, `x`, `y`,
  /// `channel`, `golden`, `result`), `layers` (list of objects with `part`, `level`, `layer`,
  /// `metrics`; a layer without a name is called by its channels), `variant`, `rule`, `allowed`
  /// (list of texts), `forgiven` (counts by name), `equal_bytes`.
  std::string json;
  std::vector<ReportPart> parts;  ///< Empty: no pixels are there, as from a stored --json.
  bool keeps_pixels = true;       ///< If false, only a thumbnail is kept: for pairs that passed.
};

/// Writes a report. It appears with finish() and replaces an earlier one. Memory does not grow with
/// the number of pairs, except for their files' names.
class HtmlReport {
 public:
  /// @throws Error when the folder cannot be written.
  explicit HtmlReport(HtmlReportOptions options);
  /// Without finish() the folder keeps an earlier report, or is removed if it was not there.
  ~HtmlReport();
  HtmlReport(const HtmlReport&) = delete;
  HtmlReport& operator=(const HtmlReport&) = delete;

  /// Writes a pair. May be called from several threads; the list shows failed pairs first whatever
  /// the order of calls. @throws Error, also for `json` that is no JSON object.
  void add(const ReportPair& pair);
  /// Puts index.html in place and removes scripts of an earlier report. Called once. @throws Error.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cuimg
