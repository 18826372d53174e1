// SPDX-License-Identifier: Apache-2.0
// The weights of a window, and the means of its tiles' sums.
#include "compare/metrics/structure_rows.h"

#include <algorithm>
#include <cstdint>

#include "base/exact_math.h"
#include "device/on_device.h"

namespace cuimg {
namespace {

constexpr int reach = structure_window / 2;

// Half of the gaussian, normalised to a sum of 1.
StructureWeights make_weights() {
  constexpr double sigma = 1.5;
  StructureWeights weights{};
  double sum = 0;
  for (int k = 0; k <= reach; ++k) {
    weights[static_cast<std::size_t>(k)] = exact::exp(-0.5 * k * k / (sigma * sigma));
    sum += (k == 0 ? 1 : 2) * weights[static_cast<std::size_t>(k)];
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

const StructureWeights& window_weights() {
  static const StructureWeights weights = make_weights();
  return weights;
}

bool holds_window(int width, int height) {
  return width >= structure_window && height >= structure_window;
}

StructureMeans means_of(std::span<const StructureSums> tiles, int width, int height) {
  StructureMeans means{0, 0};
  for (const StructureSums& sum : tiles) {
    means.similarity += sum.similarity;
    means.contrast += sum.contrast;
  }
  const double windows = static_cast<double>(width - 2 * reach) * (height - 2 * reach);
  means.similarity /= windows;
  means.contrast /= windows;
  return means;
}

double windows_per_counted(const Rect& window, std::span<const std::uint8_t> ignored) {
  if (ignored.empty()) return 1;
  const int width = window.width - 2 * reach, height = window.height - 2 * reach;
  std::uint64_t counted = 0;
  for (int y = 0; y < height; ++y) {
    const std::size_t first =
        static_cast<std::size_t>(y + reach) * static_cast<std::size_t>(window.width) + reach;
    counted += static_cast<std::uint64_t>(
        std::ranges::count(ignored.subspan(first, static_cast<std::size_t>(width)), 0));
  }
  return static_cast<double>(width) * height /
         static_cast<double>(std::max(counted, std::uint64_t{1}));
}

// Luminance first, then the channels that are not luminance.
std::vector<int> planes_of(const LayerSpec& spec, bool channels) {
  std::vector<int> planes = {has_luminance(spec) ? luminance_plane : 0};
  for (int c = 0; channels && c < spec.channel_count(); ++c)
    if (c != planes.front()) planes.push_back(c);
  return planes;
}

}  // namespace

bool has_luminance(const LayerSpec& spec) {
  return spec.channel_count() >= 3 && spec.channels[0] == "R" && spec.channels[1] == "G" &&
         spec.channels[2] == "B";
}

PlanePair planes_on_card(const ComparedLayers& layers, int plane) {
  const Rect& window = layers.window();
  PlanePair planes{window.width, window.height, {}, {}, {}, {}};
  on_device(
      layers.queue(), [] {},
      [&] {
        planes.golden_on_card = plane_on_cuda(layers.queue(), layers.golden_on_card(), plane);
        planes.result_on_card = plane_on_cuda(layers.queue(), layers.result_on_card(), plane);
      });
  return planes;
}

PlanePair halved(const PlanePair& planes, const Queue& queue) {
  PlanePair half{(planes.width + 1) / 2, (planes.height + 1) / 2, {}, {}, {}, {}};
  on_device(
      queue,
      [&] {
        half.golden = halved_on_cpu(planes.golden, queue);
        half.result = halved_on_cpu(planes.result, queue);
      },
      [&] {
        half.golden_on_card = halved_on_cuda(queue, planes.golden_on_card);
        half.result_on_card = halved_on_cuda(queue, planes.result_on_card);
      });
  return half;
}

std::optional<StructureMeans> structure_means(const PlanePair& planes, double range,
                                              const Queue& queue) {
  if (!holds_window(planes.width, planes.height)) return std::nullopt;
  const StructureConstants constants = StructureConstants::of_range(range);
  return means_of(
      on_device(
          queue, [&] { return structure_sums_on_cpu(planes, window_weights(), constants, queue); },
          [&] {
            return structure_sums_on_cuda(queue, planes.golden_on_card, planes.result_on_card,
                                          window_weights(), constants);
          }),
      planes.width, planes.height);
}

double mean_of_counted(double mean, double windows_per_counted) {
  if (windows_per_counted == 1) return mean;
  return std::max(-1.0, 1 - (1 - mean) * windows_per_counted);
}

const LayerStructure& LayerPair::structure() const {
  if (structure_) return *structure_;
  const bool channels = wants("ssim"), half = wants("ms_ssim");
  const std::vector<int> planes = planes_of(spec(), channels);
  auto made = std::make_shared<LayerStructure>();
  std::vector<StructureMeans> means;
  on_device(
      queue(),
      [&] {
        for (const auto& tiles : structure_sums_on_cpu(layers_, planes, window_weights(),
                                                       StructureConstants::of_range(range()),
                                                       half ? &made->half : nullptr))
          means.push_back(means_of(tiles, window().width, window().height));
      },
      [&] {
        for (const int plane : planes) {
          const PlanePair pair = planes_on_card(layers_, plane);
          means.push_back(*structure_means(pair, range(), queue()));
          if (half && plane == planes.front()) made->half = halved(pair, queue());
        }
      });
  made->windows_per_counted = windows_per_counted(window(), ignored());
  for (StructureMeans& mean : means)
    mean = {mean_of_counted(mean.similarity, made->windows_per_counted),
            mean_of_counted(mean.contrast, made->windows_per_counted)};
  made->luminance = means.front();
  if (channels) made->channels.assign(means.begin() + (has_luminance(spec()) ? 1 : 0), means.end());
  structure_ = std::move(made);
  return *structure_;
}

}  // namespace cuimg
