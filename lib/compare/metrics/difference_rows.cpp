// SPDX-License-Identifier: Apache-2.0
// Adds up the figures of rows for a layer, and finds its first and worst values.
#include "compare/metrics/difference_rows.h"

#include <algorithm>
#include <cstring>

#include "compare/metrics/row_sums.h"
#include "device/on_device.h"
#include "image/dispatch.h"
#include "kernels/color/encoding.h"

namespace cuimg {
namespace {

StateLimits state_limits(const ValueLimits& given) {
  return {limit_bits(given.fail), limit_bits(given.fail_relative), limit_bits(given.hard_fail),
          limit_bits(given.warn), limit_bits(given.warn_relative), limit_bits(given.hard_warn),
          given.max_ulp};
}

void add_counts(const RowFigures& row, Differences& to) {
  to.differing += row.counts[0];
  to.failing += row.counts[1];
  to.warning += row.counts[2];
  to.hard_failing += row.counts[3];
  to.hard_warning += row.counts[4];
  to.mismatches += row.counts[5];
  to.nans += row.counts[6];
  to.left_out += row.counts[7];
  to.max_absolute = std::max(to.max_absolute, static_cast<double>(float_from_bits(row.absolute)));
  to.max_relative = std::max(to.max_relative, static_cast<double>(float_from_bits(row.relative)));
  to.max_ulp = std::max(to.max_ulp, row.steps);
}

double stored_value(const Image& image, int layer, int x, int y, int channel) {
  const LayerSpec& about = image.spec().layer(layer);
  const std::byte* at =
      image.row(layer, y) +
      static_cast<std::size_t>(x - image.spec().data_window.x) * about.pixel_bytes() +
      static_cast<std::size_t>(channel) * bytes_of(about.type);
  return with_stored_type(about.type, [&](auto t) {
    using T = typename decltype(t)::type;
    T stored;
    std::memcpy(&stored, at, sizeof stored);
    if constexpr (std::is_same_v<T, std::uint32_t>)
      return static_cast<double>(stored);
    else
      return static_cast<double>(stored_to_float(stored));
  });
}

// The first channel that differs in the first pixel that differs.
ValuePlace first_place(const ComparedLayers& layers, int x, int y) {
  const auto at = [&](int channel) {
    return place_of(layers.golden(), layers.result(), layers.layer(), x, y, channel);
  };
  const ValuePlace place = at(0);
  for (std::size_t c = 0; c < place.golden_pixel.size(); ++c)
    if (const double a = place.golden_pixel[c], b = place.result_pixel[c];
        !(a == b) && (a == a || b == b))
      return at(static_cast<int>(c));
  return place;
}

}  // namespace

ValuePlace place_of(const Image& golden, const Image& result, int layer, int x, int y,
                    int channel) {
  const LayerSpec& about = golden.spec().layer(layer);
  ValuePlace place{0, layer, channel, about.full_name(channel), x, y};
  for (int c = 0; c < about.channel_count(); ++c) {
    place.golden_pixel.push_back(stored_value(golden, layer, x, y, c));
    place.result_pixel.push_back(stored_value(result, layer, x, y, c));
  }
  place.golden = place.golden_pixel[static_cast<std::size_t>(channel)];
  place.result = place.result_pixel[static_cast<std::size_t>(channel)];
  return place;
}

Differences find_differences(const ComparedLayers& layers, const ValueLimits& limits,
                             const std::vector<std::uint8_t>& ignored,
                             std::vector<std::uint8_t>* states) {
  const Rect& window = layers.window();
  const LayerSpec& about = layers.spec();
  if (states != nullptr) states->assign(static_cast<std::size_t>(window.pixels()), 0);
  const DifferencePass pass = {state_limits(limits), limits.counts_nans,
                               about.is_matte && about.type == PixelType::f32, ignored, states};
  std::vector<RowFigures> rows(static_cast<std::size_t>(window.height));
  on_device(
      layers.queue(), [&] { find_row_figures_on_cpu(layers, pass, rows); },
      [&] { find_row_figures_on_cuda(layers, pass, rows); });
  Differences d;
  for (const RowFigures& row : rows) add_counts(row, d);
  d.sum_of_squares = sum_in_pairs(0, rows.size(), [&](std::size_t y) { return rows[y].squares; });
  d.pixels = static_cast<std::uint64_t>(window.pixels()) -
             static_cast<std::uint64_t>(
                 std::ranges::count_if(ignored, [](std::uint8_t i) { return i != 0; }));
  d.values = d.pixels * about.channels.size();
  if (about.type == PixelType::u8) d.sum_of_squares /= 255.0 * 255.0;
  if (about.type == PixelType::u16) d.sum_of_squares /= 65535.0 * 65535.0;
  const auto y_of = [&](const RowFigures& row) {
    return window.y + static_cast<int>(&row - rows.data());
  };
  const auto first = std::ranges::find_if(
      rows, [](const RowFigures& row) { return row.first_x != RowFigures::none; });
  if (first != rows.end())
    d.first = first_place(layers, window.x + static_cast<int>(first->first_x), y_of(*first));
  // Of equal ones the first.
  const auto worst = std::ranges::max_element(
      rows, [](const RowFigures& a, const RowFigures& b) { return a.badness < b.badness; });
  if (worst != rows.end() && worst->badness > 0) {
    const auto channels = static_cast<std::uint32_t>(about.channel_count());
    d.worst = place_of(layers.golden(), layers.result(), layers.layer(),
                       window.x + static_cast<int>(worst->worst / channels), y_of(*worst),
                       static_cast<int>(worst->worst % channels));
  }
  return d;
}

}  // namespace cuimg
