// SPDX-License-Identifier: Apache-2.0
// SSIM (Z. Wang et al., "Image Quality Assessment: From Error Visibility to Structural Similarity",
// 2004) of luminance and of each channel, on stored values.
#include "compare/metrics/structure_rows.h"

namespace cuimg {
namespace {

std::vector<MetricValue> measure(const LayerPair& pair) {
  const LayerSpec& spec = pair.spec();
  const Rect& window = pair.window();
  std::vector<MetricValue> values = {{"ssim", {}}};
  const bool fits = window.width >= structure_window && window.height >= structure_window;
  if (spec.holds_ids() || !fits) return values;
  const bool equal = pair.is_equal();
  for (std::size_t c = 0; c < spec.channels.size(); ++c)
    values.push_back({"ssim_of_channel." + spec.channels[c],
                      equal ? 1.0 : pair.structure().channels[c].similarity});
  // For a layer that is not colour, such as depth, it is the value of the first channel.
  values.front().value = equal ? 1.0 : pair.structure().luminance.similarity;
  return values;
}

}  // namespace

const Metric& ssim_metric() {
  static const Metric metric = {
      "ssim", "structural similarity, 11x11 gaussian", true, false, measure, 21};
  return metric;
}

}  // namespace cuimg
