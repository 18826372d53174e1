// SPDX-License-Identifier: Apache-2.0
#include "compare/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/message_text.h"

namespace cuimg {
namespace {

// Integers, or nothing.
std::vector<int> whole_numbers(const std::string& text) {
  std::vector<double> numbers;
  parse_value(text, Range{}, numbers);
  std::vector<int> whole;
  for (const double number : numbers) {
    if (number != std::floor(number) || std::abs(number) > 1 << 30) return {};
    whole.push_back(static_cast<int>(number));
  }
  return whole;
}

}  // namespace

void parse_value(const std::string& text, const Range&, IgnoredRegions& value) {
  const std::vector<int> n = whole_numbers(text);
  const auto ends_in_range = [&](std::size_t i) {
    return n[i + 2] >= 1 && n[i] <= std::numeric_limits<int>::max() - n[i + 2];
  };
  if (n.size() != 4 || !ends_in_range(0) || !ends_in_range(1))
    throw BadValue{"is not a region", "use X,Y,W,H, such as 10,20,64,32"};
  value.all.push_back({n[0], n[1], n[2], n[3]});
}
std::string format_value(const IgnoredRegions& value) {
  std::string text;
  for (const Rect& r : value.all)
    add_item(text, fmt::format("{},{},{},{}", r.x, r.y, r.width, r.height), "\n");
  return text;
}

std::span<const Choice<NanRule>> choices_of(NanRule) {
  static constexpr Choice<NanRule> table[] = {
      {NanRule::same, "same", "NaN equals NaN"},
      {NanRule::fails, "fails", "a NaN in both pictures fails"}};
  return table;
}

void parse_value(const std::string& text, const Range&, FlipStatistic& value) {
  if (text == "mean") {
    value.percent = FlipStatistic::mean;
  } else if (text == "median") {
    value.percent = 50;
  } else {
    double percent = 0;
    constexpr const char* use = "use mean, median or a percentile from 0 to 100";
    try {
      parse_value(text, Range{}, percent);
    } catch (const BadValue& bad) {
      throw BadValue{bad.problem == "is out of range" ? bad.problem : "is not a statistic", use};
    }
    if (!(percent >= 0 && percent <= 100)) throw BadValue{"is out of range", use};
    value.percent = percent;
  }
}
std::string format_value(const FlipStatistic& value) {
  if (value.percent == FlipStatistic::mean) return "mean";
  return value.percent == 50 ? "median" : fmt::format("{}", value.percent);
}

bool Limits::wants_equal_pixels() const {
  const bool any = fail || fail_relative || max_ulp || fail_percent || fail_count || hard_fail ||
                   fail_density || fail_psnr || fail_ssim || fail_flip;
  return !any && ignore.all.empty() && mask.empty() && !allow_shift && !antialiasing;
}

bool Limits::limits_pixels() const {
  const bool of_pixels =
      fail || fail_relative || max_ulp || fail_percent || fail_count || hard_fail || fail_density;
  return of_pixels || !(fail_psnr || fail_ssim || fail_flip);
}

void check_limits(const Limits& limits, const std::string& place) {
  if (limits.nan == NanRule::fails && limits.allow_non_finite)
    throw Error(place, "--nan fails and --allow-non-finite contradict each other",
                "give one of them");
}

ValueLimits value_limits(const Limits& limits) {
  constexpr float none = std::numeric_limits<float>::infinity();
  ValueLimits k;
  const bool given = limits.fail || limits.fail_relative || limits.max_ulp;
  k.fail = limits.fail.value_or(none);
  k.fail_relative = limits.fail_relative.value_or(none);
  k.max_ulp = limits.max_ulp
                  ? static_cast<std::uint32_t>(std::min<std::uint64_t>(*limits.max_ulp, UINT32_MAX))
                  : (given ? UINT32_MAX : 0u);
  // With only hard_fail or a limit for whole pictures, no single pixel fails.
  if (!given && !limits.fail_percent && !limits.fail_count && !limits.fail_density &&
      (limits.hard_fail || !limits.limits_pixels()))
    k.max_ulp = UINT32_MAX;
  k.hard_fail = limits.hard_fail.value_or(none);
  k.warn = limits.warn.value_or(none);
  k.warn_relative = limits.warn_relative.value_or(none);
  if (!limits.warn && !limits.warn_relative && (limits.warn_percent || limits.warn_count))
    k.warn = 0;
  k.hard_warn = limits.hard_warn.value_or(none);
  k.counts_nans = limits.nan == NanRule::fails;
  return k;
}

}  // namespace cuimg
