// SPDX-License-Identifier: Apache-2.0
// By tiles that stay in the cache: sums along rows, then along columns, then the windows' values.
#include "compare/metrics/structure_rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>

#include "base/exact_math.h"
#include "base/instruction_set.h"
#include "compare/metrics/row_sums.h"
#include "compare/metrics/symmetric_sums.h"
#include "device/on_device.h"
#include "image/row_convert.h"
#include "kernels/math/math.h"

namespace cuimg {
namespace {

constexpr int reach = structure_window / 2;
constexpr int tile_width = structure_tile_width, tile_height = structure_tile_height;
constexpr int tile_rows = tile_height + 2 * reach;
constexpr int sums = 4;  // x, y, x^2 + y^2, x y

// Half of the gaussian, normalised to the sum 1.
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

struct Tile {
  std::array<double, tile_rows * tile_width * sums> along_rows;
  std::array<double, sums*(tile_width + 2 * reach)> row;
};

// @param x0, y0 of the first window's corner. @param width, height of the windows' grid.
StructureSums tile_sums(const Plane& a, const Plane& b, int x0, int y0, int width, int height,
                        const StructureWeights& weights, const StructureConstants& k, Tile& tile) {
  constexpr int padded = tile_width + 2 * reach;
  const std::span<const double> half(weights);
  const int columns = width + 2 * reach;
  for (int y = 0; y < height + 2 * reach; ++y) {
    const float *row_a = a.row(y0 + y) + x0, *row_b = b.row(y0 + y) + x0;
    double* of = tile.row.data();
    for (int x = 0; x < columns; ++x) {
      const auto p = static_cast<double>(row_a[x]), q = static_cast<double>(row_b[x]);
      of[x] = p;
      of[padded + x] = q;
      of[2 * padded + x] = p * p + q * q;
      of[3 * padded + x] = p * q;
    }
    double* to = tile.along_rows.data() + y * tile_width * sums;
    for (int s = 0; s < sums; ++s)
      sum_symmetric<tile_width>(of + s * padded + reach, 1, half, to + s * tile_width);
  }
  std::array<double, tile_width> similar{}, contrast{};  // of columns
  for (int y = 0; y < height; ++y) {
    std::array<double, tile_width * sums> window;
    const double* from = tile.along_rows.data() + (y + reach) * tile_width * sums;
    for (int s = 0; s < sums; ++s)
      sum_symmetric<tile_width>(from + s * tile_width, tile_width * sums, half,
                                window.data() + s * tile_width);
    const double *x_mean = window.data(), *y_mean = x_mean + tile_width;
    const double *squares = y_mean + tile_width, *products = squares + tile_width;
    std::array<StructureValue, tile_width> values;
    for (std::size_t x = 0; x < tile_width; ++x)
      values[x] = structure_value(x_mean[x], y_mean[x], squares[x], products[x], k);
    for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
      similar[x] += values[x].similarity;
      contrast[x] += values[x].contrast;
    }
  }
  return {sum_of_lanes(similar.data(), tile_width, 1),
          sum_of_lanes(contrast.data(), tile_width, 1)};
}

bool equal_below(const Plane& a, const Plane& b, int x0, int y0, int width, int height) {
  for (int y = y0; y < y0 + height; ++y)
    if (std::memcmp(a.row(y) + x0, b.row(y) + x0, static_cast<std::size_t>(width) * sizeof(float)))
      return false;
  return true;
}

constexpr int rows_per_item = 64;

template <class Value>
Plane plane_of(const Image& image, int layer, const Queue& queue, const Value& value) {
  const Rect& window = image.spec().data_window;
  const LayerSpec& spec = image.spec().layers[static_cast<std::size_t>(layer)];
  Plane plane{window.width, window.height, {}};
  plane.values.resize(static_cast<std::size_t>(window.pixels()));
  const auto channels = static_cast<std::size_t>(spec.channel_count());
  const RowFormat stored = {spec.type, spec.channel_count(), {}};  // values, not light
  queue.for_each((window.height + rows_per_item - 1) / rows_per_item, [&](int item) {
    std::vector<float> floats(static_cast<std::size_t>(window.width) * channels);
    const int end = std::min(window.height, (item + 1) * rows_per_item);
    for (int y = item * rows_per_item; y < end; ++y) {
      float* to = plane.values.data() +
                  static_cast<std::size_t>(y) * static_cast<std::size_t>(window.width);
      rows_to_working(stored, image.row(layer, window.y + y), floats.data(),
                      static_cast<std::size_t>(window.width));
      with_best_instructions([&] {
        for (int x = 0; x < window.width; ++x) {
          const float v = value(floats.data() + static_cast<std::size_t>(x) * channels);
          to[x] = structure_operand(v);
        }
      });
    }
  });
  return plane;
}

Plane channel_plane(const Image& image, int layer, int channel, const Queue& queue) {
  return plane_of(image, layer, queue, [=](const float* pixel) { return pixel[channel]; });
}

Plane luminance_plane(const Image& image, int layer, const Queue& queue) {
  return plane_of(image, layer, queue, [](const float* pixel) {
    return structure_luminance(pixel[0], pixel[1], pixel[2]);
  });
}

// @param channel an index, or -1 for luminance.
PlanePair planes_of(const ComparedLayers& layers, int channel) {
  const Queue& queue = layers.queue();
  const auto on_cpu = [&](const Image& image) {
    return channel < 0 ? luminance_plane(image, layers.layer(), queue)
                       : channel_plane(image, layers.layer(), channel, queue);
  };
  PlanePair planes{layers.window().width, layers.window().height, {}, {}, {}, {}};
  on_device(
      queue,
      [&] {
        planes.golden = on_cpu(layers.golden());
        planes.result = on_cpu(layers.result());
      },
      [&] {
        planes.golden_on_card = plane_on_cuda(queue, layers.golden_on_card(), channel);
        planes.result_on_card = plane_on_cuda(queue, layers.result_on_card(), channel);
      });
  return planes;
}

Plane halved_plane(const Plane& plane, const Queue& queue) {
  Plane half{(plane.width + 1) / 2, (plane.height + 1) / 2, {}};
  half.values.resize(static_cast<std::size_t>(half.width) * static_cast<std::size_t>(half.height));
  queue.for_each((half.height + rows_per_item - 1) / rows_per_item, [&](int item) {
    const int end = std::min(half.height, (item + 1) * rows_per_item);
    for (int y = item * rows_per_item; y < end; ++y) {
      const float *upper = plane.row(2 * y),
                  *lower = plane.row(std::min(2 * y + 1, plane.height - 1));
      float* to =
          half.values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(half.width);
      const auto mean = [&](int left, int right) {
        return mean_of_four(upper[left], upper[right], lower[left], lower[right]);
      };
      for (int x = 0; x < plane.width / 2; ++x) to[x] = mean(2 * x, 2 * x + 1);
      if (plane.width % 2 == 1) to[half.width - 1] = mean(plane.width - 1, plane.width - 1);
    }
  });
  return half;
}

// Of each tile, row by row.
std::vector<StructureSums> sums_on_cpu(const Plane& golden, const Plane& result,
                                       const StructureWeights& weights,
                                       const StructureConstants& constants, const Queue& queue) {
  const int width = golden.width - 2 * reach, height = golden.height - 2 * reach;
  const int across = (width + tile_width - 1) / tile_width;
  const int down = (height + tile_height - 1) / tile_height;
  std::vector<StructureSums> tiles(static_cast<std::size_t>(across) *
                                   static_cast<std::size_t>(down));
  queue.for_each(down, [&](int item) {
    const auto tile = std::make_unique<Tile>();
    const int y0 = item * tile_height, rows = std::min(tile_height, height - y0);
    for (int i = 0; i < across; ++i) {
      const int x0 = i * tile_width, columns = std::min(tile_width, width - x0);
      StructureSums& sum = tiles[static_cast<std::size_t>(item * across + i)];
      // Where pictures are equal each window's values are exactly 1.
      if (equal_below(golden, result, x0, y0, columns + 2 * reach, rows + 2 * reach)) {
        sum.similarity = sum.contrast = static_cast<double>(columns) * rows;
        continue;
      }
      with_best_instructions([&] {
        sum = tile_sums(golden, result, x0, y0, columns, rows, weights, constants, *tile);
      });
    }
  });
  return tiles;
}

}  // namespace

PlanePair channel_planes(const ComparedLayers& layers, int channel) {
  return planes_of(layers, channel);
}

bool has_luminance(const LayerSpec& spec) {
  return spec.channel_count() >= 3 && spec.channels[0] == "R" && spec.channels[1] == "G" &&
         spec.channels[2] == "B";
}

const LuminancePair& LayerPair::luminance() const {
  if (!luminance_) {
    auto made = std::make_shared<LuminancePair>();
    made->planes = planes_of(layers_, has_luminance(spec()) ? -1 : 0);
    made->means = structure_means(made->planes, range(), queue());
    luminance_ = std::move(made);
  }
  return *luminance_;
}

PlanePair halved(const PlanePair& planes, const Queue& queue) {
  PlanePair half{(planes.width + 1) / 2, (planes.height + 1) / 2, {}, {}, {}, {}};
  on_device(
      queue,
      [&] {
        half.golden = halved_plane(planes.golden, queue);
        half.result = halved_plane(planes.result, queue);
      },
      [&] {
        half.golden_on_card = halved_on_cuda(queue, planes.golden_on_card);
        half.result_on_card = halved_on_cuda(queue, planes.result_on_card);
      });
  return half;
}

std::optional<StructureMeans> structure_means(const PlanePair& planes, double range,
                                              const Queue& queue) {
  static const StructureWeights weights = make_weights();
  const int width = planes.width - 2 * reach, height = planes.height - 2 * reach;
  if (width < 1 || height < 1) return std::nullopt;
  const StructureConstants constants = StructureConstants::of_range(range);
  const std::vector<StructureSums> tiles = on_device(
      queue, [&] { return sums_on_cpu(planes.golden, planes.result, weights, constants, queue); },
      [&] {
        return structure_sums_on_cuda(queue, planes.golden_on_card, planes.result_on_card, weights,
                                      constants);
      });
  StructureMeans means{0, 0};
  for (const StructureSums& sum : tiles) {
    means.similarity += sum.similarity;
    means.contrast += sum.contrast;
  }
  const double windows = static_cast<double>(width) * height;
  means.similarity /= windows;
  means.contrast /= windows;
  return means;
}

}  // namespace cuimg
