// SPDX-License-Identifier: Apache-2.0
// lut: applies look-up tables from files to colours.
#include "kernels/color/lut_op.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "stages/color/lut/lut_file.h"
#include "stages/color/lut_texture.h"
#include "stages/description.h"
#include "stages/pass/color_stage.h"
#include "stages/run_cache.h"

namespace cuimg {
namespace {

enum class Interpolation : std::uint8_t { tetrahedral, trilinear, texture };
[[maybe_unused]] std::span<const Choice<Interpolation>> choices_of(Interpolation) {
  static constexpr Choice<Interpolation> table[] = {
      {Interpolation::tetrahedral, "tetrahedral", "mixes four entries; keeps greys grey"},
      {Interpolation::trilinear, "trilinear", "eight entries", "linear"},
      {Interpolation::texture, "texture",
       "mixes eight entries, in 256 steps from one to the next"}};
  return table;
}

enum class ActsOn : std::uint8_t { encoded, linear };
[[maybe_unused]] std::span<const Choice<ActsOn>> choices_of(ActsOn) {
  static constexpr Choice<ActsOn> table[] = {
      {ActsOn::encoded, "encoded", "values as the input file stores colour"},
      {ActsOn::linear, "linear", "light"}};
  return table;
}

struct Lut {
  std::string file;
  Interpolation interpolation = Interpolation::tetrahedral;
  ActsOn values = ActsOn::encoded;
};

using Table = std::shared_ptr<const std::vector<float>>;

void set_axes(const LutTable& table, TableAxis* axis) {
  for (std::size_t c = 0; c < 3; ++c) {
    const double scale = (table.size - 1) / (table.highest[c] - table.lowest[c]);
    axis[c] = {static_cast<float>(scale), static_cast<float>(-table.lowest[c] * scale)};
  }
}

bool is_neutral(const LutTable& curves) {
  const auto same = [](const auto& v) { return v[0] == v[1] && v[0] == v[2]; };
  return same(curves.lowest) && same(curves.highest) && std::ranges::all_of(curves.entries, same);
}

// An operation that reads a table in `values`.
template <class Op>
Op table_op(const LutTable& table, const Table& values) {
  Op op;
  op.table = values->data();
  op.table_size = static_cast<int>(values->size());
  op.size = table.size;
  set_axes(table, op.axis);
  return op;
}

// Stored channel by channel.
Table curve_values(const LutTable& curves) {
  auto values = std::make_shared<std::vector<float>>();
  for (std::size_t c = 0; c < 3; ++c)
    for (const auto& entry : curves.entries) values->push_back(entry[c]);
  return values;
}

Table grid_values(const LutTable& grid) {
  auto values = std::make_shared<std::vector<float>>();
  values->reserve(4 * grid.entries.size());
  for (const auto& entry : grid.entries)
    values->insert(values->end(), {entry[0], entry[1], entry[2], 0});
  return values;
}

// For the texture unit. Its sum of entries more than 2^57 apart has not been measured, so entries
// that are too small to matter next to the largest become 0.
Table grid_texels(const LutTable& grid) {
  std::vector<float> values = *grid_values(grid);
  float largest = 0;
  for (const float v : values) largest = std::max(largest, std::abs(v));
  for (float& v : values)
    if (std::abs(v) < largest * 0x1p-50f) v = 0;
  return std::make_shared<const std::vector<float>>(std::move(values));
}

// A file as the stage reads it, shared by all inputs of a run.
struct LutFile {
  LutTables tables;  ///< Without its entries.
  bool keeps_grey = false;
  Table curves, grid;  ///< Null if the file has none.
  PerCard<CardGrid> on_card = {};
};

std::shared_ptr<const LutFile> read_lut(const Lut& p, bool dry_run) {
  const auto extent = dry_run ? LutExtent::before_grid : LutExtent::all;
  auto file =
      std::make_shared<LutFile>(LutFile{read_lut_file(p.file, "lut: --file " + p.file, extent)});
  LutTables& read = file->tables;
  file->keeps_grey = read.grid.size == 0 && is_neutral(read.curves);
  if (read.curves.size > 0) file->curves = curve_values(read.curves);
  if (read.grid.size > 0)
    file->grid =
        p.interpolation == Interpolation::texture ? grid_texels(read.grid) : grid_values(read.grid);
  read.curves.entries = {};
  read.grid.entries = {};
  return file;
}

std::unique_ptr<Operation> lut(const Lut& p, const Spec& input, const StageContext& context) {
  const bool as_texture = p.interpolation == Interpolation::texture;
  const auto file =
      once_a_run<LutFile>(context.run, p.file, (as_texture ? "texture " : "") + p.file,
                          [&] { return read_lut(p, context.dry_run); });
  const LutTables& read = file->tables;
  const bool has_curves = read.curves.size > 0, has_grid = read.grid.size > 0;
  const Values values = p.values == ActsOn::linear ? Values::straight : Values::encoded;
  const bool keeps_grey = file->keeps_grey;
  const auto shaped = [&](const LayerSpec& layer) {
    return keeps_grey ? ColorChange{} : grey_to_color(layer);
  };
  std::vector<Table> tables;
  std::vector<PixelOp> ops;
  CurveTable curves;
  if (has_curves) {
    tables.push_back(file->curves);
    ops.push_back(curves = table_op<CurveTable>(read.curves, tables.back()));
  }
  if (has_grid && as_texture) {
    GridTexture grid;
    grid.curves = curves;
    grid.size = read.grid.size;
    set_axes(read.grid, grid.axis);
    return make_lut_texture(input, make_color_operation(input, context, values, shaped), grid,
                            {file->grid, read.grid.size, file->on_card},
                            has_curves ? tables.front() : nullptr);
  }
  if (has_grid) {
    tables.push_back(file->grid);
    if (p.interpolation == Interpolation::trilinear)
      ops.push_back(table_op<GridTable<Trilinear>>(read.grid, tables.back()));
    else
      ops.push_back(table_op<GridTable<Tetrahedral>>(read.grid, tables.back()));
  }
  return make_color_operation(input, context, values,
                              [&](const LayerSpec& layer) {
                                ColorChange change = shaped(layer);
                                change.ops.insert(change.ops.end(), ops.begin(), ops.end());
                                change.tables = tables;
                                return change;
                              },
                              {.cost_ns = 20});
}

// ".cube, .spi1d or .csp".
std::string extensions() {
  std::string list;
  const auto all = lut_formats();
  for (std::size_t i = 0; i < all.size(); ++i)
    list += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + std::string(all[i].extension);
  return list;
}

std::string formats() {
  std::string text = "Files, by how their names end:";
  for (const LutFormat& format : lut_formats()) {
    text += text.back() == ':' ? " " : "; ";
    text += std::string(format.extension) + " is " + std::string(format.help);
  }
  return text + ". Others are taken for a .cube.";
}

}  // namespace

StageDescription lut_stage() {
  return describe<Lut>("lut", "map colours through a look-up table from a file", Kind::filter)
      .param("file", &Lut::file, file(), "the table, " + extensions())
      .param("interpolation", &Lut::interpolation,
             "how colours between a grid's entries are interpolated")
      .param("values", &Lut::values, "what kind of values the table expects")
      .details(
          "By default the table gets colour as the input file stores it, not premultiplied: sRGB "
          "values between 0 and 1 for a PNG, light for an EXR. Its results have the same encoding, "
          "so writing the same format stores the table's numbers. Values that a stage has encoded "
          "are used and written as they are: encode --curve logc3 + lut --file look.cube maps an "
          "EXR's light through a table for log values.\n\nValues beyond the table's input range "
          "(DOMAIN_MIN and DOMAIN_MAX, or LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE of a .cube, "
          "From of a .spi1d, shapers of a .csp; else 0 to 1) are limited to it. Curves are "
          "interpolated linearly. For a grid, --interpolation texture gives what a 3D texture of "
          "the same entries gives: positions between two entries are rounded to 1/256, which shows "
          "as steps of a 256th of their difference. A grey image becomes RGB, unless the table is "
          "one curve for all colours. Alpha stays; NaN stays NaN, and in a grid one NaN makes all "
          "three colours NaN.\n\n" +
          formats())
      .example("cuimg lut --file look.cube in.png out.png")
      .example("cuimg lut --file show.3dl log.exr out.exr")
      .on_color_layers()
      .check([](const Lut& p) {
        if (p.file.empty())
          throw Error("lut", "--file is missing", "name a file with a table, " + extensions());
      })
      .prepare(lut);
}

}  // namespace cuimg
