// SPDX-License-Identifier: Apache-2.0
// Works on tiles that fit the cache: opponent colours, filters along rows, then along columns, then
// each pixel's appearance; for both pictures, then their difference. Tiles that are equal in both,
// within the filters' reach, are skipped. Filters are symmetric, so a weight serves two pixels.
#include "compare/metrics/flip_rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "base/instruction_set.h"
#include "compare/metrics/symmetric_sums.h"
#include "kernels/compare/flip_color.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

constexpr int tile_width = 128, tile_height = 96;

// Arrays of a tile, for a reach that is known at run time.
struct Tile {
  explicit Tile(int filter_reach)
      : reach(filter_reach),
        padded(tile_width + 2 * filter_reach),
        rows(tile_height + 2 * filter_reach),
        opponent(3 * static_cast<std::size_t>(padded)),
        along_rows(7 * static_cast<std::size_t>(tile_width) * static_cast<std::size_t>(rows)) {}

  int reach, padded, rows;
  std::vector<float> opponent;    // three rows: Y, X - Y, Y - Z
  std::vector<float> along_rows;  // seven sums for each row
  // The appearance of each pixel: L, a, b, edges, points.
  std::array<std::vector<float>, 2> looks = {std::vector<float>(5 * tile_width * tile_height),
                                             std::vector<float>(5 * tile_width * tile_height)};
};

struct Place {
  int x0, y0, width, height;
};

#define CUIMG_INLINE inline __attribute__((always_inline))

CUIMG_INLINE void smooth(const float* from, std::ptrdiff_t step, const std::vector<float>& half,
                         float* to) {
  sum_symmetric<tile_width>(from, step, std::span<const float>(half), to);
}
CUIMG_INLINE void differentiate(const float* from, std::ptrdiff_t step,
                                const std::vector<float>& half, float* to) {
  sum_antisymmetric<tile_width>(from, step, std::span<const float>(half), to);
}

// The order of the sums along rows.
enum Sum { light, red_green, blue, blue_wide, feature, feature_slope, feature_bend };

CUIMG_INLINE void filter_row(const float* opponent, int padded, int reach,
                             const FlipFilters& filters, float* to) {
  const float *y = opponent + reach, *rg = y + padded, *by = rg + padded;
  smooth(y, 1, filters.light, to + light * tile_width);
  smooth(rg, 1, filters.red_green, to + red_green * tile_width);
  smooth(by, 1, filters.blue_yellow, to + blue * tile_width);
  smooth(by, 1, filters.blue_yellow_wide, to + blue_wide * tile_width);
  smooth(y, 1, filters.gaussian, to + feature * tile_width);
  differentiate(y, 1, filters.slope, to + feature_slope * tile_width);
  smooth(y, 1, filters.bend, to + feature_bend * tile_width);
}

// The sums along columns: colours as the eye filters them, and edges and points in both directions.
struct Filtered {
  std::array<float, tile_width> y, red_green, blue, blue_wide, edge_x, edge_y, point_x, point_y;
};

CUIMG_INLINE void filter_columns(const float* from, const FlipFilters& filters, Filtered& out) {
  constexpr std::ptrdiff_t step = 7 * tile_width;
  smooth(from + light * tile_width, step, filters.light, out.y.data());
  smooth(from + red_green * tile_width, step, filters.red_green, out.red_green.data());
  smooth(from + blue * tile_width, step, filters.blue_yellow, out.blue.data());
  smooth(from + blue_wide * tile_width, step, filters.blue_yellow_wide, out.blue_wide.data());
  smooth(from + feature_slope * tile_width, step, filters.gaussian, out.edge_x.data());
  differentiate(from + feature * tile_width, step, filters.slope, out.edge_y.data());
  smooth(from + feature_bend * tile_width, step, filters.gaussian, out.point_x.data());
  smooth(from + feature * tile_width, step, filters.bend, out.point_y.data());
}

// Opponent colours of a row of the tile; beyond the picture, its edge pixels are repeated.
CUIMG_INLINE void load_row(const DisplayPicture& picture, int y, int x0, int columns,
                           std::optional<float> exposure, int padded, float* to) {
  const float* row = picture.row(std::clamp(y, 0, picture.height - 1));
  float *red = to, *green = to + padded, *blue = green + padded;
  const auto repeat = [&](int from, int end, const float* rgb) {
    for (int x = from; x < end; ++x) red[x] = rgb[0], green[x] = rgb[1], blue[x] = rgb[2];
  };
  const int left = std::clamp(-x0, 0, columns);
  const int right = std::clamp(picture.width - x0, left, columns);
  repeat(0, left, row);
  const float* inside = row + 3 * (x0 + left);
  for (int x = left; x < right; ++x, inside += 3)
    red[x] = inside[0], green[x] = inside[1], blue[x] = inside[2];
  repeat(right, columns, row + 3 * (picture.width - 1));
  if (exposure) {
    const float factor = *exposure;
    for (int x = 0; x < columns; ++x) {
      red[x] = flip::ToneCurve::shown(red[x] * factor);
      green[x] = flip::ToneCurve::shown(green[x] * factor);
      blue[x] = flip::ToneCurve::shown(blue[x] * factor);
    }
  }
  for (int x = 0; x < columns; ++x) {
    const flip::Triple light = flip::opponent(
        {clamp(red[x], 0.0f, 1.0f), clamp(green[x], 0.0f, 1.0f), clamp(blue[x], 0.0f, 1.0f)});
    red[x] = light.a, green[x] = light.b, blue[x] = light.c;
  }
}

CUIMG_INLINE void look_at(const DisplayPicture& picture, const Place& place,
                          const FlipFilters& filters, std::optional<float> exposure, Tile& tile,
                          std::vector<float>& looks) {
  const int reach = tile.reach;
  constexpr int sums = 7 * tile_width;
  for (int y = 0; y < place.height + 2 * reach; ++y) {
    load_row(picture, place.y0 + y - reach, place.x0 - reach, place.width + 2 * reach, exposure,
             tile.padded, tile.opponent.data());
    filter_row(tile.opponent.data(), tile.padded, reach, filters,
               tile.along_rows.data() + static_cast<std::ptrdiff_t>(y) * sums);
  }
  Filtered f;
  for (int y = 0; y < place.height; ++y) {
    filter_columns(tile.along_rows.data() + static_cast<std::ptrdiff_t>(y + reach) * sums, filters,
                   f);
    float* l = looks.data() + static_cast<std::ptrdiff_t>(y) * 5 * tile_width;
    float *a = l + tile_width, *b = a + tile_width, *edges = b + tile_width;
    float* points = edges + tile_width;
    for (std::size_t x = 0; x < tile_width; ++x) {
      const flip::Triple lab = flip::hunt_lab({f.y[x], f.red_green[x], f.blue[x] + f.blue_wide[x]});
      l[x] = lab.a, a[x] = lab.b, b[x] = lab.c;
      edges[x] = flip::strength(f.edge_x[x], f.edge_y[x]);
      points[x] = flip::strength(f.point_x[x], f.point_y[x]);
    }
  }
}

CUIMG_INLINE void compare_looks(const Tile& tile, const Place& place, int width, float* map) {
  // Separate arrays, so that the compiler vectorises each loop.
  std::array<float, tile_width> colors, features, errors;
  for (int y = 0; y < place.height; ++y) {
    const float* p = tile.looks[0].data() + static_cast<std::ptrdiff_t>(y) * 5 * tile_width;
    const float* q = tile.looks[1].data() + static_cast<std::ptrdiff_t>(y) * 5 * tile_width;
    for (std::size_t x = 0; x < tile_width; ++x)
      colors[x] = flip::color_error({p[x], p[tile_width + x], p[2 * tile_width + x]},
                                    {q[x], q[tile_width + x], q[2 * tile_width + x]});
    for (std::size_t x = 0; x < tile_width; ++x)
      features[x] = flip::feature_difference(p[3 * tile_width + x], p[4 * tile_width + x],
                                             q[3 * tile_width + x], q[4 * tile_width + x]);
    for (std::size_t x = 0; x < tile_width; ++x)
      errors[x] = flip::combined_error(colors[x], features[x]);
    float* to = map + static_cast<std::ptrdiff_t>(place.y0 + y) * width + place.x0;
    for (int x = 0; x < place.width; ++x)
      to[x] = std::max(to[x], errors[static_cast<std::size_t>(x)]);
  }
}

// Whether the filters cover the same values in both pictures.
bool equal_around(const DisplayPicture& a, const DisplayPicture& b, const Place& place, int reach) {
  const int left = std::max(0, place.x0 - reach);
  const int right = std::min(a.width, place.x0 + place.width + reach);
  const int top = std::max(0, place.y0 - reach);
  const int bottom = std::min(a.height, place.y0 + place.height + reach);
  for (int y = top; y < bottom; ++y)
    if (std::memcmp(a.row(y) + 3 * left, b.row(y) + 3 * left,
                    static_cast<std::size_t>(right - left) * 3 * sizeof(float)) != 0)
      return false;
  return true;
}

}  // namespace

void add_flip_errors(const DisplayPicture& golden, const DisplayPicture& result,
                     const FlipFilters& filters, std::optional<float> exposure,
                     std::vector<float>& map, const Queue& queue) {
  const int width = golden.width, height = golden.height, reach = filters.reach();
  const int across = ceil_div(width, tile_width);
  const int down = ceil_div(height, tile_height);
  queue.for_each(down, [&](int item) {
    Tile tile(reach);
    for (int i = 0; i < across; ++i) {
      const Place place = {i * tile_width, item * tile_height,
                           std::min(tile_width, width - i * tile_width),
                           std::min(tile_height, height - item * tile_height)};
      if (equal_around(golden, result, place, reach)) continue;
      with_best_instructions([&] {
        look_at(golden, place, filters, exposure, tile, tile.looks[0]);
        look_at(result, place, filters, exposure, tile, tile.looks[1]);
        compare_looks(tile, place, width, map.data());
      });
    }
  });
}

}  // namespace cuimg
