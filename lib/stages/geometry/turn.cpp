// SPDX-License-Identifier: Apache-2.0
// flip, flop, turns by right angles and transpose: each is a line of a table.
#include <algorithm>

#include "io/tags/exif.h"
#include "stages/description.h"
#include "stages/warp/move_pixels.h"

namespace cuimg {
namespace {

struct Turn {
  std::string_view name, summary;
  bool transposed;
  int column_sign, row_sign;  ///< The direction in which the source's columns and rows are counted.
  int orientation;            ///< The orientation's number in EXIF.
};

// An index that rises from an interval's low end, or falls from its high end, as a coordinate rises
// from `to`.
IndexMap::Axis counted(int sign, int from, int size, int to) {
  const auto start = static_cast<std::uint32_t>(from), end = static_cast<std::uint32_t>(to);
  return {sign, sign > 0 ? start - end : start + static_cast<std::uint32_t>(size - 1) + end};
}

// The target's coordinates that read [low, low + size).
std::pair<int, int> targets(const IndexMap::Axis& axis, int low, int size) {
  const int first = axis.inverse(low), last = axis.inverse(low + size - 1);
  return {std::min(first, last), size};
}

std::unique_ptr<Operation> turned(const Turn& turn, const Spec& input) {
  const Rect& display = input.display_window;
  const Rect& data = input.data_window;
  PixelMove move{input, staying_map(BorderSampler(input, Border::border))};
  IndexMap& map = move.map;
  map.transposed = turn.transposed;
  // The display window's corner does not move.
  map.column =
      counted(turn.column_sign, display.x, display.width, turn.transposed ? display.y : display.x);
  map.row =
      counted(turn.row_sign, display.y, display.height, turn.transposed ? display.x : display.y);
  const auto [column, columns] = targets(map.column, data.x, data.width);
  const auto [row, rows] = targets(map.row, data.y, data.height);
  Rect& to = move.output.data_window;
  to = turn.transposed ? Rect{row, column, rows, columns} : Rect{column, row, columns, rows};
  if (turn.transposed) {
    move.output.display_window = {display.x, display.y, display.height, display.width};
    turn_pixel_shape(move.output);
    turn_exif_density(move.output.metadata);
  }
  return make_move(std::move(move));
}

StageDescription described(const Turn& turn) {
  const std::string name(turn.name);
  auto description = describe<NoOptions>(name, turn.summary, Kind::filter);
  if (turn.transposed) description.ends_environment();
  return description
      .details(
          "Pixels of every type are moved unchanged within the display window; a smaller or larger "
          "data window moves along. The pixel aspect and density are turned too.\n\nA chain of "
          "turns alone from JPEG to JPEG, with no option that changes pixels or compression, moves "
          "the file's coefficients and loses nothing, if the edges that move end at whole blocks "
          "(the sides are multiples of 8 or 16 pixels); --explain says so. Otherwise, and with "
          "--quality or --compression, the picture is decoded, turned and encoded again.")
      .turns(turn.orientation)
      .example("cuimg " + name + " in.exr out.exr")
      .prepare([turn](const NoOptions&, const Spec& input) { return turned(turn, input); });
}

}  // namespace

StageDescription flip_stage() { return described({"flip", "turn upside down", false, 1, -1, 4}); }
StageDescription flop_stage() {
  return described({"flop", "mirror left to right", false, -1, 1, 2});
}
StageDescription rotate90_stage() {
  return described({"rotate90", "rotate by 90 degrees, clockwise", true, 1, -1, 6});
}
StageDescription rotate180_stage() {
  return described({"rotate180", "rotate by 180 degrees", false, -1, -1, 3});
}
StageDescription rotate270_stage() {
  return described({"rotate270", "rotate by 90 degrees, counter-clockwise", true, -1, 1, 8});
}
StageDescription transpose_stage() {
  return described({"transpose", "swap rows and columns", true, 1, 1, 5});
}

}  // namespace cuimg
