// SPDX-License-Identifier: Apache-2.0
// A metric: one file that ends in a function, and one line in metric_list.inc.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "compare/metrics/compared_layers.h"
#include "compare/metrics/display_picture.h"
#include "compare/metrics/flip_rows.h"
#include "compare/metrics/measures.h"
#include "compare/metrics/metric_options.h"

namespace cuimg {

struct Metric;
/// Defined in structure_rows.h.
struct LayerStructure;

/// Two layers of the same form, and intermediate results that metrics share.
class LayerPair {
 public:
  /// Its arguments must outlive it.
  /// @param wanted the metrics to be measured, so that those which need the same data compute it in
  /// one pass.
  /// @param ignored a byte for each pixel of the window, not 0 if the pixel is ignored; both layers
  /// are equal there. Empty: all pixels count. A mean is the sum of errors divided by the number of
  /// pixels that count; for structure, the loss 1 - SSIM is divided by the number of windows whose
  /// centre counts.
  LayerPair(const ComparedLayers& layers, const Differences& differences,
            const MetricOptions& options, std::span<const Metric* const> wanted = {},
            std::span<const std::uint8_t> ignored = {})
      : layers_(layers),
        differences_(differences),
        options_(options),
        wanted_(wanted),
        ignored_(ignored) {}

  const ComparedLayers& layers() const { return layers_; }
  const LayerSpec& spec() const { return layers_.spec(); }
  const Rect& window() const { return layers_.window(); }
  const Differences& differences() const { return differences_; }
  std::span<const std::uint8_t> ignored() const { return ignored_; }
  /// Whether there is no difference, so that every metric has its best value.
  bool is_equal() const { return differences_.differing == 0 && differences_.mismatches == 0; }
  const MetricOptions& options() const { return options_; }
  bool wants(std::string_view metric) const;
  const Queue& queue() const { return layers_.queue(); }
  /// The distance from black to white.
  double range() const {
    return is_floating(spec().type) ? static_cast<double>(options_.range) : 1.0;
  }
  /// The layers as a display shows them, computed on first use. Only for colour layers.
  const DisplayPair& shown() const;
  /// Of luminance, and of the channels that the wanted metrics need; computed on first use. Only
  /// for layers that contain a window.
  const LayerStructure& structure() const;
  /// flip_map(), computed on first use; 0 where pixels are ignored.
  const FlipMap& flip(bool hdr) const;
  /// The map's values if it was computed; moves them out.
  std::vector<float> take_flip(bool hdr) const;

 private:
  const ComparedLayers& layers_;
  const Differences& differences_;
  const MetricOptions& options_;
  std::span<const Metric* const> wanted_;
  std::span<const std::uint8_t> ignored_;
  mutable std::optional<DisplayPair> shown_;
  mutable std::shared_ptr<const LayerStructure> structure_;
  mutable std::optional<FlipMap> flip_, hdr_flip_;
};

struct Metric {
  std::string_view name;  ///< The name in --metric.
  std::string_view help;  ///< A short description.
  bool larger_is_better = false;
  bool one_pass = false;  ///< Whether it is known after one pass over the values.
  std::vector<MetricValue> (*measure)(const LayerPair& pair) = nullptr;
  /// Approximate time of one core per differing pixel (an EPYC; see RESULTS.md).
  double processor_ns = 2;
};

/// All metrics in metric_list.inc, in its order.
std::span<const Metric* const> metrics();
/// The name for all of them in --metric and in CompareOptions.
inline constexpr std::string_view all_metrics = "all";
/// Null if there is no metric of that name.
const Metric* find_metric(std::string_view name);

/// The worse of two values of one metric, from two layers.
MetricValue worse(const MetricValue& a, const MetricValue& b, bool larger_is_better);

}  // namespace cuimg
