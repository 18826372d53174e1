// SPDX-License-Identifier: Apache-2.0
#include "stages/filter/edges.h"

#include "device/on_device.h"
#include "stages/description.h"
#include "stages/filter/window_words.h"

namespace cuimg {
namespace {

enum class Direction : std::uint8_t { x, y, magnitude };
std::span<const Choice<Direction>> choices_of(Direction) {
  static constexpr Choice<Direction> choices[] = {
      {Direction::x, "x", "positive where values rise to the right"},
      {Direction::y, "y", "positive where values rise downward"},
      {Direction::magnitude, "magnitude", "the gradient's length"}};
  return choices;
}

enum class Neighbors : std::uint8_t { four, eight };
std::span<const Choice<Neighbors>> choices_of(Neighbors) {
  static constexpr Choice<Neighbors> choices[] = {
      {Neighbors::four, "4", "above, below, left and right"},
      {Neighbors::eight, "8", "the diagonal neighbours too"}};
  return choices;
}

struct Sobel {
  Direction direction = Direction::magnitude;
  Border border = Border::clamp;
};

struct Laplacian {
  Neighbors neighbors = Neighbors::four;
  Border border = Border::clamp;
};

std::unique_ptr<Operation> edges(const Spec& input, Border border, const EdgeFilter& filter,
                                 bool raw) {
  Stencil stencil(input, border, {1, 1, 1, 1}, light_but_ids(input), raw);
  stencil.plan.cost_ns = 8 * static_cast<double>(input.layers.size());
  std::vector<int> alphas;
  for (const LayerSpec& layer : input.layers) alphas.push_back(layer.alpha_index());
  const BorderSampler borders = stencil.borders;
  return make_stencil(std::move(stencil),
                      [filter, borders, alphas = std::move(alphas)](
                          const Queue& queue, int layer, const Frame& source, const Frame& target) {
                        on_device<find_edges_on_cpu, find_edges_on_cuda>(
                            queue, filter, borders.within(source.region()),
                            alphas[static_cast<std::size_t>(layer)], source, target);
                      });
}

// out = filter(3x3) for `count` floats of a row; neighbours lie `channels` apart.
template <class Filter>
void find_in_row(const Filter& filter, const float* above, const float* row, const float* below,
                 std::size_t channels, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = i + channels, k = j + channels;
    out[i] = filter({{{above[i], above[j], above[k]},
                      {row[i], row[j], row[k]},
                      {below[i], below[j], below[k]}}});
  }
}

template <class Filter>
void find_edges(const Filter& filter, const Frame& padded, int alpha, const Frame& target) {
  const Rect& t = target.region();
  const auto channels = static_cast<std::size_t>(target.format().channels);
  const std::size_t count = channels * static_cast<std::size_t>(t.width);
  for (int y = t.y; y < t.bottom(); ++y) {
    const auto* row = padded.pixel_as<float>(t.x - 1, y);
    auto* out = target.pixel_as<float>(t.x, y);
    find_in_row(filter, padded.pixel_as<float>(t.x - 1, y - 1), row,
                padded.pixel_as<float>(t.x - 1, y + 1), channels, count, out);
    if (alpha < 0) continue;
    for (std::size_t i = static_cast<std::size_t>(alpha); i < count; i += channels)
      out[i] = row[i + channels];
  }
}

constexpr const char* common_details =
    "Takes differences of linear light, premultiplied by alpha; alpha stays as it is. Weights are "
    "whole numbers, as in OpenCV and ImageMagick";

}  // namespace

void find_edges_on_cpu(const EdgeFilter& filter, const BorderSampler& borders, int alpha,
                       const Frame& source, const Frame& target) {
  const Frame padded = borders.padded(source, grown(target.region(), 1, 1));
  std::visit([&](const auto& chosen) { find_edges(chosen, padded, alpha, target); }, filter);
}

StageDescription sobel_stage() {
  return describe<Sobel>("sobel", "edges from first differences", Kind::filter)
      .param("direction", &Sobel::direction, "direction of the differences")
      .param("border", &Sobel::border, "what lies beyond the picture's edge")
      .details(std::string(common_details) +
               ": along x they are -1 0 1, -2 0 2, -1 0 1 (Sobel and Feldman 1968). A step of 1 "
               "gives 4, and a slope of 1 a pixel gives 8; `+ gain --value 0.125` gives the slope. "
               "Integer formats cut off negative values. " +
               std::string(data_window_grows))
      .example("cuimg sobel in.exr out.exr")
      .example("cuimg sobel --direction x + gain --value 0.125 in.png out.exr")
      .prepare([](const Sobel& p, const Spec& input, const StageContext& context) {
        const EdgeFilter filter = p.direction == Direction::x   ? EdgeFilter(SobelX{})
                                  : p.direction == Direction::y ? EdgeFilter(SobelY{})
                                                                : EdgeFilter(SobelMagnitude{});
        return edges(input, p.border, filter, context.raw);
      });
}

StageDescription laplacian_stage() {
  return describe<Laplacian>("laplacian", "edges from second differences", Kind::filter)
      .param("neighbors", &Laplacian::neighbors, "how many neighbours a pixel is compared with")
      .param("border", &Laplacian::border, "what lies beyond the picture's edge")
      .details(std::string(common_details) +
               ": the sum of the neighbours minus 4 or 8 times the pixel. Integer formats cut off "
               "negative values. " +
               std::string(data_window_grows))
      .example("cuimg laplacian in.exr out.exr")
      .prepare([](const Laplacian& p, const Spec& input, const StageContext& context) {
        const EdgeFilter filter =
            p.neighbors == Neighbors::four ? EdgeFilter(Laplacian4{}) : EdgeFilter(Laplacian8{});
        return edges(input, p.border, filter, context.raw);
      });
}

}  // namespace cuimg
