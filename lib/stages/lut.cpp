// SPDX-License-Identifier: Apache-2.0
// Look-up tables from files over colour.
#include "kernels/lut.h"

#include <array>

#include "image/error.h"
#include "stages/color_stage.h"
#include "stages/cube_file.h"
#include "stages/description.h"
#include "stages/table.h"

namespace cuimg {
namespace {

enum class Interpolation : std::uint8_t { tetrahedral, trilinear };
[[maybe_unused]] std::span<const Choice<Interpolation>> choices_of(Interpolation) {
  static constexpr std::array<Choice<Interpolation>, 2> table = {
      {{Interpolation::tetrahedral, "tetrahedral", "four entries; keeps greys grey"},
       {Interpolation::trilinear, "trilinear", "eight entries", "linear"}}};
  return table;
}

enum class ActsOn : std::uint8_t { encoded, linear };
[[maybe_unused]] std::span<const Choice<ActsOn>> choices_of(ActsOn) {
  static constexpr std::array<Choice<ActsOn>, 2> table = {
      {{ActsOn::encoded, "encoded", "values as the input file stores colour"},
       {ActsOn::linear, "linear", "light"}}};
  return table;
}

struct Lut {
  std::string file;
  Interpolation interpolation = Interpolation::tetrahedral;
  ActsOn values = ActsOn::encoded;
};

using Table = std::shared_ptr<const std::vector<float>>;

// What every layer shares: the tables as the operations read them.
struct Tables {
  Table curves, grid;
  std::vector<PixelOp> ops;
  bool keeps_grey = false;
};

void set_axes(const CubeTable& table, TableAxis* axis) {
  for (std::size_t c = 0; c < 3; ++c) {
    const double scale = (table.size - 1) / (table.highest[c] - table.lowest[c]);
    axis[c] = {static_cast<float>(scale), static_cast<float>(-table.lowest[c] * scale)};
  }
}

bool is_neutral(const CubeTable& curves) {
  const auto same = [](const auto& v) { return v[0] == v[1] && v[0] == v[2]; };
  return same(curves.lowest) && same(curves.highest) &&
         std::all_of(curves.entries.begin(), curves.entries.end(), same);
}

CurveTable curve_op(const CubeTable& curves, Tables& tables) {
  auto values = std::make_shared<std::vector<float>>();
  for (std::size_t c = 0; c < 3; ++c)
    for (const auto& entry : curves.entries) values->push_back(entry[c]);
  CurveTable op;
  op.table = values->data();
  op.table_size = static_cast<int>(values->size());
  op.size = curves.size;
  set_axes(curves, op.axis);
  tables.curves = std::move(values);
  return op;
}

template <class Interpolated>
PixelOp grid_op(const CubeTable& grid, Tables& tables) {
  auto values = std::make_shared<std::vector<float>>();
  values->reserve(4 * grid.entries.size());
  for (const auto& entry : grid.entries)
    values->insert(values->end(), {entry[0], entry[1], entry[2], 0});
  GridTable<Interpolated> op;
  op.table = values->data();
  op.table_size = static_cast<int>(values->size());
  op.size = grid.size;
  set_axes(grid, op.axis);
  tables.grid = std::move(values);
  return op;
}

Tables tables_of(const Lut& p) {
  if (p.file.empty()) throw Error("lut", "--file is missing", "name a .cube file");
  const CubeFile cube = read_cube(p.file, "lut: --file " + p.file);
  Tables tables;
  tables.keeps_grey = cube.grid.size == 0 && is_neutral(cube.curves);
  if (cube.curves.size > 0) tables.ops.push_back(curve_op(cube.curves, tables));
  if (cube.grid.size > 0)
    tables.ops.push_back(p.interpolation == Interpolation::trilinear
                             ? grid_op<Trilinear>(cube.grid, tables)
                             : grid_op<Tetrahedral>(cube.grid, tables));
  return tables;
}

std::unique_ptr<Operation> lut(const Lut& p, const Spec& input, const StageContext& context) {
  const Tables tables = tables_of(p);
  const Values values = p.values == ActsOn::linear ? Values::straight : Values::encoded;
  return make_color_operation(
      input, context, values,
      [&](const LayerSpec& layer) {
        ColorChange change;
        if (!tables.keeps_grey) change = grey_to_color(layer);
        change.ops.insert(change.ops.end(), tables.ops.begin(), tables.ops.end());
        for (const Table& table : {tables.curves, tables.grid})
          if (table) change.tables.push_back(table);
        return change;
      },
      20);
}

}  // namespace

const StageDescription& lut_stage() {
  static const StageDescription description =
      describe<Lut>("lut", "take colours through the table of a .cube file", Kind::filter)
          .param("file", &Lut::file, file(),
                 ".cube with curves (LUT_1D_SIZE), a grid (LUT_3D_SIZE) or the one and then the "
                 "other")
          .param("interpolation", &Lut::interpolation, "between a grid's entries")
          .param("values", &Lut::values, "what the table is made for")
          .details(
              "By default the table sees colour as the input file stores it, not premultiplied: "
              "sRGB values between 0 and 1 of a PNG, light of an EXR; what it gives is encoded "
              "likewise, so that writing the same format stores the table's numbers. A table for "
              "log values of an EXR's light that gives sRGB is\n"
              "encode --curve logc3 + lut --file look.cube + decode --curve srgb.\n\n"
              "Values beyond the table's input range (DOMAIN_MIN and DOMAIN_MAX, or "
              "LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE; else 0 to 1) are cut to it. Curves are "
              "interpolated linearly. A grey image becomes one of three colours, unless the table "
              "is one curve for all. Alpha stays; NaN stays NaN, and in a grid makes all three "
              "colours NaN.")
          .example("cuimg lut --file look.cube in.png out.png")
          .on_color_layers()
          .prepare(lut);
  return description;
}

}  // namespace cuimg
