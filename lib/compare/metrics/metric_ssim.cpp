// SPDX-License-Identifier: Apache-2.0
// SSIM (Z. Wang et al., "Image Quality Assessment: From Error Visibility to Structural Similarity",
// 2004) of luminance and of each channel, on stored values.
#include <cstring>

#include "compare/metrics/structure_rows.h"
#include "image/dispatch.h"

namespace cuimg {
namespace {

// Whether a channel is stored with the same bytes, as alpha often is. Its similarity is 1 then, as
// a card computes it sooner than a core looks.
bool has_equal_channel(const ComparedLayers& layers, int channel) {
  const Image &golden = layers.golden(), &result = layers.result();
  const int layer = layers.layer();
  const Rect& window = layers.window();
  const LayerSpec& spec = layers.spec();
  return with_stored_type(spec.type, [&](auto t) {
    constexpr std::size_t bytes = sizeof(typename decltype(t)::type);
    const std::size_t first = static_cast<std::size_t>(channel) * bytes, step = spec.pixel_bytes();
    for (int y = window.y; y < window.bottom(); ++y) {
      const std::byte* a = golden.row(layer, y) + first;
      const std::byte* b = result.row(layer, y) + first;
      for (int x = 0; x < window.width; ++x, a += step, b += step)
        if (std::memcmp(a, b, bytes) != 0) return false;
    }
    return true;
  });
}

std::optional<double> similarity(const LayerPair& pair, int channel) {
  if (pair.is_equal()) return 1.0;
  if (!pair.queue().is_cuda() && has_equal_channel(pair.layers(), channel)) return 1.0;
  // What is luminance there is this channel.
  if (channel == 0 && !has_luminance(pair.spec())) return pair.luminance().means->similarity;
  const auto means =
      structure_means(channel_planes(pair.layers(), channel), pair.range(), pair.queue());
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
        {"ssim_of_channel." + spec.channels[static_cast<std::size_t>(c)], similarity(pair, c)});
  // Of one that is not colour its first channel's: depth.
  values.front().value = pair.is_equal() ? 1.0 : pair.luminance().means->similarity;
  return values;
}

}  // namespace

const Metric& ssim_metric() {
  static const Metric metric = {
      "ssim", "structural similarity, 11x11 gaussian", true, false, measure, "", 1};
  return metric;
}

}  // namespace cuimg
