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
  std::string folder;  ///< Created if it does not exist.
  std::string title = "cuimg compare";
  std::string golden;  ///< The tree of goldens, for results that have none yet.
  /// The beginning of the command that the page offers for accepted results; the paths of the
  /// golden and of the result follow.
  std::string update = "cuimg compare --update --yes";
  /// Layers whose two sides together have more bytes are left out: browsers refuse a script of
  /// 512 MiB.
  std::size_t most_layer_bytes = std::size_t{375} << 20;
  /// The number of scripts that wait for finish() as files without names, each with a descriptor.
  /// If the process is killed, nothing remains of them.
  std::size_t most_open_scripts = 128;
};

/// The maps of one layer; any may be empty. Without `difference` the viewer computes where stored
/// values differ. It shows pixels that `forgiven` marks differently from those that count.
struct ReportMaps {
  ErrorMap difference;
  ErrorMap flip;
  ForgivenPixels forgiven = {};
};

struct ReportPart {
  std::string name;               ///< Often empty.
  const Image* golden = nullptr;  ///< Null if that side lacks the part.
  const Image* result = nullptr;
  /// By the golden's layer, or by the result's if there is no golden.
  std::vector<ReportMaps> maps;
  /// The part's number in the golden; negative: its position in the list.
  int number = -1;
  /// The level of a mip or rip map: "3", "2,1". Empty: the full-size picture.
  std::string level = {};
  /// How far `result` was moved to lie over the golden; the page's facts name its own place.
  Shift moved = {};
};

/// A pair that was compared.
struct ReportPair {
  /// The pair's number in the report, 0 to 9,999,999, which is in the names of its script files.
  int number = 0;
  std::string name;  ///< The path relative to both trees, shown in the list.
  /// The pair's object from --json, from which the viewer takes all text. It uses these members:
  /// `golden`, `result` (paths, empty or null where missing), `verdict`, `reasons` and `warnings`
  /// (lists of texts, or of objects with `text`), `reason_codes` ("missing", "extra"), `metrics`
  /// (numbers by name, nested or dotted) with `first` and `worst` (`part`, `layer`, `x`, `y`,
  /// `channel`, `golden`, `result`), `layers` (list of objects with `part`, `level`, `layer`,
  /// `golden_layer`, `metrics`; a layer without a name is named by its channels), `variant`,
  /// `rule`, `allowed` (list of texts), `forgiven` (counts by name), `equal_bytes`.
  std::string json;
  std::vector<ReportPart> parts;  ///< Empty if there are no pixels, as for a stored --json.
  bool keeps_pixels = true;       ///< If false, only a thumbnail is kept: for pairs that passed.
};

/// Writes a report. finish() makes it visible and replaces an earlier one. Memory does not grow
/// with the number of pairs, except for their files' names, and for the entries of pairs that are
/// added before one with a smaller number.
class HtmlReport {
 public:
  /// @throws Error if the folder cannot be written.
  explicit HtmlReport(HtmlReportOptions options);
  /// Without finish() the folder keeps an earlier report, or is removed if it was created.
  ~HtmlReport();
  HtmlReport(const HtmlReport&) = delete;
  HtmlReport& operator=(const HtmlReport&) = delete;

  /// Writes a pair. May be called from several threads; the files have the same bytes whatever the
  /// order of calls. @throws Error, also if `json` is not a JSON object.
  void add(const ReportPair& pair);
  /// Puts index.html in place and removes scripts of an earlier report. Called once. @throws Error.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cuimg
