// SPDX-License-Identifier: Apache-2.0
#include "stored.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <span>
#include <string_view>
#include <system_error>

#include "apps/cuimg/commands.h"
#include "base/bytes.h"
#include "base/error.h"
#include "compare/report/add_to_report.h"
#include "compare/report/history_plot.h"
#include "compare/report/stored_report.h"
#include "io/output_file.h"
#include "overwriting.h"

namespace cuimg {
namespace {

StoredReport read_report(const std::string& file) {
  const auto source = ByteSource::open_text(file);
  StoredReport report = read_stored_report(text_of_bytes(source->bytes()), file);
  if (report.pairs.empty())
    throw Error(file, "it holds no comparison", "give what cuimg compare --json printed");
  return report;
}

// The pairs of several reports, in their order. The first label counts.
StoredReport read_reports(const std::vector<std::string>& files) {
  StoredReport all;
  for (const std::string& file : files) {
    StoredReport report = read_report(file);
    if (all.label.empty()) all.label = std::move(report.label);
    std::ranges::move(report.pairs, std::back_inserter(all.pairs));
  }
  return all;
}

// The golden folder, derived from the first golden whose path ends in the pair's name.
std::string golden_folder(const StoredReport& report) {
  for (const StoredPair& pair : report.pairs)
    if (const std::string end = "/" + pair.name; !pair.name.empty() && pair.golden.ends_with(end))
      return pair.golden.substr(0, pair.golden.size() - end.size());
  return {};
}

bool is_gone(const std::string& picture) {
  std::error_code unknown;
  return !picture.empty() && picture != "-" && !std::filesystem::exists(picture, unknown) &&
         !unknown;
}

// A report without its pictures is not an error: they may have been removed since.
void warn_of_absent(const StoredReport& report, const std::vector<std::string>& files) {
  std::size_t count = 0;
  std::string first;
  for (const StoredPair& pair : report.pairs)
    for (const std::string& picture : {pair.golden, pair.result})
      if (!pair.is_lone && is_gone(picture) && count++ == 0) first = picture;
  if (count == 0) return;
  const std::string others =
      count == 1   ? ""
      : count == 2 ? ", and 1 other of its pictures does not exist either"
                   : fmt::format(", and {} others of its pictures do not exist either", count - 1);
  const std::string names = fmt::format("{}", fmt::join(files, ", "));
  std::fputs(("cuimg: " + printable(names) + ": " + printable(first) + " does not exist" + others +
              "; the report leaves them out\n")
                 .c_str(),
             stderr);
}

}  // namespace

void write_stored_report(const std::vector<std::string>& files,
                         const std::vector<std::string>& operands, HtmlReportOptions options,
                         const MetricOptions& metric, const CommonOptions& common) {
  if (!operands.empty() || options.folder.empty())
    throw Error("compare", operands.empty() ? "--from needs --html" : operands[0] + " is left over",
                "use cuimg compare --from results.json --html report");
  const StoredReport stored = read_reports(files);
  std::vector<NamedFile> read;
  for (const std::string& file : files) read.push_back({"the file of --from", file});
  for (const StoredPair& pair : stored.pairs)
    for (const std::string& picture : {pair.golden, pair.result})
      read.push_back({"a picture of the report", picture});
  check_compare_outputs({}, options.folder, read);
  warn_of_absent(stored, files);
  options.golden = golden_folder(stored);
  if (!stored.label.empty()) options.title += ": " + stored.label;
  const DecodeOptions decode = verbose_decode_options(common);
  const Queue queue = Queue::cpu(common.threads);
  HtmlReport report(std::move(options));
  int number = 0;
  for (const StoredPair& pair : stored.pairs) {
    ComparedFiles files = {number++, pair.name, pair.golden,  pair.result,
                           true,     pair.json, pair.content, pair.compared_parts};
    if (files.name.empty()) files.name = pair.result.empty() ? pair.golden : pair.result;
    files.keeps_pixels = pair.verdict != "same" || pair.has_warnings;
    add_to_report(report, files, {}, metric, decode, queue);
  }
  report.finish();
}

void write_history(const std::vector<std::string>& files, const std::string& output) {
  if (files.empty() || output.empty())
    throw Error("compare", "--history needs stored reports and -o",
                "use cuimg compare --history A.json B.json -o history.svg");
  std::vector<NamedFile> read;
  for (const std::string& file : files) read.push_back({"a stored report", file});
  check_compare_outputs({{"-o", output}}, "", read);
  const std::filesystem::path extension = std::filesystem::path(output).extension();
  if (output != "-" && extension != ".svg" && extension != ".SVG")
    throw Error("compare", "-o " + output + ": the plot of --history is an SVG",
                "use a name that ends in .svg");
  std::vector<HistoryRun> runs;
  for (const std::string& file : files) {
    StoredReport report = read_report(file);
    if (report.label.empty()) report.label = std::filesystem::path(file).filename().string();
    runs.push_back({std::move(report.label), std::move(report.pairs)});
  }
  write_text_file(output, history_plot(runs));
}

}  // namespace cuimg
