// SPDX-License-Identifier: Apache-2.0
// SSIM (Z. Wang et al., "Image Quality Assessment: From Error Visibility to Structural Similarity",
// 2004) of luminance and of each channel, on stored values.
#include "compare/structure_rows.h"

namespace cuimg {
namespace {

bool has_luminance(const LayerSpec& spec) {
  return spec.channel_count() >= 3 && spec.channels[0] == "R" && spec.channels[1] == "G" &&
         spec.channels[2] == "B";
}

std::optional<double> similarity(const LayerPair& pair, const Plane& golden, const Plane& result) {
  const auto means = structure_means(golden, result, pair.range(), pair.queue());
  return means ? std::optional(means->similarity) : std::nullopt;
}

std::vector<MetricValue> measure(const LayerPair& pair) {
  const LayerSpec& spec = pair.spec();
  const Rect& window = pair.window();
  std::vector<MetricValue> values = {{"ssim", {}}};
  const bool fits = window.width >= structure_window && window.height >= structure_window;
  if (spec.holds_ids() || !fits) return values;
  for (int c = 0; c < spec.channel_count(); ++c)
    values.push_back(
        {"ssim_of_channel." + spec.channels[static_cast<std::size_t>(c)],
         pair.is_equal()
             ? std::optional(1.0)
             : similarity(pair, channel_plane(pair.golden(), pair.layer(), c, pair.queue()),
                          channel_plane(pair.result(), pair.layer(), c, pair.queue()))});
  // Of one that is not colour its first channel's: depth.
  values.front().value = values[1].value;
  if (has_luminance(spec) && !pair.is_equal())
    values.front().value =
        similarity(pair, luminance_plane(pair.golden(), pair.layer(), pair.queue()),
                   luminance_plane(pair.result(), pair.layer(), pair.queue()));
  return values;
}

}  // namespace

const Metric& ssim_metric() {
  static const Metric metric = {
      "ssim", "structural similarity, 11x11 gaussian", true, false, measure, "", 1};
  return metric;
}

}  // namespace cuimg
