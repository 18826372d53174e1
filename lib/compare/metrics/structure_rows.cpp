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
#include "compare/metrics/symmetric_sums.h"
#include "image/row_convert.h"
#include "kernels/math/math.h"

namespace cuimg {
namespace {

constexpr int reach = structure_window / 2;
constexpr int tile_width = 128, tile_height = 64;
constexpr int tile_rows = tile_height + 2 * reach;
constexpr int sums = 4;  // x, y, x^2 + y^2, x y

using Weights = std::array<double, reach + 1>;

// Half of the gaussian, normalised to the sum 1.
Weights make_weights() {
  constexpr double sigma = 1.5;
  Weights weights{};
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

struct TileSums {
  double similarity = 0, contrast = 0;
};

// @param x0, y0 of the first window's corner. @param width, height of the windows' grid.
TileSums tile_sums(const Plane& a, const Plane& b, int x0, int y0, int width, int height,
                   const Weights& weights, const StructureConstants& k, Tile& tile) {
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
  std::array<double, 4> similar{}, contrast{};
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
    for (int x = 0; x < width; ++x) {
      similar[static_cast<std::size_t>(x % 4)] += values[static_cast<std::size_t>(x)].similarity;
      contrast[static_cast<std::size_t>(x % 4)] += values[static_cast<std::size_t>(x)].contrast;
    }
  }
  return {(similar[0] + similar[2]) + (similar[1] + similar[3]),
          (contrast[0] + contrast[2]) + (contrast[1] + contrast[3])};
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
          to[x] = select(is_finite(v), v, 0.0f);
        }
      });
    }
  });
  return plane;
}

Plane luminance_plane(const Image& image, int layer, const Queue& queue) {
  if (!has_luminance(image.spec().layers[static_cast<std::size_t>(layer)]))
    return plane_of(image, layer, queue, [](const float* pixel) { return pixel[0]; });
  return plane_of(image, layer, queue, [](const float* pixel) {
    return static_cast<float>(0.2126 * static_cast<double>(pixel[0]) +
                              0.7152 * static_cast<double>(pixel[1]) +
                              0.0722 * static_cast<double>(pixel[2]));
  });
}

}  // namespace

Plane channel_plane(const Image& image, int layer, int channel, const Queue& queue) {
  return plane_of(image, layer, queue, [=](const float* pixel) { return pixel[channel]; });
}

bool has_luminance(const LayerSpec& spec) {
  return spec.channel_count() >= 3 && spec.channels[0] == "R" && spec.channels[1] == "G" &&
         spec.channels[2] == "B";
}

const LuminancePair& LayerPair::luminance() const {
  if (!luminance_) {
    auto made = std::make_shared<LuminancePair>();
    made->golden = luminance_plane(golden_, layer_, queue_);
    made->result = luminance_plane(result_, layer_, queue_);
    made->means = structure_means(made->golden, made->result, range(), queue_);
    luminance_ = std::move(made);
  }
  return *luminance_;
}

Plane halved(const Plane& plane, const Queue& queue) {
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
        return 0.25f * ((upper[left] + upper[right]) + (lower[left] + lower[right]));
      };
      for (int x = 0; x < plane.width / 2; ++x) to[x] = mean(2 * x, 2 * x + 1);
      if (plane.width % 2 == 1) to[half.width - 1] = mean(plane.width - 1, plane.width - 1);
    }
  });
  return half;
}

std::optional<StructureMeans> structure_means(const Plane& golden, const Plane& result,
                                              double range, const Queue& queue) {
  static const Weights weights = make_weights();
  const int width = golden.width - 2 * reach, height = golden.height - 2 * reach;
  if (width < 1 || height < 1) return std::nullopt;
  const StructureConstants constants = StructureConstants::of_range(range);
  const int across = (width + tile_width - 1) / tile_width;
  const int down = (height + tile_height - 1) / tile_height;
  std::vector<TileSums> tiles(static_cast<std::size_t>(across) * static_cast<std::size_t>(down));
  queue.for_each(down, [&](int item) {
    const auto tile = std::make_unique<Tile>();
    const int y0 = item * tile_height, rows = std::min(tile_height, height - y0);
    for (int i = 0; i < across; ++i) {
      const int x0 = i * tile_width, columns = std::min(tile_width, width - x0);
      TileSums& sum = tiles[static_cast<std::size_t>(item * across + i)];
      if (equal_below(golden, result, x0, y0, columns + 2 * reach, rows + 2 * reach)) {
        sum.similarity = sum.contrast = static_cast<double>(columns) * rows;
        continue;
      }
      with_best_instructions([&] {
        sum = tile_sums(golden, result, x0, y0, columns, rows, weights, constants, *tile);
      });
    }
  });
  StructureMeans means{0, 0};
  for (const TileSums& sum : tiles) {
    means.similarity += sum.similarity;
    means.contrast += sum.contrast;
  }
  const double windows = static_cast<double>(width) * height;
  means.similarity /= windows;
  means.contrast /= windows;
  return means;
}

}  // namespace cuimg
