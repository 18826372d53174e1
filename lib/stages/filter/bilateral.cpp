// SPDX-License-Identifier: Apache-2.0
#include "stages/filter/bilateral.h"

#include "device/on_device.h"
#include "stages/description.h"
#include "stages/filter/window_words.h"

namespace cuimg {
namespace {

struct Bilateral {
  int radius = 5;
  float sigma_space = 2.5f;
  float sigma_range = 0.1f;
  Border border = Border::clamp;
};

BilateralTaps make_taps(const Bilateral& p) {
  constexpr double log2_e = 1.4426950408889634;
  const auto scale = [&](float sigma) {
    return -log2_e / (2 * static_cast<double>(sigma) * static_cast<double>(sigma));
  };
  BilateralTaps taps;
  taps.radius = p.radius;
  taps.likeness = static_cast<float>(scale(p.sigma_range));
  for (int dy = -p.radius; dy <= p.radius; ++dy) {
    int half = 0;
    while ((half + 1) * (half + 1) + dy * dy <= p.radius * p.radius) ++half;
    taps.half_widths.push_back(half);
    for (int dx = -p.radius; dx <= p.radius; ++dx)
      taps.nearness.push_back(static_cast<float>(scale(p.sigma_space) * (dx * dx + dy * dy)));
  }
  return taps;
}

// A bit for each channel that is used to compare pixels.
std::uint32_t compared_channels(const LayerSpec& layer) {
  const std::uint32_t all = (1u << layer.channel_count()) - 1u;
  const int alpha = layer.alpha_index();
  return alpha >= 0 && layer.channel_count() > 1 ? all & ~(1u << alpha) : all;
}

std::unique_ptr<Operation> bilateral(const Bilateral& p, const Spec& input,
                                     const StageContext& context) {
  Stencil stencil(input, p.border, {p.radius, p.radius, p.radius, p.radius}, light_but_ids(input),
                  context.raw);
  stencil.plan.cost_ns = 6.0 * p.radius * p.radius * static_cast<double>(input.layers.size());
  std::vector<std::uint32_t> colors;
  for (const LayerSpec& layer : input.layers) colors.push_back(compared_channels(layer));
  const BorderSampler borders = stencil.borders;
  return make_stencil(std::move(stencil),
                      [taps = make_taps(p), borders, colors = std::move(colors)](
                          const Queue& queue, int layer, const Frame& source, const Frame& target) {
                        on_device<bilateral_on_cpu, bilateral_on_cuda>(
                            queue, taps, borders.within(source.region()),
                            colors[static_cast<std::size_t>(layer)], source, target);
                      });
}

}  // namespace

void bilateral_on_cpu(const BilateralTaps& taps, const BorderSampler& borders, std::uint32_t colors,
                      const Frame& source, const Frame& target) {
  const Rect& t = target.region();
  const Rect around = grown(t, taps.radius, taps.radius);
  const Frame padded = borders.padded(source, around);
  const auto channels = static_cast<std::size_t>(target.format().channels);
  const auto width = static_cast<std::size_t>(around.width);
  const std::size_t plane = width * static_cast<std::size_t>(around.height);
  std::vector<float> planes(plane * channels), made(static_cast<std::size_t>(t.width) * channels);
  for (int y = around.y; y < around.bottom(); ++y) {
    const auto* row = padded.pixel_as<float>(around.x, y);
    float* first = planes.data() + static_cast<std::size_t>(y - around.y) * width;
    for (std::size_t x = 0; x < width; ++x)
      for (std::size_t c = 0; c < channels; ++c) first[c * plane + x] = *row++;
  }
  BilateralRow row{{}, around.width, static_cast<std::size_t>(t.width), {}};
  for (std::size_t c = 0; c < channels; ++c) row.targets[c] = made.data() + c * row.count;
  for (int y = t.y; y < t.bottom(); ++y) {
    for (std::size_t c = 0; c < channels; ++c)
      row.planes[c] = planes.data() + c * plane + static_cast<std::size_t>(y - around.y) * width +
                      static_cast<std::size_t>(taps.radius);
    bilateral_row(taps, row, static_cast<int>(channels), colors);
    auto* out = target.pixel_as<float>(t.x, y);
    for (int x = 0; x < t.width; ++x)
      for (std::size_t c = 0; c < channels; ++c) *out++ = row.targets[c][x];
  }
}

StageDescription bilateral_stage() {
  return describe<Bilateral>("bilateral", "smooth, but keep edges", Kind::filter)
      .param("radius", &Bilateral::radius, range(1, 50), "radius of the disk that is mixed",
             unit("pixels"))
      .param("sigma-space", &Bilateral::sigma_space, range(0.1f, 1000.0f),
             "standard deviation of the weights by distance", unit("pixels"))
      .param("sigma-range", &Bilateral::sigma_range, range(0.0001f, 10000.0f),
             "standard deviation of the weights by difference in colour, in linear values")
      .param("border", &Bilateral::border, "what lies beyond the picture's edge")
      .details(
          "Each pixel becomes a weighted mean of the pixels around it. A weight is exp(-d^2 / (2 "
          "sigma-space^2)) exp(-c^2 / (2 sigma-range^2)), where d is the distance and c the "
          "difference in colour: its Euclidean length over all channels but alpha (Tomasi and "
          "Manduchi 1998). Linear light is compared and mixed, premultiplied by alpha. A NaN or an "
          "infinity stays where it is and affects no other pixel. " +
          std::string(data_window_grows))
      .example("cuimg bilateral --radius 5 --sigma-range 0.05 in.exr out.exr")
      .prepare(bilateral);
}

}  // namespace cuimg
