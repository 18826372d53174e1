// SPDX-License-Identifier: Apache-2.0
// Positions are exact rationals of the sizes, so taps do not depend on the machine.
#include "stages/resample/resample_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "kernels/texture/border.h"
#include "stages/resample/texture_view.h"
#include "stages/resample/unit_weights.h"

namespace cuimg {
namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return -floor_div(-a, b); }

}  // namespace

std::pair<int, int> AxisGeometry::output_range() const {
  const auto scaled = [&](int edge, auto divide) {
    return out_origin + static_cast<int>(divide(static_cast<std::int64_t>(edge - origin) * out_size,
                                                std::int64_t{in_size}));
  };
  const int low = scaled(data_low, floor_div);
  return {low, std::max(low + 1, scaled(data_high, ceil_div))};
}

std::optional<std::int64_t> AxisGeometry::source(std::int64_t i, Border border) const {
  const BorderAxis axis{data_low, data_high, origin, origin + in_size, border_rule(border)};
  if (border == Border::wrap && (i < data_low || i >= data_high)) {
    const bool meets_both = data_low <= origin && data_high >= origin + in_size;
    // Resolved by the reader, so that taps remain consecutive.
    return meets_both ? std::optional(i) : std::nullopt;
  }
  const int pixel = axis(static_cast<int>(i));
  return pixel == BorderAxis::nothing ? std::nullopt : std::optional<std::int64_t>(pixel);
}

int AxisGeometry::nearest(int x, Border border) const {
  const std::int64_t centre = 2 * (static_cast<std::int64_t>(x) - out_origin) + 1;
  const auto i = source(origin + floor_div(centre * in_size, 2 * std::int64_t{out_size}), border);
  if (!i) return nothing;
  const std::int64_t remainder = (*i - data_low) % (data_high - data_low);
  const std::int64_t n = data_high - data_low;
  return border == Border::wrap ? data_low + static_cast<int>((remainder + n) % n)
                                : static_cast<int>(*i);
}

std::int64_t AxisGeometry::fixed_point(int x) const {
  // floor((position - 1/2) * 256 + 1/2) with position = (2x + 1) * in / (2 * out)
  const std::int64_t centre = 2 * (static_cast<std::int64_t>(x) - out_origin) + 1;
  return 256 * std::int64_t{origin} +
         floor_div(centre * in_size * 256 - 255 * std::int64_t{out_size},
                   2 * std::int64_t{out_size});
}

AxisTable AxisTable::part(int from, int to) const {
  AxisTable cut{from, {}, {}, {}, stride, wraps, !is_identity(), period};
  cut.period.low = std::clamp(period.low, from, to);
  cut.period.high = std::clamp(period.high, from, to);
  const std::ptrdiff_t low = from - first, high = to - first;
  cut.start.assign(start.begin() + low, start.begin() + high);
  cut.taps.assign(taps.begin() + low, taps.begin() + high);
  cut.weights.assign(weights.begin() + low * stride, weights.begin() + high * stride);
  return cut;
}

bool AxisTable::is_identity() const {
  if (is_part_of_mixing) return false;
  for (int i = 0; i < size(); ++i)
    if (start[static_cast<std::size_t>(i)] != first + i || taps[static_cast<std::size_t>(i)] != 1 ||
        *weights_of(first + i) != 1.0f)
      return false;
  return true;
}

std::pair<int, int> AxisTable::reach(int from, int to) const {
  int low = INT32_MAX, high = INT32_MIN;
  for (int x = from; x < to; ++x) {
    if (taps_of(x) == 0) continue;
    low = std::min(low, start_of(x));
    high = std::max(high, start_of(x) + taps_of(x));
  }
  return low < high ? std::pair{low, high} : std::pair{0, 0};
}

static AxisPeriod period_of(const AxisTable& table) {
  constexpr int longest = 8;
  const int end = table.first + table.size(), middle = table.first + table.size() / 2;
  for (int outputs = 1; outputs <= longest && middle + outputs < end; ++outputs) {
    const int inputs = table.start_of(middle + outputs) - table.start_of(middle);
    if (inputs < 1 || inputs > longest) continue;
    const auto repeats = [&](int x) {
      const float *const weights = table.weights_of(x), *const next = table.weights_of(x + outputs);
      const int taps = table.taps_of(x);
      return taps > 0 && taps == table.taps_of(x + outputs) &&
             table.start_of(x + outputs) == table.start_of(x) + inputs &&
             std::equal(weights, weights + taps, next);
    };
    int low = middle, high = middle;
    while (low > table.first && repeats(low - 1)) --low;
    while (high + outputs < end && repeats(high)) ++high;
    if (high - low > table.size() / 2) return {low, high + outputs, outputs, inputs};
  }
  return {};
}

AxisTable make_axis_table(const AxisGeometry& g, int low, int high, const ResampleFilter& filter,
                          bool antialias, Border border) {
  // Distance of source pixel i from the centre of output pixel x, in units of 1/(2*out) source
  // pixels: 2*out*i' - (2x'+1)*in + out, an exact integer; the filter is scaled by in/out when it
  // shrinks.
  const std::int64_t in = g.in_size, out = g.out_size;
  const std::int64_t unit = 2 * (antialias ? std::max(in, out) : out);
  // In these units a pixel is 2 in wide, and a texel 2 out.
  const bool is_area = filter.value == nullptr;
  const std::int64_t half_pixel = antialias ? in : std::min(in, out), half_texel = out;
  const auto reach =
      is_area ? half_pixel + half_texel
              : static_cast<std::int64_t>(std::ceil(filter.support * static_cast<double>(unit)));
  const auto covered = [&](std::int64_t distance) {
    return std::max<std::int64_t>(0, std::min(distance + half_texel, half_pixel) -
                                         std::max(distance - half_texel, -half_pixel));
  };

  AxisTable table;
  table.first = low;
  std::vector<std::vector<float>> rows;
  std::vector<double> values;
  std::vector<std::int64_t> codes;
  for (int x = low; x < high; ++x) {
    const std::int64_t centre = (2 * (static_cast<std::int64_t>(x) - g.out_origin) + 1) * in - out;
    const std::int64_t i_low = ceil_div(centre - reach, 2 * out);
    const std::int64_t i_high = floor_div(centre + reach, 2 * out);
    values.clear();
    for (std::int64_t i = i_low; i <= i_high; ++i) {
      const std::int64_t distance = 2 * out * i - centre;
      if (is_area) {
        values.push_back(static_cast<double>(covered(distance)));
        continue;
      }
      const double t = static_cast<double>(distance) / static_cast<double>(unit);
      // A box is half open, so that each pixel is covered once; the others are symmetric.
      const bool inside =
          (filter.support > 0.5 ? t > -filter.support : t >= -filter.support) && t < filter.support;
      values.push_back(inside ? filter.value(t) : 0);
    }
    unit_codes(values, codes);
    std::map<std::int64_t, std::int64_t> folded;
    for (std::size_t k = 0; k < codes.size(); ++k) {
      if (codes[k] == 0) continue;
      const auto source = g.source(g.origin + i_low + static_cast<std::int64_t>(k), border);
      if (source) folded[*source] += codes[k];
    }
    std::erase_if(folded, [](const auto& tap) { return tap.second == 0; });
    const auto from = folded.empty() ? std::int64_t{g.data_low} : folded.begin()->first;
    const auto to = folded.empty() ? from : folded.rbegin()->first + 1;
    std::vector<float> row(static_cast<std::size_t>(to - from), 0.0f);
    for (const auto& [i, code] : folded)
      row[static_cast<std::size_t>(i - from)] =
          static_cast<float>(static_cast<double>(code) / unit_weight);
    table.wraps = table.wraps || from < g.data_low || to > g.data_high;
    table.start.push_back(static_cast<int>(from));
    table.taps.push_back(static_cast<int>(row.size()));
    table.stride = std::max(table.stride, static_cast<int>(row.size()));
    rows.push_back(std::move(row));
  }
  table.weights.assign(rows.size() * static_cast<std::size_t>(table.stride), 0.0f);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy(rows[i].begin(), rows[i].end(),
              table.weights.begin() + static_cast<std::ptrdiff_t>(i) * table.stride);
  table.period = period_of(table);
  return table;
}

}  // namespace cuimg
