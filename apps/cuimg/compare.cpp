// SPDX-License-Identifier: Apache-2.0
// `cuimg compare`: whether a result is its golden picture, within limits.
#include "base/error.h"
#include "commands.h"
#include "compare/compare_files.h"
#include "compare/comparison_report.h"
#include "compare/limit_options.h"
#include "compare/metric.h"
#include "pipeline/decode_options.h"

namespace cuimg {
namespace {

struct Compare : Limits {
  std::vector<std::string> metric;
  Background background = {MetricOptions{}.background};
  float pixels_per_degree = MetricOptions{}.pixels_per_degree;
  std::optional<Exposures> exposures;
  float range = MetricOptions{}.range;
};

std::vector<std::string> metric_words() {
  std::vector<std::string> words = {"all"};
  for (const Metric* metric : metrics()) words.emplace_back(metric->name);
  return words;
}

CompareOptions compare_options(const Compare& given, bool all_by_default) {
  CompareOptions options;
  options.metric = {
      given.pixels_per_degree, given.exposures, given.background.rgb, given.range, {}};
  options.metrics = metric_names(given.metric);
  if (given.metric.empty() && all_by_default) options.metrics = metric_names({"all"});
  return options;
}

int exit_code(Verdict verdict) {
  return verdict == Verdict::same ? 0 : verdict == Verdict::differs ? 1 : 2;
}

int run_compare(const void* values, const std::vector<std::string>& files,
                const CommonOptions& common) {
  const auto& given = *static_cast<const Compare*>(values);
  if (files.size() != 2)
    throw Error("compare", files.size() < 2 ? "two files are needed" : files[2] + " is left over",
                "use cuimg compare GOLDEN RESULT");
  if (files[0] == "-" && files[1] == "-")
    throw Error("compare", "standard input cannot be both the golden and the result");
  const CompareOptions options = compare_options(given, common.json);
  const Queue queue = Queue::cpu(common.threads);
  const Comparison comparison =
      compare_files(files[0], files[1], given, options, verbose_decode_options(common), queue);
  if (common.json)
    print(comparison_json(comparison).line());
  else if (!common.quiet)
    print(comparison_text(comparison, true));
  return exit_code(comparison.verdict);
}

}  // namespace

Command compare_command() {
  auto describing = describe<Compare>("compare", "whether a picture is its golden one, in limits");
  describing
      .param("metric", &Compare::metric, "what is measured, or all", placeholder("NAME,..."),
             suggestions(metric_words))
      .param("background", &Compare::background, "what shows behind alpha, for FLIP and colours")
      .param("pixels-per-degree", &Compare::pixels_per_degree,
             "how much of it the eye sees, for FLIP", range(1.0f, 1000.0f))
      .param("exposures", &Compare::exposures, "of HDR-FLIP, in stops; else as the light is")
      .param("range", &Compare::range, "from black to white, for PSNR and SSIM of floats",
             range(1e-30f, 1e30f));
  describe_limits(describing);
  describing
      .details(
          "Exits with 0 where they are the same, with 1 where they differ and with 2 after an "
          "error. Every part, layer and channel counts, and ids must be equal. Without a limit one "
          "pixel that differs is a difference; limits take the place of that, and all that are "
          "given must hold. A NaN against another value, another size, other channels, types or "
          "windows always are differences, unless an --allow option names them.\n\n"
          "Values are compared as stored, those of integers as v/max, alpha like the others. FLIP "
          "and colour differences see light in Rec.709 over --background. Without --metric those "
          "metrics are measured that one pass gives, with --json all.")
      .example("cuimg compare golden.exr out.exr")
      .example("cuimg compare --fail 0.004 --fail-percent 0.1 golden.png out.png")
      .example("cuimg compare --fail-flip 0.05 --flip-statistic median golden.exr out.exr")
      .example("cuimg compare --metric all --json golden.png out.png");
  return {describing,
          "GOLDEN RESULT",
          {"mip-level", "raw", "limit-pixels", "threads", "json", "quiet", "verbose", "help"},
          run_compare};
}

}  // namespace cuimg
