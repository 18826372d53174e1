// SPDX-License-Identifier: Apache-2.0
// Enlarging float pixels by the texture unit's rule, cell by cell: the four texels between which a
// thread's target pixels lie are made ready once. Where doubles are fast this takes the time of
// writing the target, which the texture unit, at one float4 a clock, does not.
#include <algorithm>
#include <vector>

#include "kernels/texture_cell.h"
#include "kernels/texture_unit.h"
#include "stages/cuda_rows.cuh"
#include "stages/resize_cuda.h"

namespace cuimg {
namespace {

constexpr int block_cells = 256;
constexpr int line_pixels = 1024;  // target pixels of one row of a block, at most

/// A cell lies between source texel `low + i` and the next; the first and last may be at an edge.
struct CellAxis {
  const int* begin;  ///< First target pixel of each cell, and one past the last cell's.
  const int* fixed;  ///< For each target pixel, its position in 1/256 texel.
  int low, cells, texels;

  __device__ int near(int cell) const { return min(max(low + cell, 0), texels - 1); }
  __device__ int far(int cell) const { return min(max(low + cell + 1, 0), texels - 1); }
  __device__ int fraction(int target) const { return __ldg(fixed + target) & 255; }
};

// Special values are rare: out of the way of the rest, which stays in registers.
__device__ __noinline__ float sample_by_definition(float t00, float t10, float t01, float t11,
                                                   int fx, int fy) {
  return linear_2d_taps<float, 1>(
             AxisTaps{0, 1, fx}, AxisTaps{0, 1, fy},
             [&](int x, int y) {
               return Texel<float, 1>{{y == 0 ? (x == 0 ? t00 : t10) : (x == 0 ? t01 : t11)}};
             })
      .v[0];
}

template <int N>
__global__ void __launch_bounds__(block_cells)
    read_cells(CudaRows<float, N> source, CudaRows<float, N> target, CellAxis columns,
               CellAxis rows) {
  __shared__ Pixel<N> lines[2][line_pixels];
  const int thread = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * block_cells, row = static_cast<int>(blockIdx.y);
  const int cell = min(first + thread, columns.cells - 1);
  const int left = source.left + columns.near(cell), right = source.left + columns.far(cell);
  const int upper = source.top + rows.near(row), lower = source.top + rows.far(row);
  const Pixel<N> t00 = load(source, left, upper), t10 = load(source, right, upper);
  const Pixel<N> t01 = load(source, left, lower), t11 = load(source, right, lower);
  FloatCell channels[N];
  bool is_plain = true;
#pragma unroll
  for (int c = 0; c < N; ++c) {
    channels[c] = FloatCell::of(t00.v[c], t10.v[c], t01.v[c], t11.v[c]);
    is_plain = is_plain && channels[c].is_plain;
  }
  const int block_begin = __ldg(columns.begin + first);
  const int block_end = __ldg(columns.begin + min(first + block_cells, columns.cells));
  const int begin = __ldg(columns.begin + cell);
  const int end = first + thread < columns.cells ? __ldg(columns.begin + cell + 1) : begin;
  const int bottom = __ldg(rows.begin + row + 1);
  for (int y = __ldg(rows.begin + row); y < bottom; ++y) {
    // Two lines in turn: one barrier a row is enough.
    Pixel<N>* const line = lines[y & 1];
    const int fy = rows.fraction(y);
    for (int x = begin; x < end; ++x) {
      const int fx = columns.fraction(x);
      const CellWeights weights = CellWeights::at(fx, fy);
      Pixel<N> pixel;
#pragma unroll
      for (int c = 0; c < N; ++c) pixel.v[c] = channels[c].sample(weights);
      if (!is_plain) {
#pragma unroll
        for (int c = 0; c < N; ++c)
          if (!channels[c].is_plain)
            pixel.v[c] = sample_by_definition(t00.v[c], t10.v[c], t01.v[c], t11.v[c], fx, fy);
      }
      line[x - block_begin] = pixel;
    }
    __syncthreads();
    for (int i = thread; i < block_end - block_begin; i += block_cells)
      store_streaming(target, target.left + block_begin + i, target.top + y, line[i]);
  }
}

// The target pixels of each cell; positions ascend.
struct Cells {
  int low = 0;
  std::vector<int> begin;
};

Cells make_cells(const std::vector<int>& fixed) {
  Cells cells;
  cells.low = fixed.front() >> 8;
  for (int target = 0; target < static_cast<int>(fixed.size()); ++target)
    while (cells.low + static_cast<int>(cells.begin.size()) <=
           fixed[static_cast<std::size_t>(target)] >> 8)
      cells.begin.push_back(target);
  cells.begin.push_back(static_cast<int>(fixed.size()));
  return cells;
}

// The smallest weight that any pair of fractions gives is above 0: no texel ever drops out.
bool weighs_every_texel(const std::vector<int>& columns, const std::vector<int>& rows) {
  const auto range = [](const std::vector<int>& fixed) {
    int low = 255, high = 0;
    for (const int q : fixed) low = std::min(low, q & 255), high = std::max(high, q & 255);
    return std::pair{low, high};
  };
  const auto [left, right] = range(columns);
  const auto [upper, lower] = range(rows);
  for (const int fx : {left, right})
    for (const int fy : {upper, lower}) {
      const int far = (fx * fy + 128) >> 8;
      if (far < 1 || fx - far < 1 || fy - far < 1 || 256 - fx - fy + far < 1) return false;
    }
  return true;
}

bool fits_lines(const Cells& columns) {
  const std::size_t cells = columns.begin.size() - 1;
  for (std::size_t i = 0; i < cells; i += block_cells)
    if (columns.begin[std::min(i + block_cells, cells)] - columns.begin[i] > line_pixels)
      return false;
  return true;
}

}  // namespace

struct CellTables {
  Cells columns, rows;
  DeviceTable<int> column_begin, row_begin;
};

std::shared_ptr<const CellTables> make_cell_tables(CudaQueue& card, const std::vector<int>& columns,
                                                   const std::vector<int>& rows) {
  // Shrinking has no cell to share, and the rows of blocks are limited.
  const Cells across = make_cells(columns), down = make_cells(rows);
  const bool pays = 2 * columns.size() >= 3 * across.begin.size() &&
                    2 * rows.size() >= 3 * down.begin.size() && down.begin.size() < 65536;
  if (!card.has_fast_doubles() || !pays || !fits_lines(across) ||
      !weighs_every_texel(columns, rows))
    return nullptr;
  return std::make_shared<CellTables>(
      CellTables{across, down, {card, across.begin}, {card, down.begin}});
}

template <int N>
void read_cells_on_cuda(CudaQueue& card, const CellTables& tables, const int* columns,
                        const int* rows, const Frame& source, const Frame& target) {
  const Rect& s = source.region();
  const auto axis = [](const Cells& cells, const DeviceTable<int>& begin, const int* fixed,
                       int texels) {
    return CellAxis{begin.data(), fixed, cells.low, static_cast<int>(cells.begin.size()) - 1,
                    texels};
  };
  const CellAxis across = axis(tables.columns, tables.column_begin, columns, s.width);
  const CellAxis down = axis(tables.rows, tables.row_begin, rows, s.height);
  const dim3 grid(static_cast<unsigned>((across.cells + block_cells - 1) / block_cells),
                  static_cast<unsigned>(down.cells));
  read_cells<N><<<grid, block_cells, 0, card.stream()>>>(
      source.card().rows_view<float, N>(), target.card().rows_view<float, N>(), across, down);
  check_launch("read_cells");
}

void read_cells_on_cuda(CudaQueue& card, const CellTables& tables, const int* columns,
                        const int* rows, const Frame& source, const Frame& target) {
  switch (source.format().stored_channels()) {
    case 1:
      return read_cells_on_cuda<1>(card, tables, columns, rows, source, target);
    case 2:
      return read_cells_on_cuda<2>(card, tables, columns, rows, source, target);
    default:
      return read_cells_on_cuda<4>(card, tables, columns, rows, source, target);
  }
}

}  // namespace cuimg
