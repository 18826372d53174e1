// SPDX-License-Identifier: Apache-2.0
// FLIP on a card in two passes. The first converts both pictures to opponent colours and filters
// along rows; the second filters along columns and compares the appearance of pixels. Seven sums
// for each pixel are stored between the passes, in strips of 32 columns with the rows of a strip
// contiguous, so a warp that reads down a column uses strides that the compiler knows.
#include <algorithm>
#include <vector>

#include "compare/metrics/card/card_rows.cuh"
#include "compare/metrics/card/flip_sums.cuh"
#include "compare/metrics/flip_rows.h"
#include "device/cuda/cuda_rows.cuh"
#include "kernels/compare/flip_color.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

constexpr int strip = 32;  // in columns
constexpr int sum_count = 7;
// The order of the sums along rows.
enum RowSum { light, red_green, blue, blue_wide, feature, feature_slope, feature_bend };

// The filters for the usual 67 pixels per degree. Loops over them are unrolled, so weights become
// constants that arithmetic instructions use directly, and the weighted values are in registers.
struct UsualFilters {
  static constexpr bool is_unrolled = true;
  static constexpr int light_size = 7, red_green_size = 7, blue_size = 11, blue_wide_size = 11;
  static constexpr int feature_size = 10, reach = 10;
  float light[light_size], red_green[red_green_size], blue[blue_size], blue_wide[blue_wide_size];
  float gaussian[feature_size], slope[feature_size], bend[feature_size];
};

// Any other filters, in the card's memory.
struct AnyFilters {
  static constexpr bool is_unrolled = false;
  int light_size, red_green_size, blue_size, blue_wide_size, feature_size, reach;
  const float *light, *red_green, *blue, *blue_wide, *gaussian, *slope, *bend;
};

// The sums of a band of rows, for both pictures. A band begins `reach` rows above the first row
// that is compared; rows beyond the picture repeat its first or last row.
struct Sums {
  float* data;
  int strips, rows;

  __host__ __device__ float* of(int picture, int column, int row) const {
    const std::size_t line = (static_cast<std::size_t>(picture) * static_cast<std::size_t>(strips) +
                              static_cast<std::size_t>(column / strip)) *
                                 static_cast<std::size_t>(rows) +
                             static_cast<std::size_t>(row);
    return data + line * (sum_count * strip) + column % strip;
  }
  static std::size_t floats(int strips, int rows) {
    return std::size_t{2} * static_cast<std::size_t>(strips) * static_cast<std::size_t>(rows) *
           (sum_count * strip);
  }
};

struct Exposure {
  float factor;
  bool is_given;
};

// The part of a line of floats that the filters of a thread's pixels cover: in registers if loops
// are unrolled.
template <class Filters, int step>
struct FilteredLine;
template <int step>
struct FilteredLine<UsualFilters, step> {
  static constexpr int reach = UsualFilters::reach;
  float v[outputs_each + 2 * reach];

  // @param from the first float that the thread's first pixel needs, in a row that is aligned to 16
  // bytes.
  __device__ FilteredLine(const float* from, const UsualFilters&) {
    if constexpr (step == 1) {
#pragma unroll
      for (int i = 0; i < outputs_each + 2 * reach; i += 4) {
        const float4 four = *reinterpret_cast<const float4*>(from + i);
        v[i] = four.x, v[i + 1] = four.y, v[i + 2] = four.z, v[i + 3] = four.w;
      }
    } else {
#pragma unroll
      for (int i = 0; i < outputs_each + 2 * reach; ++i) v[i] = __ldg(from + i * step);
    }
  }
  __device__ float operator()(int j, int k) const { return v[reach + j + k]; }
};
template <int step>
struct FilteredLine<AnyFilters, step> {
  const float* at;
  __device__ FilteredLine(const float* from, const AnyFilters& filters)
      : at(from + filters.reach * step) {}
  __device__ float operator()(int j, int k) const { return at[(j + k) * step]; }
};

constexpr int row_threads = 64;
constexpr int row_pixels = row_threads * outputs_each;
constexpr dim3 row_block_size(row_threads, 4);

// Makes every row of a block's memory aligned to 16 bytes.
__host__ __device__ inline int padded_pixels(int reach) {
  return (row_pixels + 2 * reach + 3) / 4 * 4;
}

__device__ inline void store_four(float* to, const float* sums) {
  *reinterpret_cast<float4*>(to) = float4{sums[0], sums[1], sums[2], sums[3]};
}

// @param first_row of the band, in the picture. A block's z selects the picture.
template <class Filters>
__global__ void __launch_bounds__(row_threads * 4)
    filter_flip_rows(CudaRows<float, 4> golden, CudaRows<float, 4> result, int first_row,
                     Exposure exposure, Sums sums, const __grid_constant__ Filters filters) {
  extern __shared__ float4 shared[];
  const char* const rows = blockIdx.z == 0 ? golden.data : result.data;
  const std::size_t pitch = blockIdx.z == 0 ? golden.pitch_bytes : result.pitch_bytes;
  const int padded = padded_pixels(filters.reach);
  float* const line = reinterpret_cast<float*>(shared) + static_cast<int>(threadIdx.y) * 3 * padded;
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int y = min(max(first_row + row, 0), golden.height - 1);
  const int left = static_cast<int>(blockIdx.x) * row_pixels;
  const int thread = static_cast<int>(threadIdx.x);
  const auto* const texels =
      reinterpret_cast<const float*>(rows + static_cast<std::size_t>(y) * pitch);
  for (int i = thread; i < row_pixels + 2 * filters.reach; i += row_threads) {
    const int x = min(max(left - filters.reach + i, 0), golden.width - 1);
    const Pixel<4> texel = load<4>(texels + std::size_t{4} * static_cast<std::size_t>(x));
    flip::Triple rgb = flip::display_light(flip::Triple{texel.v[0], texel.v[1], texel.v[2]});
    if (exposure.is_given)
      rgb = flip::ToneCurve::shown(
          flip::Triple{rgb.a * exposure.factor, rgb.b * exposure.factor, rgb.c * exposure.factor});
    const flip::Triple seen = flip::opponent(flip::displayed(rgb));
    line[i] = seen.a, line[padded + i] = seen.b, line[2 * padded + i] = seen.c;
  }
  __syncthreads();
  const int x = left + thread * outputs_each;
  if (x >= sums.strips * strip || row >= sums.rows) return;
  float* const to = sums.of(static_cast<int>(blockIdx.z), x, row);
  const float* const from = line + thread * outputs_each;
  float sum[outputs_each];
  {
    const FilteredLine<Filters, 1> luminance(from, filters);
    smooth<Filters>(luminance, filters.light_size, filters.light, sum);
    store_four(to + light * strip, sum);
    smooth<Filters>(luminance, filters.feature_size, filters.gaussian, sum);
    store_four(to + feature * strip, sum);
    differentiate<Filters>(luminance, filters.feature_size, filters.slope, sum);
    store_four(to + feature_slope * strip, sum);
    smooth<Filters>(luminance, filters.feature_size, filters.bend, sum);
    store_four(to + feature_bend * strip, sum);
  }
  {
    const FilteredLine<Filters, 1> chroma(from + padded, filters);
    smooth<Filters>(chroma, filters.red_green_size, filters.red_green, sum);
    store_four(to + red_green * strip, sum);
  }
  const FilteredLine<Filters, 1> chroma(from + 2 * padded, filters);
  smooth<Filters>(chroma, filters.blue_size, filters.blue, sum);
  store_four(to + blue * strip, sum);
  smooth<Filters>(chroma, filters.blue_wide_size, filters.blue_wide, sum);
  store_four(to + blue_wide * strip, sum);
}

// The appearance of a pixel.
struct Look {
  flip::Triple lab;
  float edge, point;
};

// @param from the strip's first sum in the row where the filters of the first pixel begin.
template <class Filters>
__device__ void look_at_pixels(const float* from, const Filters& filters, Look* looks) {
  constexpr int step = sum_count * strip;
  using Column = FilteredLine<Filters, step>;
  float across[outputs_each], along[outputs_each];
  {
    float point[outputs_each];
    const Column plain(from + feature * strip, filters);
    differentiate<Filters>(plain, filters.feature_size, filters.slope, along);
    smooth<Filters>(plain, filters.feature_size, filters.bend, point);
    const Column slope(from + feature_slope * strip, filters);
    smooth<Filters>(slope, filters.feature_size, filters.gaussian, across);
#pragma unroll
    for (int j = 0; j < outputs_each; ++j) looks[j].edge = flip::strength(across[j], along[j]);
    const Column bend(from + feature_bend * strip, filters);
    smooth<Filters>(bend, filters.feature_size, filters.gaussian, across);
#pragma unroll
    for (int j = 0; j < outputs_each; ++j) looks[j].point = flip::strength(across[j], point[j]);
  }
  float y[outputs_each], rg[outputs_each];
  smooth<Filters>(Column(from + light * strip, filters), filters.light_size, filters.light, y);
  smooth<Filters>(Column(from + red_green * strip, filters), filters.red_green_size,
                  filters.red_green, rg);
  smooth<Filters>(Column(from + blue * strip, filters), filters.blue_size, filters.blue, along);
  smooth<Filters>(Column(from + blue_wide * strip, filters), filters.blue_wide_size,
                  filters.blue_wide, across);
#pragma unroll
  for (int j = 0; j < outputs_each; ++j)
    looks[j].lab = flip::hunt_lab({y[j], rg[j], along[j] + across[j]});
}

constexpr dim3 column_block_size(strip, 8);
constexpr int column_threads = strip * 8;

// @param from the first row that is compared. @param first whether the map is still empty.
template <class Filters>
__global__ void __launch_bounds__(column_threads)
    compare_flip_columns(Sums sums, CudaRows<float, 1> map, int from, int rows, bool first,
                         const __grid_constant__ Filters filters) {
  // Keeps the golden's appearance: with a single loop body for both pictures, the code fits the
  // instruction cache.
  __shared__ Look waiting[outputs_each][column_threads];
  const int thread = static_cast<int>(threadIdx.y * strip + threadIdx.x);
  const int x = static_cast<int>(blockIdx.x * strip + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * outputs_each;
  if (x >= map.width || row >= rows) return;
  Look looks[outputs_each];
#pragma unroll 1
  for (int picture = 0; picture < 2; ++picture) {
    look_at_pixels(sums.of(picture, x, row), filters, looks);
    if (picture == 0) {
#pragma unroll
      for (int j = 0; j < outputs_each; ++j) waiting[j][thread] = looks[j];
    }
  }
#pragma unroll
  for (int j = 0; j < outputs_each; ++j) {
    if (row + j >= rows) break;
    const Look &p = waiting[j][thread], &q = looks[j];
    const float error =
        flip::combined_error(flip::color_error(p.lab, q.lab),
                             flip::feature_difference(p.edge, p.point, q.edge, q.point));
    float* const to = map.row(map.top + from + row + j)[x].v;
    const float before = first ? 0.0f : *to;
    *to = before < error ? error : before;
  }
}

// Weights in the card's memory while kernels are queued.
class FiltersOnCard {
 public:
  FiltersOnCard(CudaQueue& card, const FlipFilters& filters)
      : reach_(filters.reach()), weights_(card, all_of(filters)) {
    const float* next = weights_.data();
    const auto place = [&](const std::vector<float>& half, int& size, const float*& at) {
      size = static_cast<int>(half.size());
      at = next;
      next += half.size();
    };
    place(filters.light, any_.light_size, any_.light);
    place(filters.red_green, any_.red_green_size, any_.red_green);
    place(filters.blue_yellow, any_.blue_size, any_.blue);
    place(filters.blue_yellow_wide, any_.blue_wide_size, any_.blue_wide);
    place(filters.gaussian, any_.feature_size, any_.gaussian);
    place(filters.slope, any_.feature_size, any_.slope);
    place(filters.bend, any_.feature_size, any_.bend);
    any_.reach = reach_;
  }
  const AnyFilters& any() const { return any_; }

 private:
  static std::vector<float> all_of(const FlipFilters& f) {
    std::vector<float> all;
    for (const auto* half : {&f.light, &f.red_green, &f.blue_yellow, &f.blue_yellow_wide,
                             &f.gaussian, &f.slope, &f.bend})
      all.insert(all.end(), half->begin(), half->end());
    return all;
  }

  int reach_;
  DeviceTable<float> weights_;
  AnyFilters any_ = {};
};

bool are_usual(const FlipFilters& f) {
  using U = UsualFilters;
  return f.light.size() == U::light_size && f.red_green.size() == U::red_green_size &&
         f.blue_yellow.size() == U::blue_size && f.blue_yellow_wide.size() == U::blue_wide_size &&
         f.gaussian.size() == U::feature_size && f.reach() == U::reach;
}

UsualFilters usual(const FlipFilters& f) {
  UsualFilters u;
  std::copy(f.light.begin(), f.light.end(), u.light);
  std::copy(f.red_green.begin(), f.red_green.end(), u.red_green);
  std::copy(f.blue_yellow.begin(), f.blue_yellow.end(), u.blue);
  std::copy(f.blue_yellow_wide.begin(), f.blue_yellow_wide.end(), u.blue_wide);
  std::copy(f.gaussian.begin(), f.gaussian.end(), u.gaussian);
  std::copy(f.slope.begin(), f.slope.end(), u.slope);
  std::copy(f.bend.begin(), f.bend.end(), u.bend);
  return u;
}

// The most rows of a band, limited by a grid's height.
constexpr int most_rows = most_blocks_down * static_cast<int>(row_block_size.y) / 2;

template <class Filters>
void compare_bands(CudaQueue& card, const DisplayPair& shown, const Filters& filters,
                   std::span<const std::optional<float>> exposures, std::size_t most_bytes,
                   const Frame& map) {
  const auto golden = shown.golden_on_card.card().rows_view<float, 4>();
  const auto result = shown.result_on_card.card().rows_view<float, 4>();
  const auto errors = map.card().rows_view<float, 1>();
  const int strips = ceil_div(errors.width, strip);
  const std::size_t row_bytes = Sums::floats(strips, 1) * sizeof(float);
  const auto room = static_cast<int>(std::min<std::size_t>(most_bytes / row_bytes, most_rows));
  const int rows_each = std::min(errors.height, std::max(room, 4 * filters.reach));
  const int most_lines = round_up(rows_each, outputs_each) + 2 * filters.reach;
  const DeviceTable<float> memory(card, Sums::floats(strips, most_lines));
  const std::size_t bytes =
      row_block_size.y * 3 * sizeof(float) * static_cast<std::size_t>(padded_pixels(filters.reach));
  for (int from = 0; from < errors.height; from += rows_each) {
    const int rows = std::min(rows_each, errors.height - from);
    const Sums sums = {memory.data(), strips, round_up(rows, outputs_each) + 2 * filters.reach};
    dim3 row_blocks = blocks_for(ceil_div(strips * strip, outputs_each), sums.rows, row_block_size);
    row_blocks.z = 2;
    const dim3 column_blocks =
        blocks_for(errors.width, ceil_div(rows, outputs_each), column_block_size);
    for (const std::optional<float>& exposure : exposures) {
      filter_flip_rows<Filters><<<row_blocks, row_block_size, bytes, card.stream()>>>(
          golden, result, from - filters.reach,
          Exposure{exposure.value_or(1), exposure.has_value()}, sums, filters);
      check_launch("filter_flip_rows");
      compare_flip_columns<Filters><<<column_blocks, column_block_size, 0, card.stream()>>>(
          sums, errors, from, rows, &exposure == exposures.data(), filters);
      check_launch("compare_flip_columns");
    }
  }
}

}  // namespace

Frame flip_errors_on_cuda(const Queue& queue, const DisplayPair& shown, const FlipFilters& filters,
                          std::span<const std::optional<float>> exposures, std::size_t most_bytes) {
  CudaQueue& card = queue.card();
  const Frame map =
      queue.allocate({shown.golden_on_card.region(), PixelType::f32, 1, Storage::pitched});
  if (are_usual(filters)) {
    compare_bands(card, shown, usual(filters), exposures, most_bytes, map);
  } else {
    const FiltersOnCard weights(card, filters);
    compare_bands(card, shown, weights.any(), exposures, most_bytes, map);
  }
  return map;
}

}  // namespace cuimg
