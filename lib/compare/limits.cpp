// SPDX-License-Identifier: Apache-2.0
#include "compare/limits.h"

#include <fmt/format.h>

#include <cmath>

namespace cuimg {
namespace {

// Whole numbers, or nothing.
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
  if (n.size() != 4 || n[2] < 1 || n[3] < 1)
    throw BadValue{"is not a region", "use X,Y,W,H, such as 10,20,64,32"};
  value.all.push_back({n[0], n[1], n[2], n[3]});
}
std::string format_value(const IgnoredRegions& value) {
  std::string text;
  for (const Rect& r : value.all)
    text += fmt::format("{}{},{},{},{}", text.empty() ? "" : "\n", r.x, r.y, r.width, r.height);
  return text;
}

std::span<const Choice<NanRule>> choices_of(NanRule) {
  static constexpr std::array<Choice<NanRule>, 2> table = {
      {{NanRule::same, "same", "NaN equals NaN"},
       {NanRule::fails, "fails", "no picture may hold a NaN"}}};
  return table;
}

void parse_value(const std::string& text, const Range&, FlipStatistic& value) {
  if (text == "mean") {
    value.percent = FlipStatistic::mean;
  } else if (text == "median") {
    value.percent = 50;
  } else {
    double percent = 0;
    parse_value(text, Range{}, percent);
    if (!(percent >= 0 && percent <= 100))
      throw BadValue{"is out of range", "use mean, median or a percentile from 0 to 100"};
    value.percent = percent;
  }
}
std::string format_value(const FlipStatistic& value) {
  if (value.percent == FlipStatistic::mean) return "mean";
  return value.percent == 50 ? "median" : fmt::format("{}", value.percent);
}

void parse_value(const std::string& text, const Range&, Exposures& value) {
  std::vector<double> n;
  parse_value(text, Range{}, n);
  const bool fits = n.size() == 3 && std::abs(n[0]) <= 100 && std::abs(n[1]) <= 100 &&
                    n[0] <= n[1] && n[2] == std::floor(n[2]) && n[2] >= 1 && n[2] <= 1000 &&
                    (n[2] >= 2 || n[0] == n[1]);
  if (!fits)
    throw BadValue{"is no range of exposures", "use FROM,TO,N in stops, such as -2,4,7; N from 2"};
  value = {static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<int>(n[2])};
}
std::string format_value(const Exposures& value) {
  return fmt::format("{},{},{}", value.from, value.to, value.count);
}

bool Limits::limits_pixels() const {
  const bool of_pixels =
      fail || fail_relative || max_ulp || fail_percent || fail_count || hard_fail || fail_density;
  return of_pixels || !(fail_psnr || fail_ssim || fail_flip);
}

}  // namespace cuimg
