// SPDX-License-Identifier: Apache-2.0
// The operation behind stages that move pixels, and its loop on the CPU.
#include "stages/warp/move_pixels.h"

#include <algorithm>

#include "device/on_device.h"
#include "io/flat_image.h"
#include "stages/pass/gather_texels.h"

namespace cuimg {
namespace {

// The range of indices that a map's axis reads for `from` to `to`, in ascending order.
std::pair<int, int> read_range(const IndexMap::Axis& axis, int from, int to) {
  const int first = axis(from), last = axis(to - 1);
  return {std::min(first, last), std::max(first, last) + 1};
}

// The source position for one coordinate of the target.
struct Place {
  std::ptrdiff_t offset;  ///< Bytes from the source's first texel along this axis.
  bool reads;
  bool beyond;  ///< Whether it is outside the picture.
};

// @param low the source's first index. @param step bytes from one index to the next.
std::vector<Place> places(const IndexMap::Axis& axis, const BorderAxis& there_are, int from, int to,
                          int low, std::ptrdiff_t step) {
  std::vector<Place> result;
  result.reserve(static_cast<std::size_t>(to - from));
  for (int i = from; i < to; ++i) {
    const int index = there_are(axis(i));
    result.push_back({step * (std::ptrdiff_t{index} - low), index != BorderAxis::nothing,
                      IndexMap::is_beyond(there_are, axis(i))});
  }
  return result;
}

}  // namespace

std::unique_ptr<Operation> make_move(PixelMove move) {
  OperationPlan plan(std::move(move.output));
  plan.window = move.window;
  plan.cost_ns = 1.5;
  move.fill.resize(plan.layers.size());
  return make_operation(
      std::move(plan),
      [map = move.map](const Rect& r) {
        if (r.empty()) return Rect{};
        const auto [left, right] = map.transposed ? read_range(map.column, r.y, r.bottom())
                                                  : read_range(map.column, r.x, r.right());
        const auto [top, bottom] = map.transposed ? read_range(map.row, r.x, r.right())
                                                  : read_range(map.row, r.y, r.bottom());
        return BorderSampler{map.columns, map.rows}.sources_one_by_one(
            rect_from_edges(left, top, right, bottom));
      },
      [map = move.map, fill = std::move(move.fill)](const Queue& queue, int layer, Frames sources,
                                                    const Frame& target) {
        on_device<move_on_cpu, move_on_cuda>(queue, map, fill[static_cast<std::size_t>(layer)],
                                             sources.front(), target);
      });
}

void turn_pixel_shape(Spec& spec) {
  if (spec.pixel_aspect == 1) return;
  // The horizontal density is now the former vertical one, and the aspect is the ratio of vertical
  // to horizontal density.
  if (const auto across = metadata_number(spec.metadata, "xDensity"))
    spec.metadata["xDensity"] = *across * static_cast<double>(spec.pixel_aspect);
  spec.storage.density_without_unit *= static_cast<double>(spec.pixel_aspect);
  spec.pixel_aspect = 1 / spec.pixel_aspect;
}

IndexMap staying_map(const BorderSampler& borders) {
  IndexMap map;
  map.columns = borders.columns;
  map.rows = borders.rows;
  return map;
}

void move_on_cpu(const IndexMap& map, const StoredTexel& fill, const Frame& source,
                 const Frame& target) {
  const Rect& t = target.region();
  const Rect& s = source.region();
  const auto columns_over = [&](int from, int to) {
    return places(map.column, map.columns, from, to, s.x,
                  static_cast<std::ptrdiff_t>(source.format().pixel_bytes()));
  };
  const auto rows_over = [&](int from, int to) {
    return places(map.row, map.rows, from, to, s.y, source.pitch());
  };
  const bool turned = map.transposed;
  const auto across = turned ? rows_over(t.x, t.right()) : columns_over(t.x, t.right());
  const auto down = turned ? columns_over(t.y, t.bottom()) : rows_over(t.y, t.bottom());
  const std::byte* const first = source.pixel(s.x, s.y);
  // A tile keeps the source's rows in the cache; each of them gives one column of the target.
  const int tile = turned ? 32 : std::max(t.width, t.height);
  for (int top = t.y; top < t.bottom(); top += tile)
    for (int left = t.x; left < t.right(); left += tile)
      for (int y = top; y < std::min(top + tile, t.bottom()); ++y) {
        const Place row = down[static_cast<std::size_t>(y - t.y)];
        gather_row(target, left, std::min(left + tile, t.right()), y, [&](int x) {
          const Place& column = across[static_cast<std::size_t>(x - t.x)];
          if (row.reads && column.reads) return first + row.offset + column.offset;
          return row.beyond || column.beyond ? fill.data() : zero_texel.data();
        });
      }
}

}  // namespace cuimg
