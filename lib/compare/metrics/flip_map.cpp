// SPDX-License-Identifier: Apache-2.0
#include "compare/metrics/flip_map.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/exact_math.h"
#include "compare/metrics/difference_rows.h"
#include "compare/metrics/flip_rows.h"
#include "compare/metrics/metric.h"
#include "device/on_device.h"
#include "kernels/compare/flip_color.h"

namespace cuimg {
namespace {

// More would reveal nothing new in any real picture, and each costs a whole FLIP.
constexpr int most_exposures = 64;

double log2_of(double x) { return exact::log(x) / 0.69314718055994531; }

// The light that the tone curve maps to 0.85: the larger root of a quadratic equation.
double light_of_shown() {
  using Curve = flip::ToneCurve;
  constexpr double shown = 0.85;
  const double a = Curve::square - shown * Curve::lower_square;
  const double b = Curve::line - shown * Curve::lower_line;
  const double c = -shown * Curve::lower_base;
  const double middle = -0.5 * b / a;
  return middle + std::sqrt(middle * middle - c / a);
}

// @param frame with one float per pixel.
std::vector<float> rows_on_host(const Queue& queue, const Frame& frame) {
  const Rect& region = frame.region();
  Spec spec;
  spec.data_window = spec.display_window = region;
  spec.layers = {{"", {"Y"}, PixelType::f32}};
  Image image(spec);
  RowProgress done;
  queue.download(frame, image, 0, done);
  const auto* first = reinterpret_cast<const float*>(image.row(0, region.y));
  return {first, first + region.pixels()};
}

// Factors by which light is multiplied.
std::vector<std::optional<float>> exposure_factors(const LayerPair& pair) {
  const std::optional<Exposures>& given = pair.options().exposures;
  const Exposures range =
      given ? *given : automatic_exposures(light_range_of_golden(pair.shown(), pair.queue()));
  std::vector<std::optional<float>> factors;
  for (int i = 0; i < range.count; ++i) {
    const double step =
        range.count < 2
            ? 0
            : (static_cast<double>(range.to) - static_cast<double>(range.from)) / (range.count - 1);
    if (i > 0 && step == 0) break;
    factors.emplace_back(
        static_cast<float>(exact::pow(2, static_cast<double>(range.from) + i * step)));
  }
  return factors;
}

}  // namespace

Exposures automatic_exposures(const LightRange& light) {
  // A completely black picture shows nothing at any exposure.
  if (!(light.brightest > 0)) return {0, 0, 2};
  const double bright = light_of_shown();
  Exposures exposures;
  exposures.from = static_cast<float>(log2_of(bright / static_cast<double>(light.brightest)));
  exposures.to = static_cast<float>(log2_of(bright / static_cast<double>(light.median)));
  const double stops = std::ceil(static_cast<double>(exposures.to - exposures.from));
  exposures.count = static_cast<int>(std::clamp(stops, 2.0, static_cast<double>(most_exposures)));
  return exposures;
}

std::vector<float> FlipMap::values(const Queue& queue) const {
  return on_card.empty() ? on_cpu : rows_on_host(queue, on_card);
}

FlipMap flip_map(const LayerPair& pair, bool hdr) {
  FlipMap map;
  const Queue& queue = pair.queue();
  if (pair.is_equal()) {
    map.on_cpu.assign(static_cast<std::size_t>(pair.window().pixels()), 0.0f);
    return map;
  }
  const FlipFilters filters = flip_filters(static_cast<double>(pair.options().pixels_per_degree));
  const std::vector<std::optional<float>> exposures =
      hdr ? exposure_factors(pair) : std::vector<std::optional<float>>(1);
  const DisplayPair& shown = pair.shown();
  on_device(
      queue,
      [&] {
        map.on_cpu.assign(static_cast<std::size_t>(pair.window().pixels()), 0.0f);
        for (const std::optional<float>& exposure : exposures)
          add_flip_errors(shown.golden, shown.result, filters, exposure, map.on_cpu, queue);
      },
      [&] { map.on_card = flip_errors_on_cuda(queue, shown, filters, exposures); });
  return map;
}

Image flip_image(const Image& golden, const Image& result, int layer, const MetricOptions& options,
                 const Queue& queue) {
  const Spec &a = golden.spec(), &b = result.spec();
  if (a.data_window != b.data_window || a.layers != b.layers)
    throw Error("flip", "the pictures differ in window, channels or types",
                "give pictures with the same ones");
  const LayerSpec& about = a.layers.at(static_cast<std::size_t>(layer));
  if (!about.is_color()) throw Error("flip", "the layer holds no colour");
  const ComparedLayers layers(golden, result, layer, queue);
  const Differences differences = find_differences(layers, {}, {});
  const LayerPair pair(layers, differences, options);
  const std::vector<float> map =
      flip_map(pair, is_floating(about.type) || is_hdr(a.color.curve)).values(queue);
  Spec spec;
  spec.data_window = a.data_window;
  spec.display_window = a.display_window;
  spec.layers = {{"", {"Y"}, PixelType::f32}};
  Image image(spec);
  std::memcpy(image.row(0, a.data_window.y), map.data(), map.size() * sizeof(float));
  return image;
}

}  // namespace cuimg
