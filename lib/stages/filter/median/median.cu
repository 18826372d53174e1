// SPDX-License-Identifier: Apache-2.0
// The launches of median: networks for small windows, sorted tiles for large ones.
#include "stages/filter/median/median.h"

#include <cmath>
#include <type_traits>

#include "device/cuda/cuda_limits.h"
#include "image/dispatch.h"
#include "stages/filter/median/median_byte_sort.cuh"
#include "stages/filter/median/median_networks.h"
#include "stages/filter/median/median_source.cuh"
#include "stages/filter/median/median_tiles.cuh"
#include "stages/pass/stored_form.h"

namespace cuimg {
namespace {

/// The part of a sorted value above its coordinates.
template <class T>
using TileValue = std::conditional_t<(sizeof(T) > 2), std::uint64_t, std::uint32_t>;

/// Keys of 8 bits are counted, others compared.
template <class T, int log_n>
using SortOf = std::conditional_t<sizeof(T) == 1, detail::ByteSort<log_n>,
                                  detail::TileSort<TileValue<T>, log_n>>;

constexpr int tile_threads(int log_n) { return (1 << log_n) / detail::sort_each; }
constexpr int resident_threads = 1024;

// A block for each tile and each channel.
template <class T, int log_n>
__global__ void __launch_bounds__(tile_threads(log_n), resident_threads / tile_threads(log_n))
    median_tiles(KeySource<T> source, ValueTarget<T> target, detail::MedianTile tile, int right,
                 int bottom) {
  extern __shared__ double shared_memory[];
  const int channel = static_cast<int>(blockIdx.z), radius = tile.size / 2;
  const int left = source.left + static_cast<int>(blockIdx.x) * detail::median_wide;
  const int top = target.top + static_cast<int>(blockIdx.y) * tile.high;
  // A key that no value has, for types without NaN.
  const unsigned nothing = Order<T>::has_nan ? highest_key<T> : ~0u;
  detail::medians_of_tile<TileValue<T>, log_n, SortOf<T, log_n>>(
      tile, nothing, shared_memory,
      [&](int x, int y) {
        const int row = border_index(source.rows_axis, top - radius + y);
        return sortable(source.load(source.place(left - radius + x, channel), row));
      },
      [&](int x, int y, unsigned key) {
        if (left + x < right && top + y < bottom)
          target.store((left + x - target.left) * source.channels + channel, top + y,
                       value_of<T>(key));
      });
}

/// The tile with the lowest cost per window when 2^log_n values are sorted together; there may be
/// none that fits.
struct TileChoice {
  detail::MedianTile tile;
  double cost;

  /// @param counts whether keys are counted, not compared.
  TileChoice(int size, int log_n, bool counts) : tile{size, 0} {
    // Relative times of a tile of 2^10, 2^11 and 2^12 values: card_chains on an H200, one channel
    // of bytes and of floats, 9x9 to 31x31, 2026-11-28.
    constexpr double counted[] = {14, 26, 43}, compared[] = {32, 70, 122};
    const int rows = (1 << log_n) / tile.width() - (size - 1);
    tile.high = std::min(detail::median_high, rows / 4 * 4);
    cost = tile.high < 4 ? HUGE_VAL : (counts ? counted : compared)[log_n - 10] / tile.high;
  }
};

template <class T, int log_n>
void run_tiles(CudaQueue& card, const KeySource<T>& source, const TileChoice& choice,
               const Frame& target) {
  const Rect& t = target.region();
  const detail::MedianTile& tile = choice.tile;
  const auto tiles = blocks_for(t.width, t.height, dim3(detail::median_wide, tile.high));
  const dim3 grid(tiles.x, tiles.y, static_cast<unsigned>(source.channels));
  const std::size_t bytes = detail::median_tile_bytes<SortOf<T, log_n>, log_n>(tile.high);
  if (bytes > shared_bytes_without_asking)
    check(cudaFuncSetAttribute(median_tiles<T, log_n>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "cudaFuncSetAttribute");
  median_tiles<T, log_n><<<grid, tile_threads(log_n), bytes, card.stream()>>>(
      source, target.card().value_target<T>(), tile, t.right(), t.bottom());
  check_launch("median_tiles");
}

template <class T>
void run_tiles(CudaQueue& card, const KeySource<T>& source, int size, const Frame& target) {
  constexpr bool counts = sizeof(T) == 1;
  const TileChoice small(size, 10, counts), medium(size, 11, counts), large(size, 12, counts);
  if (small.cost < std::min(medium.cost, large.cost))
    return run_tiles<T, 10>(card, source, small, target);
  if (medium.cost < large.cost) return run_tiles<T, 11>(card, source, medium, target);
  run_tiles<T, 12>(card, source, large, target);
}

template <class T>
void median(CudaQueue& card, const MedianPlan& plan, const Frame& source, const Frame& target) {
  if (median_by_networks(card, plan, source, target)) return;
  run_tiles<T>(card, key_source<T>(plan.borders, source, target), plan.size, target);
}

}  // namespace

void median_on_cuda(const Queue& queue, const MedianPlan& plan, const Frame& source,
                    const Frame& target) {
  if (target.format().type == PixelType::u32) return;  // ids are moved, not compared
  if (target.empty() || median_of_straight(queue.card(), plan, source, target)) return;
  made_as_floats(queue, target, [&](const Frame& to) {
    with_texel_type(to.format().type, [&](auto t) {
      median<typename decltype(t)::type>(queue.card(), plan, as_floats(queue, source), to);
    });
  });
}

}  // namespace cuimg
