// SPDX-License-Identifier: Apache-2.0
#include "plot/plot_ticks.h"

#include <fmt/format.h>

#include <cmath>

#include "base/exact_math.h"

namespace cuimg {
namespace {

// 1, 2 or 5 times a power of ten, so that about `wanted` steps make the span; 0 or infinite if no
// number of that size exists.
double round_step(double span, int wanted) {
  const double least = span / wanted;
  if (!(least > 0) || std::isinf(least)) return 0;
  double power = 1;
  while (power > least) power /= 10;
  if (power == 0) return 0;
  while (power * 10 <= least) power *= 10;
  for (const double factor : {1.0, 2.0, 5.0})
    if (power * factor >= least) return power * factor;
  return power * 10;
}

// "1.5M" for 1500000.
std::string short_count(double count) {
  constexpr struct {
    double unit;
    char letter;
  } units[] = {{1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}};
  for (const auto& [unit, letter] : units)
    if (count >= unit) return fmt::format("{:.6g}{}", count / unit, letter);
  return fmt::format("{:.6g}", count);
}

}  // namespace

std::vector<PlotTick> round_ticks(double low, double high, int wanted) {
  std::vector<PlotTick> ticks;
  const double step = round_step(high - low, wanted);
  if (!(step > 0) || std::isinf(step)) return ticks;
  const double first = std::ceil(low / step);
  for (int i = 0; i <= 2 * wanted && (first + i) * step <= high; ++i) {
    const double at = (first + i) * step;
    ticks.push_back({at, at == 0 ? "0" : fmt::format("{:.10g}", at)});
  }
  return ticks;
}

std::vector<PlotTick> code_ticks(double largest) {
  std::vector<PlotTick> ticks;
  for (int i = 0; i <= 8; ++i) {
    const double at = i < 8 ? (largest + 1) * i / 8 : largest;
    ticks.push_back({at, fmt::format("{:.10g}", at)});
  }
  return ticks;
}

std::vector<PlotTick> stop_ticks(double low, double high) {
  std::vector<PlotTick> ticks;
  const int step = high - low > 32 ? 4 : high - low > 16 ? 2 : 1;
  for (int stop = static_cast<int>(low); stop <= static_cast<int>(high); ++stop)
    if (stop % step == 0)
      ticks.push_back({static_cast<double>(stop), stop < 0   ? fmt::format("\u2212{}", -stop)
                                                  : stop > 0 ? fmt::format("+{}", stop)
                                                             : "0"});
  return ticks;
}

std::vector<PlotTick> decade_ticks(double low_stop, double high_stop) {
  std::vector<PlotTick> ticks;
  for (int exponent = -12; exponent <= 12; ++exponent) {
    const double value = exact::pow(10, exponent);
    const double at = exact::log(value / 0.18) / exact::log(2);
    if (at >= low_stop && at <= high_stop) ticks.push_back({at, fmt::format("{:g}", value)});
  }
  return ticks;
}

std::vector<PlotTick> count_ticks(double most, bool logarithmic) {
  if (most < 1) return {{0, "0"}};
  std::vector<PlotTick> ticks;
  if (!logarithmic) {
    for (const PlotTick& tick : round_ticks(0, most, 5))
      if (tick.at == std::floor(tick.at)) ticks.push_back({tick.at, short_count(tick.at)});
    return ticks;
  }
  ticks.push_back({0, "0"});
  for (double count = 1; count <= most; count *= most > 1e7 ? 100 : 10)
    ticks.push_back({count, short_count(count)});
  return ticks;
}

std::string grouped_count(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

}  // namespace cuimg
