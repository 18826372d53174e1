// SPDX-License-Identifier: Apache-2.0
#include "compare/verdict.h"

#include <fmt/format.h>

#include "base/number_text.h"

namespace cuimg {
namespace {

std::string prefix(const LayerComparison& layer, bool has_several_parts) {
  const bool names_part = has_several_parts || !layer.part_name.empty();
  return (names_part ? part_prefix(layer.part, layer.part_name) : "") + layer.name + ": ";
}

std::string place_text(const std::optional<ValuePlace>& place) {
  if (!place) return {};
  return fmt::format("; at {},{} {} is {:.9g}, golden has {:.9g}", place->x, place->y,
                     place->channel_name, place->result, place->golden);
}

// With few digits, or with all if the rounded number would lie on the limit or on its other side.
std::string figure_text(double value, int decimals, double limit) {
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  const double printed = number_of<double>(text).value_or(value);
  const bool same_side =
      (printed < limit) == (value < limit) && (printed > limit) == (value > limit);
  return same_side ? text : fmt::format("{}", value);
}

// The lowest SSIM of luminance and of every channel: a picture is as good as its worst channel.
// Null if there is none.
const MetricValue* lowest_ssim(const LayerComparison& layer) {
  const MetricValue* lowest = nullptr;
  for (const MetricValue& metric : layer.metrics)
    if (metric.name.starts_with("ssim") && metric.value)
      if (lowest == nullptr || *metric.value < *lowest->value) lowest = &metric;
  return lowest;
}

// "luminance", or the channel's name.
std::string what_ssim_is_of(const MetricValue& ssim) {
  const std::size_t dot = ssim.name.find('.');
  return dot == std::string::npos ? "luminance" : ssim.name.substr(dot + 1);
}

std::string flip_value_name(const FlipStatistic& statistic, bool is_hdr) {
  const std::string flip = is_hdr ? "hdr_flip" : "flip";
  if (statistic.percent == FlipStatistic::mean) return flip + ".mean";
  return statistic.percent == 50 ? flip + ".weighted_median" : flip + ".percentile";
}

struct Judge {
  const LayerComparison& layer;
  Comparison& comparison;
  const Differences& d = layer.differences;

  void fails(const char* code, const std::string& text) const {
    comparison.reasons.push_back({code, prefix(layer, comparison.has_several_parts) + text});
  }
  /// Adds a reason at the position of the worst value.
  void fails_at_worst(const char* code, const std::string& text) const {
    fails(code, text + place_text(d.worst));
  }
  void warns(const char* code, const std::string& text) const {
    comparison.warnings.push_back({code, prefix(layer, comparison.has_several_parts) + text});
  }
  std::string pixels(std::uint64_t count, const char* what) const {
    return fmt::format("{} of {} pixels {}", count, d.pixels, what);
  }
  double percent(std::uint64_t count) const {
    return d.pixels == 0 ? 0 : 100.0 * static_cast<double>(count) / static_cast<double>(d.pixels);
  }
};

// Judges by the number of pixels that exceed limits of values. Ids have one limit: they must be
// equal.
void judge_pixels(const Judge& judge, const Limits& limits, std::optional<double> density) {
  const Differences& d = judge.d;
  const bool by_values = limits.fail || limits.fail_relative || limits.max_ulp;
  const char* what = by_values ? "break a limit" : "differ";
  const std::string count = judge.pixels(d.failing, what) + place_text(d.worst);
  if (const double percent = judge.percent(d.failing);
      limits.fail_percent && !(percent <= *limits.fail_percent))
    judge.fails("fail-percent", fmt::format("{} % of the pixels {}, more than {} %{}",
                                            figure_text(percent, 2, *limits.fail_percent), what,
                                            *limits.fail_percent, place_text(d.worst)));
  if (limits.fail_count && !(d.failing <= *limits.fail_count))
    judge.fails("fail-count", count + fmt::format("; {} may", *limits.fail_count));
  if (!limits.fail_percent && !limits.fail_count && !limits.fail_density && d.failing > 0)
    judge.fails(by_values ? "fail" : "pixels", count);
  if (density && limits.fail_density && !(*density <= *limits.fail_density))
    judge.fails("fail-density",
                fmt::format("{} % of the pixels fail in a square of {}, more than {} %",
                            figure_text(*density, 2, *limits.fail_density), limits.density_window,
                            *limits.fail_density));
  if (d.hard_failing > 0 && limits.hard_fail)
    judge.fails_at_worst("hard-fail", judge.pixels(d.hard_failing, "differ by more than ") +
                                          fmt::format("{}", *limits.hard_fail));
}

// @returns whether any of the limits applies to this layer.
bool judge_picture(const Judge& judge, const Limits& limits, bool is_hdr) {
  bool any = false;
  const LayerComparison& layer = judge.layer;
  if (limits.fail_psnr) {
    any = true;
    const double psnr = value_named(layer.metrics, "psnr").value_or(0);
    if (!(psnr >= *limits.fail_psnr))
      judge.fails_at_worst("fail-psnr",
                           fmt::format("PSNR is {} dB, less than {}",
                                       figure_text(psnr, 4, *limits.fail_psnr), *limits.fail_psnr));
  }
  if (limits.fail_ssim) {
    any = true;
    const MetricValue* const ssim = lowest_ssim(layer);
    // A picture that is too small for a window passes only if it is equal.
    if (ssim == nullptr && judge.d.differing > 0)
      judge.fails_at_worst("fail-ssim", "SSIM has no value for fewer than 11 pixels a side, and " +
                                            judge.pixels(judge.d.differing, "differ"));
    else if (ssim != nullptr && !(*ssim->value >= *limits.fail_ssim))
      judge.fails_at_worst(
          "fail-ssim",
          fmt::format("SSIM of {} is {}, less than {}", what_ssim_is_of(*ssim),
                      figure_text(*ssim->value, 6, *limits.fail_ssim), *limits.fail_ssim));
  }
  if (limits.fail_flip && layer.is_color) {
    any = true;
    const std::string name = flip_value_name(limits.flip_statistic, is_hdr);
    const double flip = value_named(layer.metrics, name).value_or(1);
    if (!(flip <= *limits.fail_flip))
      judge.fails_at_worst("fail-flip",
                           fmt::format("{} is {}, more than {}", name,
                                       figure_text(flip, 6, *limits.fail_flip), *limits.fail_flip));
  }
  return any;
}

void judge_warnings(const Judge& judge, const Limits& limits) {
  const Differences& d = judge.d;
  const bool given =
      limits.warn || limits.warn_relative || limits.warn_percent || limits.warn_count;
  const std::string count = judge.pixels(d.warning, "call for a warning") + place_text(d.worst);
  if (given) {
    const bool percent = limits.warn_percent && !(judge.percent(d.warning) <= *limits.warn_percent);
    const bool number = limits.warn_count && !(d.warning <= *limits.warn_count);
    const bool any = !limits.warn_percent && !limits.warn_count && d.warning > 0;
    if (percent || number || any) judge.warns("warn", count);
  }
  if (limits.hard_warn && d.hard_warning > 0)
    judge.warns("hard-warn", judge.pixels(d.hard_warning, "differ by more than ") +
                                 fmt::format("{}", *limits.hard_warn) + place_text(d.worst));
}

}  // namespace

void judge_layer(const LayerComparison& layer, const Limits& limits, std::optional<double> density,
                 bool is_hdr, Comparison& comparison) {
  const Judge judge{layer, comparison};
  const Differences& d = layer.differences;
  if (d.mismatches > 0)
    judge.fails_at_worst("non-finite",
                         fmt::format("{} values are NaN or infinite where the other picture has "
                                     "another value",
                                     d.mismatches));
  if (d.nans > 0) judge.fails("nan", fmt::format("{} values are NaN in both", d.nans));
  if (layer.holds_ids) {
    if (d.differing > 0) judge.fails_at_worst("ids", judge.pixels(d.differing, "have other ids"));
    return;
  }
  const bool limited = judge_picture(judge, limits, is_hdr);
  if (limits.limits_pixels())
    judge_pixels(judge, limits, density);
  else if (!limited && d.differing > 0)
    // None of the given limits applies to such a layer: depth has no FLIP.
    judge.fails_at_worst("pixels", judge.pixels(d.differing, "differ"));
  judge_warnings(judge, limits);
}

void decide(Comparison& comparison) {
  if (comparison.verdict != Verdict::error)
    comparison.verdict = comparison.reasons.empty() ? Verdict::same : Verdict::differs;
}

std::vector<std::string> metrics_of_limits(const Limits& limits, bool is_hdr) {
  std::vector<std::string> names;
  if (limits.fail_psnr) names.emplace_back("psnr");
  if (limits.fail_ssim) names.emplace_back("ssim");
  if (limits.fail_flip) names.emplace_back(is_hdr ? "hdr_flip" : "flip");
  return names;
}

}  // namespace cuimg
