// SPDX-License-Identifier: Apache-2.0
// The operation behind stages that move pixels, and its loop on the CPU.
#include "stages/warp/move_pixels.h"

#include <algorithm>
#include <cstring>

#include "build_config.h"
#include "io/flat_image.h"

namespace cuimg {
namespace {

// Indices from `from` to `to` as a map's axis reads them, in ascending order.
std::pair<int, int> read_range(const IndexMap::Axis& axis, int from, int to) {
  const int first = axis(from), last = axis(to - 1);
  return {std::min(first, last), std::max(first, last) + 1};
}

class MoveOperation final : public Operation {
 public:
  explicit MoveOperation(PixelMove move) : move_(std::move(move)) {
    move_.fill.resize(move_.output.layers.size());
  }

  const Spec& output() const override { return move_.output; }
  Rect needed(const Rect& r) const override {
    if (r.empty()) return {};
    const IndexMap& map = move_.map;
    const auto [left, right] = map.transposed ? read_range(map.column, r.y, r.bottom())
                                              : read_range(map.column, r.x, r.right());
    const auto [top, bottom] =
        map.transposed ? read_range(map.row, r.x, r.right()) : read_range(map.row, r.y, r.bottom());
    return BorderSampler{map.columns, map.rows}.sources(rect_from_edges(left, top, right, bottom));
  }
  Values values(int) const override { return Values::stored; }
  bool wants_display_window() const override { return move_.whole_display; }
  double cost_ns() const override { return 1.5; }
  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    const StoredTexel& fill = move_.fill[static_cast<std::size_t>(layer)];
    if constexpr (build::has_cuda)
      if (queue.is_cuda()) return move_on_cuda(queue, move_.map, fill, sources.front(), target);
    move_on_cpu(move_.map, fill, sources.front(), target);
  }

 private:
  PixelMove move_;
};

// What one coordinate of the target reads.
struct Place {
  int index;    ///< Of the source, or BorderAxis::nothing.
  bool beyond;  ///< Outside the picture.
};

std::vector<Place> places(const IndexMap::Axis& axis, const BorderAxis& there_are, int from,
                          int to) {
  std::vector<Place> result;
  result.reserve(static_cast<std::size_t>(to - from));
  for (int i = from; i < to; ++i)
    result.push_back({there_are(axis(i)), IndexMap::is_beyond(there_are, axis(i))});
  return result;
}

template <std::size_t bytes>
struct Bytes {
  std::byte b[bytes];
};

// Targets of source columns that lie side by side: how many from `i` on.
std::size_t run_length(const std::vector<Place>& columns, std::size_t i) {
  std::size_t n = 1;
  while (i + n < columns.size() && columns[i + n].index == columns[i + n - 1].index + 1) ++n;
  return n;
}

template <class Texel>
void move_rows(const std::vector<Place>& columns, const std::vector<Place>& rows, const Texel& fill,
               const Frame& source, const Frame& target) {
  const Rect& t = target.region();
  for (std::size_t j = 0; j < rows.size(); ++j) {
    auto* to = target.pixel_as<Texel>(t.x, t.y + static_cast<int>(j));
    const Place row = rows[j];
    const auto nothing = [&](const Place& column) {
      return row.beyond || column.beyond ? fill : Texel{};
    };
    if (row.index == BorderAxis::nothing) {
      for (std::size_t i = 0; i < columns.size(); ++i) to[i] = nothing(columns[i]);
      continue;
    }
    for (std::size_t i = 0; i < columns.size();) {
      if (columns[i].index == BorderAxis::nothing) {
        to[i] = nothing(columns[i]);
        ++i;
        continue;
      }
      const std::size_t n = run_length(columns, i);
      const auto* from = source.pixel_as<Texel>(columns[i].index, row.index);
      if (n == 1)
        to[i] = *from;
      else
        std::memcpy(to + i, from, n * sizeof(Texel));
      i += n;
    }
  }
}

// Tiles keep the source's rows, each of which gives one target column, near the processor.
template <class Texel>
void move_transposed(const std::vector<Place>& columns, const std::vector<Place>& rows,
                     const Texel& fill, const Frame& source, const Frame& target) {
  constexpr std::size_t tile = 32;
  const Rect& t = target.region();
  for (std::size_t top = 0; top < columns.size(); top += tile)
    for (std::size_t left = 0; left < rows.size(); left += tile)
      for (std::size_t j = top; j < std::min(top + tile, columns.size()); ++j) {
        auto* to = target.pixel_as<Texel>(t.x, t.y + static_cast<int>(j));
        const Place column = columns[j];
        for (std::size_t i = left; i < std::min(left + tile, rows.size()); ++i) {
          const Place row = rows[i];
          if (row.index == BorderAxis::nothing || column.index == BorderAxis::nothing)
            to[i] = row.beyond || column.beyond ? fill : Texel{};
          else
            to[i] = *source.pixel_as<Texel>(column.index, row.index);
        }
      }
}

template <std::size_t bytes>
void move_texels(const IndexMap& map, const StoredTexel& fill_bytes, const Frame& source,
                 const Frame& target) {
  using Texel = Bytes<bytes>;
  Texel fill;
  std::memcpy(&fill, fill_bytes.data(), bytes);
  const Rect& t = target.region();
  if (map.transposed)
    move_transposed(places(map.column, map.columns, t.y, t.bottom()),
                    places(map.row, map.rows, t.x, t.right()), fill, source, target);
  else
    move_rows(places(map.column, map.columns, t.x, t.right()),
              places(map.row, map.rows, t.y, t.bottom()), fill, source, target);
}

}  // namespace

std::unique_ptr<Operation> make_move(PixelMove move) {
  return std::make_unique<MoveOperation>(std::move(move));
}

void turn_pixel_shape(Spec& spec) {
  if (spec.pixel_aspect == 1) return;
  // Across there are now as many as there were down: aspect is the density down to that across.
  if (const auto across = metadata_number(spec.metadata, "xDensity"))
    spec.metadata["xDensity"] = *across * static_cast<double>(spec.pixel_aspect);
  spec.pixel_aspect = 1 / spec.pixel_aspect;
}

IndexMap staying_map(const BorderSampler& surround) {
  IndexMap map;
  map.columns = surround.columns;
  map.rows = surround.rows;
  return map;
}

void move_on_cpu(const IndexMap& map, const StoredTexel& fill, const Frame& source,
                 const Frame& target) {
  switch (target.format().pixel_bytes()) {
    case 1:
      return move_texels<1>(map, fill, source, target);
    case 2:
      return move_texels<2>(map, fill, source, target);
    case 3:
      return move_texels<3>(map, fill, source, target);
    case 4:
      return move_texels<4>(map, fill, source, target);
    case 6:
      return move_texels<6>(map, fill, source, target);
    case 8:
      return move_texels<8>(map, fill, source, target);
    case 12:
      return move_texels<12>(map, fill, source, target);
    default:
      return move_texels<16>(map, fill, source, target);
  }
}

}  // namespace cuimg
