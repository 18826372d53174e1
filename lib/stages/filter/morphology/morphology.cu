// SPDX-License-Identifier: Apache-2.0
// The launches of erode and dilate.
#include "stages/filter/morphology/morphology.h"

#include <type_traits>
#include <vector>

#include "image/dispatch.h"
#include "kernels/stencil/window_extremum.h"
#include "stages/filter/morphology/disk_pairs.cuh"
#include "stages/filter/morphology/disk_ring.cuh"
#include "stages/filter/morphology/disk_tiles.cuh"
#include "stages/filter/morphology/extremum_tiles.h"
#include "stages/pass/stored_form.h"
#include "stages/window/window_cuda.cuh"
#include "stages/window/window_square.cuh"

namespace cuimg {
namespace {

// LeastFold for floats without keys: a card's minimum also orders -0 below +0 and prefers a number
// to a NaN.
struct FloatFold {
  using Stored = float;
  using State = float;
  using is_unordered = std::true_type;
  std::uint32_t flip;  ///< The sign bit for the greatest, otherwise 0.

  __device__ static float neutral() { return Order<float>::nan(); }
  __device__ float load(float value) const { return float_from_bits(bits_of(value) ^ flip); }
  __device__ static float join(float a, float b) { return fminf(a, b); }
  __device__ float store(float state) const { return canonical_nan(load(state)); }
};

template <class Fold>
void morph_box(CudaQueue& card, const MorphologyPlan& plan, const Fold& fold, const Frame& source,
               const Frame& target) {
  const Window across{plan.radius.x}, down{plan.radius.y};
  if (fold_squares_on_card(card, "morphology_squares", fold, across, down, plan.borders, source,
                           target))
    return;
  if (across.radius == 0)
    return fold_columns_on_card(card, "morphology_columns", fold, down, plan.borders.rows, source,
                                target);
  Frame between = source;
  if (down.radius > 0) {
    FrameFormat format = source.format();
    format.region.y = target.region().y;
    format.region.height = target.region().height;
    between = Frame::on_card(format, card.allocate(format));
    fold_columns_on_card(card, "morphology_columns", fold, down, plan.borders.rows, source,
                         between);
  }
  fold_rows_on_card(card, "morphology_rows", fold, across, plan.borders.columns, between, target);
}

// One row of a disk: the minimum of two tabulated runs, at distances in whole values.
struct DiskRow {
  int level, first, second;
};

// Tables of the minimum over 2^level pixels to the right, for every source row, padded by the
// disk's reach on both sides.
template <class Key>
struct DiskTables {
  Key* data;
  std::size_t level_size;
  int width;  ///< In values.
  int top, rows;

  __device__ Key* row(int level, int y) const {
    return data + static_cast<std::size_t>(level) * level_size +
           static_cast<std::size_t>(y - top) * static_cast<std::size_t>(width);
  }
};

template <class T>
__global__ void disk_keys(LeastFold<T> fold, StoredRows<T> source, BorderAxis columns, int left,
                          int channels, DiskTables<typename Order<T>::Key> tables) {
  const int value = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = tables.top + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (value >= tables.width || y >= tables.top + tables.rows) return;
  const int column = border_index(columns, left + value / channels);
  const T stored = column == BorderAxis::nothing
                       ? T{}
                       : source.load((column - source.left) * channels + value % channels, y);
  tables.row(0, y)[value] = fold.load(stored);
}

template <class Key>
__global__ void disk_double(DiskTables<Key> tables, int level, int distance) {
  const int value = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = tables.top + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  // Runs that pass the padding are never used.
  if (value + distance >= tables.width || y >= tables.top + tables.rows) return;
  const Key* from = tables.row(level - 1, y) + value;
  const Key a = load_cached(from), b = load_cached(from + distance);
  tables.row(level, y)[value] = b < a ? b : a;
}

template <class T>
__global__ void disk_gather(LeastFold<T> fold, DiskTables<typename Order<T>::Key> tables,
                            BorderAxis rows, const DiskRow* disk, int ry, ValueTarget<T> target,
                            int values, int bottom) {
  using Key = typename Order<T>::Key;
  const int value = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = target.top + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (value >= values || y >= bottom) return;
  Key least = fold.neutral();
  if (y - ry < rows.low && rows(rows.low - 1) == BorderAxis::nothing)
    least = fold.join(least, fold.load(T{}));
  if (y + ry >= rows.high && rows(rows.high) == BorderAxis::nothing)
    least = fold.join(least, fold.load(T{}));
  const int first = max(y - ry, rows.low), last = min(y + ry, rows.high - 1);
#pragma unroll 4
  for (int from = first; from <= last; ++from) {
    const DiskRow run = disk[from < y ? y - from : from - y];
    const Key* row = tables.row(run.level, from) + value;
    least = fold.join(least, load_cached(row + run.first));
    least = fold.join(least, load_cached(row + run.second));
  }
  target.store(value, y, fold.store(least));
}

template <class T>
void morph_disk(CudaQueue& card, const MorphologyPlan& plan, const Frame& source,
                const Frame& target) {
  using Key = typename Order<T>::Key;
  if (plan.radius.x == plan.radius.y &&
      fold_disk_in_pairs(card, plan.greatest, plan.radius.x, plan.borders, source, target))
    return;
  const auto fold = plan.greatest ? LeastFold<T>::greatest() : LeastFold<T>::least();
  const LeastFold<T, int> wide{plan.greatest ? LeastFold<T, int>::greatest()
                                             : LeastFold<T, int>::least()};
  const auto in_tiles = [&](const auto& fold_disk) {
    return fold_disk(card, wide, plan.radius, plan.borders, source, target);
  };
  if ((plan.radius.y <= 5 && in_tiles(fold_disk_in_ring<5, T>)) ||
      (plan.radius.y > 5 && in_tiles(fold_disk_in_ring<15, T>)) ||
      (plan.radius.y > 15 && in_tiles(fold_disk_in_ring<31, T>)) || in_tiles(fold_disk_on_card<T>))
    return;
  const Rect &s = source.region(), &t = target.region();
  const int channels = target.format().stored_channels(), rx = plan.radius.x;
  const int levels = floor_log2(static_cast<std::uint64_t>(2 * rx + 1)) + 1;
  const int width = (t.width + 2 * rx) * channels;
  const std::size_t level_size =
      static_cast<std::size_t>(width) * static_cast<std::size_t>(s.height);
  const DeviceTable<Key> memory(card, level_size * static_cast<std::size_t>(levels));
  const DiskTables<Key> tables{memory.data(), level_size, width, s.y, s.height};

  std::vector<DiskRow> rows;
  for (int dy = 0; dy <= plan.radius.y; ++dy) {
    const int reach = ellipse_reach(rx, plan.radius.y, dy), run = 2 * reach + 1;
    const int level = floor_log2(static_cast<std::uint64_t>(run));
    rows.push_back({level, (rx - reach) * channels, (rx + reach + 1 - (1 << level)) * channels});
  }
  const DeviceTable<DiskRow> disk(card, rows);

  const dim3 block(64, 4);
  const dim3 source_grid = blocks_for(width, s.height, block);
  disk_keys<T><<<source_grid, block, 0, card.stream()>>>(
      fold, StoredRows<T>(source), plan.borders.columns, t.x - rx, channels, tables);
  check_launch("disk_keys");
  for (int level = 1; level < levels; ++level) {
    disk_double<Key>
        <<<source_grid, block, 0, card.stream()>>>(tables, level, channels << (level - 1));
    check_launch("disk_double");
  }
  const int values = t.width * channels;
  disk_gather<T><<<blocks_for(values, t.height, block), block, 0, card.stream()>>>(
      fold, tables, plan.borders.rows, disk.data(), plan.radius.y, target.card().value_target<T>(),
      values, t.bottom());
  check_launch("disk_gather");
}

template <class T>
void morph(CudaQueue& card, const MorphologyPlan& plan, const Frame& source, const Frame& target) {
  using Fold = LeastFold<T, int>;
  if (plan.element == Element::disk) return morph_disk<T>(card, plan, source, target);
  if constexpr (!std::is_same_v<T, float>)
    return morph_box(card, plan, plan.greatest ? Fold::greatest() : Fold::least(), source, target);
  else
    return morph_box(card, plan, FloatFold{plan.greatest ? 0x80000000u : 0u}, source, target);
}

}  // namespace

void morph_on_cuda(const Queue& queue, const MorphologyPlan& plan, const Frame& source,
                   const Frame& target) {
  if (target.format().type == PixelType::u32) return;  // ids are moved, not compared
  if (target.empty() || morph_in_tiles(queue.card(), plan, source, target)) return;
  made_as_floats(queue, target, [&](const Frame& to) {
    with_texel_type(to.format().type, [&](auto t) {
      morph<typename decltype(t)::type>(queue.card(), plan, as_floats(queue, source), to);
    });
  });
}

}  // namespace cuimg
