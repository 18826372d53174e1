// SPDX-License-Identifier: Apache-2.0
// Works on tiles that fit the cache, with all planes of a layer while its pixels are there. In a
// tile it works on strips: sums along a row, which a ring keeps while windows need them, then along
// columns.
#include <algorithm>
#include <array>
#include <cstring>

#include "base/instruction_set.h"
#include "compare/metrics/row_sums.h"
#include "compare/metrics/structure_rows.h"
#include "image/row_convert.h"
#include "kernels/math/ceil_div.h"
#include "kernels/math/dispatch.h"

namespace cuimg {
namespace {

constexpr int reach = structure_window / 2;
constexpr int tile_width = structure_tile_width, tile_height = structure_tile_height;
constexpr int tile_columns = tile_width + 2 * reach, tile_rows = tile_height + 2 * reach;
constexpr int tile_stride = round_up(tile_columns, 16);  // each row begins at a vector boundary
constexpr int sums = 4;                                  // x, y, x^2 + y^2, x y

// As many columns as leave the ring in the first-level cache. Two windows, one above the other, are
// computed together, since they share all rows but two.
constexpr int strip = 64, strip_columns = strip + 2 * reach;
constexpr int ring_rows = structure_window + 1;
static_assert(tile_width % strip == 0 && ring_rows % 2 == 0);
using Ring = std::array<double, ring_rows * sums * strip>;

// The rows of two planes from a tile's first pixel on.
struct TileRows {
  const float *golden, *result;
  std::ptrdiff_t stride;

  TileRows from(int x, int y) const {
    return {golden + y * stride + x, result + y * stride + x, stride};
  }
};

// The weighted sum of a value and its neighbours on both sides, from the centre outwards.
// @param at (offset) -> double.
template <class At>
inline __attribute__((always_inline)) double symmetric_sum(const StructureWeights& w,
                                                           const At& at) {
  static_assert(structure_window == 11);
  double sum = w[0] * at(0);
  sum += w[1] * (at(-1) + at(1));
  sum += w[2] * (at(-2) + at(2));
  sum += w[3] * (at(-3) + at(3));
  sum += w[4] * (at(-4) + at(4));
  sum += w[5] * (at(-5) + at(5));
  return sum;
}

// @param to a row of the ring.
inline void sum_along_row(const float* a, const float* b, const StructureWeights& weights,
                          double* __restrict to) {
  const StructureWeights w = weights;  // a local copy, so that loops keep it in registers
  std::array<double, sums * strip_columns> of;
  for (std::size_t x = 0; x < strip_columns; ++x) {
    const auto p = static_cast<double>(a[x]), q = static_cast<double>(b[x]);
    of[x] = p;
    of[strip_columns + x] = q;
    of[2 * strip_columns + x] = p * p + q * q;
    of[3 * strip_columns + x] = p * q;
  }
  for (int s = 0; s < sums; ++s) {
    const double* const center = of.data() + s * strip_columns + reach;
    for (int x = 0; x < strip; ++x)
      to[s * strip + x] = symmetric_sum(w, [=](int k) { return center[x + k]; });
  }
}

// @tparam first the position in the ring of the upper window's first row. @tparam count one or two
// windows.
template <int first, int count>
inline void add_windows(const Ring& ring, const StructureWeights& weights,
                        const StructureConstants& given, double* __restrict similar,
                        double* __restrict contrast) {
  const StructureWeights w = weights;
  const StructureConstants constants = given;
  const double* const rows = ring.data();
  for (int x = 0; x < strip; ++x) {
    const auto value = [&](int window) __attribute__((always_inline)) {
      const auto sum = [&](int s) __attribute__((always_inline)) {
        return symmetric_sum(
            w, [=](int k) __attribute__((always_inline)) {
              return rows[((first + window + reach + k) % ring_rows * sums + s) * strip + x];
            });
      };
      return structure_value(sum(0), sum(1), sum(2), sum(3), constants);
    };
    const StructureValue upper = value(0);
    similar[x] += upper.similarity;
    contrast[x] += upper.contrast;
    if constexpr (count == 2) {
      const StructureValue lower = value(1);
      similar[x] += lower.similarity;
      contrast[x] += lower.contrast;
    }
  }
}

template <int count>
inline void add_windows(int first, const Ring& ring, const StructureWeights& weights,
                        const StructureConstants& constants, double* similar, double* contrast) {
  static_assert(ring_rows == 12);
  switch (first) {
    case 0:
      return add_windows<0, count>(ring, weights, constants, similar, contrast);
    case 2:
      return add_windows<2, count>(ring, weights, constants, similar, contrast);
    case 4:
      return add_windows<4, count>(ring, weights, constants, similar, contrast);
    case 6:
      return add_windows<6, count>(ring, weights, constants, similar, contrast);
    case 8:
      return add_windows<8, count>(ring, weights, constants, similar, contrast);
    default:
      return add_windows<10, count>(ring, weights, constants, similar, contrast);
  }
}

// Adds a strip's columns. @param columns, height of the grid of windows.
inline void add_strip(const TileRows& tile, int columns, int height,
                      const StructureWeights& weights, const StructureConstants& constants,
                      double* similar, double* contrast) {
  Ring ring;
  // for the plane's last strip, which has fewer columns
  std::array<float, strip_columns> last_a{}, last_b{};
  const auto add_row = [&](int y) {
    const float *a = tile.golden + y * tile.stride, *b = tile.result + y * tile.stride;
    if (columns < strip) {
      std::copy_n(a, columns + 2 * reach, last_a.begin());
      std::copy_n(b, columns + 2 * reach, last_b.begin());
      a = last_a.data(), b = last_b.data();
    }
    sum_along_row(a, b, weights, ring.data() + y % ring_rows * sums * strip);
  };
  for (int y = 0; y < 2 * reach; ++y) add_row(y);
  for (int y = 0; y < height; y += 2) {
    add_row(y + 2 * reach);
    if (y + 1 < height) {
      add_row(y + 2 * reach + 1);
      add_windows<2>(y % ring_rows, ring, weights, constants, similar, contrast);
    } else {
      add_windows<1>(y % ring_rows, ring, weights, constants, similar, contrast);
    }
  }
}

bool are_equal(const TileRows& tile, int width, int height) {
  for (int y = 0; y < height; ++y)
    if (const TileRows row = tile.from(0, y);
        std::memcmp(row.golden, row.result, static_cast<std::size_t>(width) * sizeof(float)) != 0)
      return false;
  return true;
}

// If pictures are equal, each window's values are exactly 1.
StructureSums sums_of_equal(int width, int height) {
  const double windows = static_cast<double>(width) * height;
  return {windows, windows};
}

// @param width, height of the grid of windows.
StructureSums tile_sums(const TileRows& tile, int width, int height,
                        const StructureWeights& weights, const StructureConstants& constants) {
  if (are_equal(tile, width + 2 * reach, height + 2 * reach)) return sums_of_equal(width, height);
  std::array<double, tile_width> similar{}, contrast{};  // one for each column
  with_best_instructions([&] {
    for (int x = 0; x < width; x += strip)
      add_strip(tile.from(x, 0), std::min(strip, width - x), height, weights, constants,
                similar.data() + x, contrast.data() + x);
  });
  std::fill(similar.begin() + width, similar.end(), 0.0);
  std::fill(contrast.begin() + width, contrast.end(), 0.0);
  return {sum_of_lanes(similar.data(), tile_width, 1),
          sum_of_lanes(contrast.data(), tile_width, 1)};
}

// The windows of planes, and their distribution among tiles.
struct Tiling {
  explicit Tiling(int plane_width, int plane_height)
      : width(plane_width - 2 * reach), height(plane_height - 2 * reach) {}

  int width, height;
  int across = ceil_div(width, tile_width);
  int down = ceil_div(height, tile_height);
  std::size_t count() const {
    return static_cast<std::size_t>(across) * static_cast<std::size_t>(down);
  }
  /// In windows.
  Rect tile(int i, int j) const {
    const int x = i * tile_width, y = j * tile_height;
    return {x, y, std::min(tile_width, width - x), std::min(tile_height, height - y)};
  }
  std::size_t index(int i, int j) const { return static_cast<std::size_t>(j * across + i); }
};

void halve_row(const float* upper, const float* lower, int width, float* __restrict to) {
  const auto mean = [=](int left, int right) {
    return mean_of_four(upper[left], upper[right], lower[left], lower[right]);
  };
  for (int x = 0; x < width / 2; ++x) to[x] = mean(2 * x, 2 * x + 1);
  if (width % 2 == 1) to[width / 2] = mean(width - 1, width - 1);
}

Plane half_plane(int width, int height) {
  Plane half{(width + 1) / 2, (height + 1) / 2, {}};
  half.values.resize(static_cast<std::size_t>(half.width) * static_cast<std::size_t>(half.height));
  return half;
}

// Converts pixels to a row of each channel, followed by one of luminance.
// @param step from a plane's row to the next plane's.
template <int channels>
void split_row(const float* pixels, int width, std::ptrdiff_t step, float* __restrict to) {
  for (int x = 0; x < width; ++x) {
    const float* const pixel = pixels + x * channels;
    for (int c = 0; c < channels; ++c) to[c * step + x] = structure_operand(pixel[c]);
    if constexpr (channels >= 3)
      to[channels * step + x] =
          structure_operand(structure_luminance(pixel[0], pixel[1], pixel[2]));
  }
}

// A row of tiles of two layers, with their planes while a tile is processed.
class LayerTiles {
 public:
  explicit LayerTiles(const ComparedLayers& layers)
      : layers_(layers), channels_(layers.spec().channel_count()) {
    planes_.resize(2 * static_cast<std::size_t>((channels_ + 1) * plane_step));
    pixels_.resize(static_cast<std::size_t>(tile_columns * channels_));
  }

  /// @param pixels to process next, relative to the data window's corner.
  void read(const Rect& pixels) {
    split(layers_.golden(), pixels, planes_.data());
    split(layers_.result(), pixels, planes_.data() + (channels_ + 1) * plane_step);
  }
  /// Whether these pixels have the same bytes in both layers.
  bool have_equal_bytes(const Rect& pixels) const {
    const std::size_t bytes = layers_.spec().pixel_bytes();
    for (int y = pixels.y; y < pixels.bottom(); ++y)
      if (std::memcmp(stored(layers_.golden(), pixels.x, y), stored(layers_.result(), pixels.x, y),
                      static_cast<std::size_t>(pixels.width) * bytes) != 0)
        return false;
    return true;
  }
  TileRows plane(int index) const {
    const int number = index == luminance_plane ? channels_ : index;
    const float* const golden = planes_.data() + number * plane_step;
    return {golden, golden + (channels_ + 1) * plane_step, tile_stride};
  }

 private:
  static constexpr std::ptrdiff_t plane_step = std::ptrdiff_t{tile_rows} * tile_stride;

  const std::byte* stored(const Image& image, int x, int y) const {
    return image.row(layers_.layer(), layers_.window().y + y) +
           static_cast<std::size_t>(x) * layers_.spec().pixel_bytes();
  }
  void split(const Image& image, const Rect& pixels, float* to) {
    const RowFormat format = {layers_.spec().type, channels_, {}};  // values, not linear light
    for (int y = 0; y < pixels.height; ++y) {
      rows_to_working(format, stored(image, pixels.x, pixels.y + y), pixels_.data(),
                      static_cast<std::size_t>(pixels.width));
      with_channels(channels_, [&](auto n) {
        with_best_instructions([&] {
          split_row<n()>(pixels_.data(), pixels.width, plane_step, to + y * tile_stride);
        });
      });
    }
  }

  const ComparedLayers& layers_;
  const int channels_;
  FloatBuffer planes_, pixels_;
};

// The part of the plane that belongs to the tile, including the margin for the last tiles.
Rect own_pixels(const Tiling& tiling, const Rect& windows) {
  Rect own = windows;
  if (windows.right() == tiling.width) own.width += 2 * reach;
  if (windows.bottom() == tiling.height) own.height += 2 * reach;
  return own;
}

void halve_tile(const TileRows& tile, const Rect& pixels, PlanePair& half) {
  for (int y = 0; y < pixels.height; y += 2) {
    const TileRows upper = tile.from(0, y),
                   lower = tile.from(0, std::min(y + 1, pixels.height - 1));
    const std::size_t at =
        static_cast<std::size_t>((pixels.y + y) / 2) * static_cast<std::size_t>(half.width) +
        static_cast<std::size_t>(pixels.x / 2);
    halve_row(upper.golden, lower.golden, pixels.width, half.golden.values.data() + at);
    halve_row(upper.result, lower.result, pixels.width, half.result.values.data() + at);
  }
}

}  // namespace

std::vector<std::vector<StructureSums>> structure_sums_on_cpu(const ComparedLayers& layers,
                                                              std::span<const int> planes,
                                                              const StructureWeights& weights,
                                                              const StructureConstants& constants,
                                                              PlanePair* half) {
  const Rect& window = layers.window();
  const Tiling tiling(window.width, window.height);
  std::vector<std::vector<StructureSums>> tiles(planes.size(),
                                                std::vector<StructureSums>(tiling.count()));
  if (half != nullptr) {
    half->golden = half_plane(window.width, window.height);
    half->result = half_plane(window.width, window.height);
    half->width = half->golden.width;
    half->height = half->golden.height;
  }
  layers.queue().for_each(tiling.down, [&](int j) {
    LayerTiles pixels(layers);
    for (int i = 0; i < tiling.across; ++i) {
      const Rect windows = tiling.tile(i, j);
      const Rect seen = {windows.x, windows.y, windows.width + 2 * reach,
                         windows.height + 2 * reach};
      const bool equal = pixels.have_equal_bytes(seen);
      if (!equal || half != nullptr) pixels.read(seen);
      for (std::size_t p = 0; p < planes.size(); ++p)
        tiles[p][tiling.index(i, j)] = equal ? sums_of_equal(windows.width, windows.height)
                                             : tile_sums(pixels.plane(planes[p]), windows.width,
                                                         windows.height, weights, constants);
      if (half != nullptr)
        halve_tile(pixels.plane(planes.front()), own_pixels(tiling, windows), *half);
    }
  });
  return tiles;
}

std::vector<StructureSums> structure_sums_on_cpu(const PlanePair& planes,
                                                 const StructureWeights& weights,
                                                 const StructureConstants& constants,
                                                 const Queue& queue) {
  const Tiling tiling(planes.width, planes.height);
  const TileRows all = {planes.golden.row(0), planes.result.row(0), planes.width};
  std::vector<StructureSums> tiles(tiling.count());
  queue.for_each(tiling.down, [&](int j) {
    for (int i = 0; i < tiling.across; ++i) {
      const Rect windows = tiling.tile(i, j);
      tiles[tiling.index(i, j)] = tile_sums(all.from(windows.x, windows.y), windows.width,
                                            windows.height, weights, constants);
    }
  });
  return tiles;
}

Plane halved_on_cpu(const Plane& plane, const Queue& queue) {
  constexpr int rows_per_item = 64;
  Plane half = half_plane(plane.width, plane.height);
  queue.for_each(ceil_div(half.height, rows_per_item), [&](int item) {
    const int end = std::min(half.height, (item + 1) * rows_per_item);
    for (int y = item * rows_per_item; y < end; ++y)
      halve_row(
          plane.row(2 * y), plane.row(std::min(2 * y + 1, plane.height - 1)), plane.width,
          half.values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(half.width));
  });
  return half;
}

}  // namespace cuimg
