// SPDX-License-Identifier: Apache-2.0
// `cuimg compare`: checks whether a result equals its golden picture within limits.
#include <filesystem>
#include <optional>
#include <set>

#include "apps/cuimg/commands.h"
#include "base/error.h"
#include "compare/compare_files.h"
#include "compare/limit_options.h"
#include "compare/metrics/metric.h"
#include "compare/trees/compare_trees.h"
#include "device/card_session.h"
#include "devices.h"
#include "flip_map.h"
#include "idle.h"
#include "image/pixel_reuse.h"
#include "overwriting.h"
#include "pipeline/batch/sequence.h"
#include "pipeline/run/execution.h"
#include "reports.h"
#include "stored.h"

namespace cuimg {
namespace {

std::vector<std::string> metric_words() {
  std::vector<std::string> words = {std::string(all_metrics)};
  for (const Metric* metric : metrics()) words.emplace_back(metric->name);
  return words;
}

CompareOptions compare_options(const Compare& given, bool all_by_default) {
  CompareOptions options;
  options.metric = {
      given.pixels_per_degree, given.exposures, given.background.rgb, given.range, {}};
  options.metrics = metric_names(given.metric);
  const bool is_by_default = given.metric.empty();
  if (is_by_default && all_by_default)
    options.metrics = metric_names({std::string(all_metrics)});
  else if (!given.flip_map.empty() || (is_by_default && !given.html.empty()))
    for (const Metric* metric : metrics())
      if ((is_by_default && metric->one_pass) || metric->name == "flip" ||
          metric->name == "hdr_flip")
        options.metrics.emplace_back(metric->name);
  return options;
}

int exit_code(Verdict verdict) {
  return verdict == Verdict::same ? 0 : verdict == Verdict::differs ? 1 : 2;
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

bool writes_reports(const Compare& given) {
  return !given.junit.empty() || !given.flip_map.empty() || !given.html.empty();
}

// Before any work: checks that files written by options replace nothing that is read.
void check_outputs(const Compare& given, const std::vector<NamedFile>& read) {
  check_compare_outputs({{"--junit", given.junit}, {"--flip-map", given.flip_map}}, given.html,
                        read);
}

// Compares many pairs. @param compare receives the options and a function for each comparison.
template <class CompareAll>
int run_on_many(const Compare& given, const std::vector<std::string>& operands,
                const CommonOptions& common, const CompareOptions& compare, ComparedKind kind,
                const CompareAll& compare_all) {
  TreeOptions options{given, compare, verbose_decode_options(common)};
  Image mask;
  if (!given.mask.empty()) {
    mask = read_mask(given.mask, options.decode);
    options.compare.mask = &mask;
    options.limits.mask.clear();
  }
  options.threads = common.threads;
  options.jobs = common.jobs;
  options.matching = {given.match, {common.include, common.exclude}, {}};
  if (!common.quiet) options.matching.warn = say;
  options.fail_fast = common.fail_fast;
  options.names_rule = common.explain && kind == ComparedKind::folders;
  options.compare.names_device = common.explain;
  options.devices = measuring_choice(common.device);
  options.warn = say;
  CompareReports reports(given, common, operands[0], operands[1], kind);
  if (reports.shows_pictures())
    options.pictures = [&](int number, const Comparison& comparison, DecodedPair decoded,
                           const Queue& queue) {
      reports.show(number, comparison, std::move(decoded), compare, options.decode, queue);
    };
  TreeSummary summary;
  with_named_cards([&] {
    summary = compare_all(options, [&](const Comparison& comparison) { reports.add(comparison); });
  });
  const int code = reports.finish(summary.exit_code());
  if (!common.json && !common.quiet) print(reports.updates().text(summary) + "\n");
  return code;
}

void refuse_flip_map_of_many(const Compare& given, const char* many) {
  if (!given.flip_map.empty())
    throw Error("compare", std::string("--flip-map is given with two ") + many, "give two files");
}

int run_on_trees(const Compare& given, const std::vector<std::string>& folders,
                 const CommonOptions& common, const CompareOptions& compare) {
  refuse_flip_map_of_many(given, "folders");
  refuse_idle_limits(given, folders);
  if (writes_reports(given)) {
    check_outputs(given, files_read_of_trees(folders[0], folders[1], given));
    check_report_folder(given.html, folders[0], folders[1]);
  }
  return run_on_many(given, folders, common, compare, ComparedKind::folders,
                     [&](const TreeOptions& options, const auto& report) {
                       return compare_trees(folders[0], folders[1], options, report);
                     });
}

// The frame's name, beginning with the first folder that contains its number.
std::string label_of_frame(const std::string& sequence, int frame) {
  std::filesystem::path label;
  bool is_numbered = false;
  for (const std::filesystem::path& part : std::filesystem::path(sequence)) {
    is_numbered = is_numbered || names_frames(part.string());
    if (is_numbered) label /= part;
  }
  return name_of_frame(label.string(), frame);
}

// Frames with the same number form a pair: those that --frames selects, or that exist in either
// sequence.
std::vector<TreePair> pair_frames(const std::string& golden, const std::string& result,
                                  const FrameSet& frames, bool makes_goldens) {
  std::set<int> there;
  for (const std::string& sequence : {golden, result}) {
    const std::set<int> found = frames_there(sequence, frames);
    if (found.empty() && !(makes_goldens && sequence == golden))
      throw Error("compare",
                  printable(sequence) + (frames.empty() ? ": no frame of the sequence exists"
                                                        : ": none of these frames is there"));
    there.insert(found.begin(), found.end());
  }
  std::vector<int> numbers = frames.numbers();
  if (numbers.empty()) numbers.assign(there.begin(), there.end());
  std::vector<TreePair> pairs;
  for (const int frame : numbers)
    pairs.push_back({label_of_frame(golden, frame),
                     {name_of_frame(golden, frame)},
                     name_of_frame(result, frame)});
  return pairs;
}

int run_on_sequences(const Compare& given, const std::vector<std::string>& sequences,
                     const CommonOptions& common, const CompareOptions& compare) {
  refuse_flip_map_of_many(given, "sequences");
  refuse_idle_matching({common.include, common.exclude}, given.match);
  refuse_idle_limits(given, {});
  const std::vector<TreePair> pairs =
      pair_frames(sequences[0], sequences[1], common.frames, given.update);
  if (writes_reports(given)) check_outputs(given, files_read_of_pairs(pairs, given));
  return run_on_many(given, sequences, common, compare, ComparedKind::sequences,
                     [&](const TreeOptions& options, const auto& report) {
                       return compare_pairs(pairs, options, report);
                     });
}

int run_on_files(const Compare& given, const std::vector<std::string>& files,
                 const CommonOptions& common, CompareOptions compare) {
  refuse_idle_matching({common.include, common.exclude}, given.match);
  if (!given.flip_map.empty()) check_flip_map(given.flip_map);
  refuse_idle_limits(given, {});
  if (writes_reports(given)) check_outputs(given, files_read_of_files(files, given));
  CompareReports reports(given, common, files[0], files[1], ComparedKind::files);
  const DecodeOptions decode = verbose_decode_options(common);
  compare.names_device = common.explain;
  MeasuringDevices devices(measuring_choice(common.device), 1, common.threads, say);
  std::optional<Measurer> measurer;
  with_named_cards([&] { measurer.emplace(devices, 0, common.threads); });
  DecodedPair decoded;
  const bool has_flip_map = !given.flip_map.empty();
  Comparison comparison =
      compare_files(files[0], files[1], {given, compare, decode}, *measurer,
                    reports.shows_pictures() || has_flip_map ? &decoded : nullptr);
  comparison.name = file_name(files[1] == "-" ? files[0] : files[1]);
  std::optional<Image> map;
  if (has_flip_map) map = measured_flip_map(comparison, decoded, decode);
  if (reports.shows_pictures())
    reports.show(0, comparison, std::move(decoded), compare, decode, measurer->processor());
  reports.add(comparison);
  if (has_flip_map) write_flip_map(given.flip_map, comparison, map, measurer->processor());
  return reports.finish(exit_code(comparison.verdict));
}

bool is_folder(const std::string& path) {
  std::error_code unknown;
  return path != "-" && std::filesystem::is_directory(path, unknown);
}

bool is_absent(const std::string& path) {
  std::error_code unknown;
  return !std::filesystem::exists(path, unknown) && !unknown;
}

// Whether both operands are sequences. @throws Error if only one is.
bool check_sequences(const std::vector<std::string>& operands, const FrameSet& frames) {
  const auto is_one = [](const std::string& name) { return name != "-" && is_sequence(name); };
  const bool golden = is_one(operands[0]), result = is_one(operands[1]);
  for (const std::string& name : operands)
    if (name.find('#') != std::string::npos && !is_one(name) && is_absent(name))
      throw Error("compare", printable(name) + ": no such file",
                  "a sequence has two # or more, as in in.##.exr");
  if (golden != result)
    throw Error("compare",
                printable(operands[golden ? 0 : 1]) + " is a sequence and " +
                    printable(operands[golden ? 1 : 0]) + " is not",
                "give two sequences, or one frame of it");
  if (!golden && !frames.empty())
    throw Error("compare", "--frames " + format_value(frames) + ": no operand is a sequence",
                "name them as golden.####.exr result.####.exr");
  return golden;
}

int run_compare(const void* values, const std::vector<std::string>& files,
                const CommonOptions& common) {
  const auto& given = *static_cast<const Compare*>(values);
  const PixelReuse reuse;
  make_few_connections(2);  // pairs wait for their figures, so more streams are rarely busy
  const bool reports_stored = !given.from.names.empty();
  if (given.history || reports_stored) refuse_options_of_comparing(given, common);
  if (given.history) {
    write_history(files, common.output);
    return 0;
  }
  if (!common.output.empty())
    throw Error("compare", "-o without --history does nothing",
                "use --html, --junit or --flip-map");
  if (reports_stored) {
    write_stored_report(given.from.names, files, html_options(given),
                        compare_options(given, false).metric, common);
    return 0;
  }
  if (files.size() != 2)
    throw Error("compare",
                files.size() < 2 ? "two operands are needed" : files[2] + " is left over",
                "use cuimg compare GOLDEN RESULT, two files, folders or sequences");
  if (files[0] == "-" && files[1] == "-")
    throw Error("compare", "standard input cannot be both the golden and the result");
  if (given.show && common.json)
    throw Error("compare", "--show and --json both print on standard output", "give one of them");
  if (given.protocol != Protocol::automatic && !given.show)
    throw Error("compare", "--protocol without --show does nothing");
  if (given.yes && !given.update) throw Error("compare", "--yes without --update does nothing");
  check_limits(given);
  const CompareOptions options = compare_options(given, common.json);
  const bool are_sequences = check_sequences(files, common.frames);
  if (are_sequences) return run_on_sequences(given, files, common, options);
  const bool result_is_folder = is_folder(files[1]);
  // The first --update creates the golden folder.
  const bool golden_is_folder =
      is_folder(files[0]) || (given.update && result_is_folder && is_absent(files[0]));
  if (golden_is_folder && result_is_folder) return run_on_trees(given, files, common, options);
  if (golden_is_folder || result_is_folder) {
    const std::string &folder = files[golden_is_folder ? 0 : 1],
                      &other = files[golden_is_folder ? 1 : 0];
    if (other != "-" && is_absent(other)) {
      const Error error(
          "compare",
          printable(other) + " does not exist, and " + printable(folder) + " is a folder",
          "give two files or two folders");
      // The program that makes the results has probably failed; a CI shows its own report.
      if (golden_is_folder && !given.junit.empty()) {
        check_outputs(given, {});
        write_junit_of_error(given.junit, files, error);
      }
      throw error;
    }
    throw Error("compare", printable(folder) + " is a folder and " + printable(other) + " is not",
                "give two files or two folders");
  }
  return run_on_files(given, files, common, options);
}

}  // namespace

Command compare_command() {
  auto describing =
      describe<Compare>("compare", "compare results with their golden pictures, within limits");
  describing
      .param("metric", &Compare::metric, "metrics to measure, or all", placeholder("NAME,..."),
             suggestions(metric_words))
      .param("background", &Compare::background,
             "what shows behind transparent pixels, for FLIP and colour differences")
      .param("pixels-per-degree", &Compare::pixels_per_degree,
             "pixels in one degree of the eye's view, for FLIP",
             MetricOptions::allowed_pixels_per_degree)
      .param(
          "exposures", &Compare::exposures,
          "exposures of HDR-FLIP: from and to which stops, -100 to 100, and how many, 2 to 1000 (1 "
          "if both are equal); default chosen from the light")
      .param("range", &Compare::range, "distance from black to white, for PSNR and SSIM of floats",
             MetricOptions::allowed_range)
      .param("junit", &Compare::junit, "write a report as JUnit's XML", file(), placeholder("FILE"))
      .param("html", &Compare::html, "write a report to look at, index.html in a folder", file(),
             placeholder("DIR"))
      .param("show", &Compare::show, "draw what differs in the terminal")
      .param("protocol", &Compare::protocol, "how --show sends its pictures to the terminal")
      .param("label", &Compare::label, "name of the run in reports", placeholder("NAME"))
      .param("from", &Compare::from,
             "with --html: report what --json printed earlier, instead of comparing; may be "
             "repeated",
             file(), placeholder("FILE"))
      .param("history", &Compare::history,
             "plot each metric over several stored reports of --json, with -o FILE.svg")
      .param("flip-map", &Compare::flip_map, "write the FLIP map of two files as a float picture",
             file(), placeholder("FILE"))
      .param("match", &Compare::match, "how pictures of two folders are paired")
      .param("update", &Compare::update, "list the results that would become goldens")
      .param("yes", &Compare::yes, "with --update: copy these results");
  describe_limits(describing);
  describing
      .details(
          "Exits with 0 if the pictures are the same, with 1 if they differ and with 2 after an "
          "error. Every part, layer and channel counts, and ids must be equal. Without a limit, a "
          "single differing pixel is a difference. Limits replace this rule, and all given limits "
          "must hold. A NaN against another value, another size, other channels, types or windows "
          "are always differences, unless an --allow option names them. Every mip or rip level "
          "must be within the limits too, unless --mip-level chooses a smaller one or "
          "--allow-levels leaves out all but the largest.\n\nValues are compared as stored, "
          "integers as v/max, alpha like the other channels. FLIP and colour differences are "
          "computed from light in Rec.709 over --background. Pixels that --ignore or --mask leave "
          "out count for no metric: means are over the other pixels. Without --metric, the metrics "
          "that a single pass gives are measured; with --html FLIP too, and with --json "
          "all. --flip-map always measures FLIP.\n\n--layers names the layers to compare, as for "
          "stages. A name or pattern that "
          "matches neither picture is an error; a layer that only one of them has is a difference. "
          "--ignore-layers leaves layers out. --update copies whole files, and only if compared "
          "layers differ.\n\nTwo sequences, such as golden.####.exr and result.####.exr, or with "
          "%04d, are compared frame by frame. A frame that only one of them has is a missing "
          "result or a result without a golden.\n\nIn two folders, pictures are paired by path, or "
          "with --match stem by path without the extension. A golden home.png may have variants "
          "such as home@@dark.png: the one that matches best counts. Files named .cuimg-compare in "
          "the golden folder hold limits, in sections [PATTERN] with lines OPTION = VALUE. If "
          "several sections match a picture and set an option, the last one counts; it overrides "
          "the command line. Sections for a variant alone, such as [home@@dark.png], come after "
          "the others. skip = REASON leaves a picture out. --explain names the sections. --update "
          "lists the results that differ or have no golden, and with --yes copies them into the "
          "golden folder.\n\n--show "
          "draws the golden, the result and the difference of each differing pair side by side, "
          "scaled down as by cuimg show: if standard output is not a terminal, in half blocks, 80 "
          "columns wide. Yellow is the largest difference; blue marks pixels that options "
          "forgave.\n\n--device cuda measures on cards, with the same figures in every bit. The "
          "CPU measures pairs that do not fit on a card, and the rest if a card fails. auto uses a "
          "card if that saves more time than starting it costs; --explain says why. both measures "
          "on the CPU and a card, and a figure that differs is an error.\n\n--html writes a report "
          "that a browser opens from the disk, with the pictures of pairs that do not pass and "
          "thumbnails of those that do. --from makes the report from what --json printed earlier, "
          "with the pictures that still exist; repeated, one report of several files. --history "
          "plots each metric over several such "
          "files; a run is named by its --label, or else by its file. Both exit with 0 once the "
          "output is written.")
      .example("cuimg compare golden.exr out.exr")
      .example("cuimg compare --fail 0.004 --fail-percent 0.1 golden.png out.png")
      .example("cuimg compare --fail-flip 0.05 --flip-statistic median golden.exr out.exr")
      .example("cuimg compare --metric all --json golden.png out.png")
      .example("cuimg compare --fail 0.002 --junit report.xml goldens/ results/")
      .example("cuimg compare --show goldens/ results/")
      .example("cuimg compare --layers 'diffuse*,specular' golden.exr out.exr")
      .example("cuimg compare --frames 1-100x10 golden.####.exr out.####.exr")
      .example("cuimg compare --html report goldens/ results/")
      .example("cuimg compare --update --yes goldens/ results/")
      .example("cuimg compare --from results.json --html report")
      .example("cuimg compare --history monday.json tuesday.json -o history.svg");
  return {describing,
          "GOLDEN RESULT",
          {"mip-level", "raw", "icc", "icc-intent", "icc-black-point", "limit-pixels", "include",
           "exclude", "frames", "device", "threads", "jobs", "fail-fast", "explain", "json",
           "output", "quiet", "verbose", "help"},
          run_compare,
          {with_own_help("output", "write the plot of --history, an .svg file"),
           with_own_help("json",
                         "print one object a line for each pair, with the verdict, its reasons, "
                         "the metrics and the versions of the libraries"),
           with_own_help("frames",
                         "frames of two sequences such as golden.####.exr and result.####.exr; "
                         "default all that either has")}};
}

}  // namespace cuimg
