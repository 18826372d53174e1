// SPDX-License-Identifier: Apache-2.0
// card_compare: what `cuimg compare --device cuda` does on a card, 3840x2160: medians between CUDA
// events, and the share of the time that memory alone would take. For FLIP these are only kernels;
// the other metrics' times end when their few figures are on the host. scripts/bench-card runs it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "base/error.h"
#include "card_timing.h"
#include "compare/metrics/color_rows.h"
#include "compare/metrics/difference_rows.h"
#include "compare/metrics/flip_rows.h"
#include "compare/metrics/light_range.h"
#include "compare/metrics/structure_rows.h"
#include "compare/metrics/weighted_values.h"

namespace cuimg {
namespace {

constexpr int width = 3840, height = 2160;
constexpr double pixels = double{width} * height;

std::uint32_t next_random() {
  static std::uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return state;
}

// A smooth picture with noise. The result has an error of a few percent in every pixel.
Image picture(PixelType type, int channels, bool is_result) {
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, width, height};
  LayerSpec layer{"", {"R", "G", "B", "A"}, type};
  layer.channels.resize(static_cast<std::size_t>(channels));
  spec.layers = {layer};
  if (type == PixelType::u8) spec.color = {Curve::srgb, 1.0f, false, {}};
  Image image(spec);
  for (int y = 0; y < height; ++y)
    for (int i = 0; i < width * channels; ++i) {
      const float base = static_cast<float>((i / channels + 2 * y) % 1024) * 0x1p-10f;
      const float noise = static_cast<float>(next_random() >> 8) * 0x1p-24f;
      const float value = is_result ? 0.95f * base + 0.05f * noise : base;
      if (type == PixelType::u8)
        reinterpret_cast<std::uint8_t*>(image.row(0, y))[i] =
            static_cast<std::uint8_t>(value * 255);
      else
        reinterpret_cast<float*>(image.row(0, y))[i] = value;
    }
  return image;
}

// @param bytes the bytes per pixel that must be read and written.
template <class Work>
void measure(Queue& queue, const std::string& what, double bytes, double goal_ms,
             const Work& work) {
  const double ms = median_ms(queue, work), least = bytes * pixels / bytes_per_ms;
  fmt::print("{:40} {:8.3f} ms  least {:.3f}  share {:3.0f} %{}\n", what, ms, least,
             100 * least / ms,
             goal_ms == 0    ? ""
             : ms <= goal_ms ? fmt::format("  goal {:.2f} met", goal_ms)
                             : fmt::format("  goal {:.2f} MISSED x{:.2f}", goal_ms, ms / goal_ms));
}

void measure_values(Queue& queue, PixelType type, int channels, const std::string& name) {
  const Image golden = picture(type, channels, false), result = picture(type, channels, true);
  const ComparedLayers layers(golden, result, 0, queue);
  const int stored = channels == 3 ? 4 : channels;
  measure(queue, "values of one pass, " + name, 2.0 * stored * static_cast<double>(bytes_of(type)),
          0, [&] { find_differences(layers, {}, {}); });
}

void measure_flip(Queue& queue, const DisplayPair& shown) {
  const FlipFilters usual = flip_filters(67.0206432), wide = flip_filters(120);
  const std::optional<float> none, one = 1.5f;
  const std::vector<std::optional<float>> seven(7, one);
  const auto flip = [&](const FlipFilters& filters, std::span<const std::optional<float>> all) {
    return [&filters, &queue, &shown, all] { flip_errors_on_cuda(queue, shown, filters, all); };
  };
  measure(queue, "FLIP", 36, 1.5, flip(usual, {&none, 1}));
  measure(queue, "FLIP, 120 pixels per degree", 36, 0, flip(wide, {&none, 1}));
  measure(queue, "HDR-FLIP, one exposure", 36, 1.5, flip(usual, {&one, 1}));
  measure(queue, "HDR-FLIP, seven exposures", 7 * 36, 7 * 1.5, flip(usual, seven));
  measure(queue, "light for automatic exposures", 20, 0,
          [&] { light_range_on_cuda(queue, shown.golden_on_card); });
  FlipMap map;
  map.on_card = flip_errors_on_cuda(queue, shown, usual, {&none, 1});
  measure(queue, "FLIP's mean, extremes and bins", 4, 0, [&] { WeightedValues(map, queue); });
  const WeightedValues values(map, queue);
  measure(queue, "one percentile more", 4, 0, [&] { values.percentile(50); });
}

void measure_structure(Queue& queue, const ComparedLayers& layers) {
  const PlanePair planes = planes_on_card(layers, 0);
  measure(queue, "a channel as planes", 2 * (16 + 4), 0, [&] { planes_on_card(layers, 0); });
  measure(queue, "SSIM of a plane", 8, 0, [&] { structure_means(planes, 1, queue); });
  measure(queue, "planes halved", 2 * 5, 0, [&] { halved(planes, queue); });
}

int run() {
  Queue queue = Queue::cuda(0);
  fmt::print("{}, {}x{}\n", queue.name(), width, height);
  measure_values(queue, PixelType::u8, 3, "u8 RGB");
  measure_values(queue, PixelType::f32, 4, "float RGBA");
  const Image golden = picture(PixelType::f32, 3, false), result = picture(PixelType::f32, 3, true);
  const ComparedLayers layers(golden, result, 0, queue);
  const std::array<float, 3> background = {0.5f, 0.5f, 0.5f};
  const DisplayPair shown = display_pair(layers, background);
  measure(queue, "display colours of both", 2 * 32, 0, [&] { display_pair(layers, background); });
  measure_flip(queue, shown);
  measure_structure(queue, layers);
  measure(queue, "CIEDE2000", 32, 0,
          [&] { color_differences(ColorDifference::delta_e_2000, shown, queue); });
  measure(queue, "HyAB in OKLab", 32, 0,
          [&] { color_differences(ColorDifference::oklab_hyab, shown, queue); });
  return 0;
}

}  // namespace
}  // namespace cuimg

int main() { return cuimg::run_on_card("card_compare", cuimg::run); }
