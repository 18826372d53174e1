// SPDX-License-Identifier: Apache-2.0
// NaN and infinities are carried through, and spread no farther than a filter reaches.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/failing/bad_input.h"
#include "cli/failing/hostile_files.h"

namespace cuimg::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

struct Filter {
  const char* name;
  double support;  // half the filter's width, in pixels of the coarser grid
};

const Filter filters[] = {{"point", 0.5},          {"linear", 1},   {"box", 0.5},
                          {"triangle", 1},         {"cubic", 2},    {"catmull-rom", 2},
                          {"mitchell", 2},         {"bspline", 2},  {"gaussian", 2},
                          {"lanczos2", 2},         {"lanczos3", 3}, {"lanczos4", 4},
                          {"blackman-harris", 1.5}};

class Infinity : public BadInput {
 protected:
  void SetUp() override { float_exr(folder / "in.exr", width, height, spots); }

  // Pixels whose filter does not reach a spot must equal the constant exactly.
  void expect_local(const std::string& file, double support, std::size_t least_wild) const {
    int columns = 0, rows = 0;
    const std::vector<float> values = exr_values(folder / file, columns, rows);
    const double across = double{width} / columns, down = double{height} / rows;
    // The texture unit rounds positions to multiples of 1/256 texel.
    const double reach_x = support * std::max(1.0, across) + 1.0 / 256;
    const double reach_y = support * std::max(1.0, down) + 1.0 / 256;
    std::size_t wild = 0;
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) {
        const float value = values[static_cast<std::size_t>(y * columns + x)];
        wild += std::isfinite(value) ? 0 : 1;
        const bool is_near = std::any_of(spots.begin(), spots.end(), [&](const Spot& spot) {
          return std::abs((x + 0.5) * across - (spot.x + 0.5)) <= reach_x &&
                 std::abs((y + 0.5) * down - (spot.y + 0.5)) <= reach_y;
        });
        if (!is_near) {
          ASSERT_EQ(value, 0.25f) << file << " at " << x << ", " << y;
        }
      }
    EXPECT_GE(wild, least_wild) << file << ": they are lost";
  }

  static constexpr int width = 60, height = 48;
  const std::vector<Spot> spots = {
      {15, 12, nan}, {44, 12, infinity}, {15, 35, -infinity}, {44, 35, 1e30f}};
};

TEST_F(Infinity, ConvertingKeepsEveryBit) {
  for (const char* output : {"o.exr", "o.tif", "o.pfm"}) {
    expect_done({"convert", "--raw", "in.exr", output});
    expect_done({"convert", "--raw", output, "back.exr"});
    int columns = 0, rows = 0;
    const std::vector<float> values = exr_values(folder / "back.exr", columns, rows);
    for (const Spot& spot : spots) {
      const float value = values[static_cast<std::size_t>(spot.y * width + spot.x)];
      EXPECT_TRUE(value == spot.value || (std::isnan(value) && std::isnan(spot.value)))
          << output << ": " << value;
    }
  }
  expect_done({"convert", "in.exr", "o.png"});  // clamped: NaN to 0
}

TEST_F(Infinity, ResizingSpreadsThemNoFartherThanTheFilterReaches) {
  for (const Filter& filter : filters)
    for (const double scale : {1.0, 0.5, 2.0, 1.73, 0.37}) {
      const std::string percent = std::to_string(std::lround(scale * 100)) + "%";
      SCOPED_TRACE(std::string(filter.name) + " " + percent);
      expect_done({"resize", "--device", "cpu", "--filter", filter.name, "--size", percent,
                   "--type", "float", "in.exr", "o.exr"});
      // Reducing by point may drop single pixels of any value.
      const bool may_lose_them = filter.name == std::string("point") && scale < 1;
      expect_local("o.exr", filter.support, may_lose_them ? 0 : 3);
    }
}

TEST_F(Infinity, RemappingSpreadsThemNoFartherThanTheFilterReaches) {
  // A map in steps of half a pixel, for twice the size. Its x and y are made by enlarging a
  // gradient.
  std::string map = "PF\n120 96\n-1.0\n";
  for (int row = 95; row >= 0; --row)  // PFM stores the bottom row first
    for (int column = 0; column < 120; ++column)
      for (const float value :
           {static_cast<float>(column) / 2 + 0.25f, static_cast<float>(row) / 2 + 0.25f, 0.0f})
        map.append(reinterpret_cast<const char*>(&value), sizeof value);
  folder.write("map.pfm", map);
  const Filter remap_filters[] = {{"point", 0.5}, {"linear", 1}, {"cubic", 2}};
  for (const Filter& filter : remap_filters) {
    SCOPED_TRACE(filter.name);
    expect_done({"remap", "--device", "cpu", "--map", "map.pfm", "--coords", "pixel", "--filter",
                 filter.name, "--border", "clamp", "--type", "float", "in.exr", "o.exr"});
    expect_local("o.exr", filter.support, 3);
  }
}

TEST_F(Infinity, MapsOfNanAndInfinityLeaveOtherPixelsAlone) {
  std::string map = "PF\n60 48\n-1.0\n";
  for (int row = 47; row >= 0; --row)
    for (int column = 0; column < 60; ++column)
      for (const float value : {column == 7   ? nan
                                : column == 9 ? infinity
                                              : 0.5f,
                                row == 5   ? -infinity
                                : row == 6 ? 3e38f
                                           : 0.5f,
                                0.0f})
        map.append(reinterpret_cast<const char*>(&value), sizeof value);
  folder.write("map.pfm", map);
  for (const char* filter : {"point", "linear", "cubic"})
    for (const char* border : {"clamp", "wrap", "mirror", "border"}) {
      SCOPED_TRACE(std::string(filter) + " " + border);
      expect_done({"remap", "--device", "cpu", "--map", "map.pfm", "--filter", filter, "--border",
                   border, "--type", "float", "in.exr", "o.exr"});
      int columns = 0, rows = 0;
      const std::vector<float> values = exr_values(folder / "o.exr", columns, rows);
      for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x)
          if (x != 7 && x != 9 && y != 5 && y != 6) {
            ASSERT_EQ(values[static_cast<std::size_t>(y * columns + x)], 0.25f) << x << ", " << y;
          }
    }
}

}  // namespace
}  // namespace cuimg::test
