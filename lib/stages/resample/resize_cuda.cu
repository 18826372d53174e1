// SPDX-License-Identifier: Apache-2.0
// The launches of resize for nearest texels and for the texture unit. Floats enlarged twofold by
// its rule are in resize_doubled.cu; weights in resize_weighed.cu, with their tables in
// resize_tables.cu, and for sizes exactly half and double in resize_halved.cu and
// resize_enlarged.cu.
#include <vector>

#include "device/cuda/cuda_copy.h"
#include "device/cuda/cuda_words.cuh"
#include "image/dispatch.h"
#include "kernels/math/dispatch.h"
#include "kernels/texture/texture_unit.h"
#include "stages/pass/grey_texels.cuh"
#include "stages/resample/resize_cuda.h"
#include "stages/resample/resize_plan.h"
#include "stages/resample/texture_edge.h"

namespace cuimg {
namespace {

struct CopyNearest {
  ByteRows source;
  const int* columns;
  const int* rows;
  Rect target;

  __device__ TexelWords operator()(int x, int y) const {
    const int column = columns[x - target.x], row = rows[y - target.y];
    if (column == AxisGeometry::nothing || row == AxisGeometry::nothing) return {};
    return source.words(column, row);
  }
};

// Positions as exact fixed-point numbers, relative to the origin of a tile of the source.
struct ReadUnit {
  const int* columns;  ///< In 1/256 texel from the tile's first texel, for each target column.
  const int* rows;
  Rect target;

  __device__ static float coordinate(int q) { return static_cast<float>(q + 128) / 256.0f; }

  // The same from memory by the software unit, whose taps need no float coordinate.
  template <class T, int N>
  __device__ Pixel<N> operator()(const Texture2D<T, N>& texture, int x, int y) const {
    return linear_2d_taps<T, N>(taps(columns[x - target.x], texture.width),
                                taps(rows[y - target.y], texture.height),
                                [&](int i, int j) { return texture.texel(i, j); });
  }
  __device__ static AxisTaps taps(int q, int size) {
    const int near = min(max(q >> 8, 0), size - 1), far = min(max((q >> 8) + 1, 0), size - 1);
    const int fraction = q & 255;
    return {near, fraction == 0 ? near : far, fraction};
  }
};

}  // namespace

// One position for each target column and row.
struct ResizePositions {
  DeviceTable<int> columns, rows;
  std::optional<DoubledAxis> doubled_columns, doubled_rows;
};

namespace {

template <class Column, class Row>
std::shared_ptr<const ResizePositions> positions(CudaQueue& card, const ResizePlan::Layer& layer,
                                                 const Rect& t, const Column& column,
                                                 const Row& row) {
  return layer.positions_on_card.of(card, [&] {
    std::vector<int> columns, rows;
    for (int x = t.x; x < t.right(); ++x) columns.push_back(column(x));
    for (int y = t.y; y < t.bottom(); ++y) rows.push_back(row(y));
    return std::make_shared<ResizePositions>(
        ResizePositions{DeviceTable<int>(card, columns), DeviceTable<int>(card, rows),
                        doubled_axis(columns), doubled_axis(rows)});
  });
}

void copy_nearest(CudaQueue& card, const ResizePlan& plan, const ResizePlan::Layer& layer,
                  const Frame& source, const Frame& target) {
  const Rect& t = target.region();
  const auto at = positions(
      card, layer, t, [&](int x) { return plan.horizontal.nearest(x, plan.border); },
      [&](int y) { return plan.vertical.nearest(y, plan.border); });
  make_texels(card, "resize_nearest",
              CopyNearest{ByteRows(source), at->columns.data(), at->rows.data(), t}, target);
}

// With padding the source is in pitched memory, where its edges can be filled in.
Frame padded(CudaQueue& card, const ResizePlan& plan, const Frame& source) {
  const Padding padding = padding_for_texture(plan, source.region());
  if (!padding.any()) return source;
  const Frame pitched = pitched_copy(card, source);
  const Frame result = enlarged_copy(card, pitched, padding.padded(source.region()));
  const Rect r = source.region();
  // Wrapped pixels are copied from the opposite side; rows after columns, so that corners are
  // included.
  const auto copy_strip = [&](const Rect& strip, int dx, int dy) {
    copy_texels(card, result, strip, dx, dy);
  };
  if (padding.left == Padding::Edge::opposite) copy_strip({r.x - 1, r.y, 1, r.height}, r.width, 0);
  if (padding.right == Padding::Edge::opposite)
    copy_strip({r.right(), r.y, 1, r.height}, -r.width, 0);
  const Rect p = result.region();
  if (padding.top == Padding::Edge::opposite) copy_strip({p.x, r.y - 1, p.width, 1}, 0, r.height);
  if (padding.bottom == Padding::Edge::opposite)
    copy_strip({p.x, r.bottom(), p.width, 1}, 0, -r.height);
  return result;
}

// A thread reads a few rows of one column, or of two if texels are so narrow that the unit filters
// them faster than a thread finds their positions: this keeps the unit busy, and positions are
// loaded once for all of a row or column.
constexpr int unit_rows = 4;
template <int N>
constexpr int unit_columns = N == 1 ? 2 : 1;

/// A thread's part of the target: rows, and columns unless they are neighbours, are a block apart,
/// so that a warp's are neighbours.
struct UnitPlace {
  int left, top, step = static_cast<int>(blockDim.y);

  __device__ explicit UnitPlace(int columns)
      : left(static_cast<int>(blockIdx.x * blockDim.x) * columns + static_cast<int>(threadIdx.x)),
        top(static_cast<int>(blockIdx.y * blockDim.y) * unit_rows + static_cast<int>(threadIdx.y)) {
  }
};

/// @tparam halves whether the target is known to have halves: selecting its type for each pixel
/// takes longer than reading it.
template <int N, bool halves>
__global__ void read_unit_kernel(ReadUnit read, CudaTexture<N> texture, FormTarget<N> target) {
  constexpr int columns = unit_columns<N>;
  if constexpr (halves) know_type<PixelType::half>(target);
  const UnitPlace at(columns);
  if (at.left >= read.target.width) return;
  const int across = static_cast<int>(blockDim.x);
  float u[columns];
#pragma unroll
  for (int k = 0; k < columns; ++k)
    u[k] = ReadUnit::coordinate(
        __ldg(read.columns + min(at.left + k * across, read.target.width - 1)));
  Pixel<N> pixels[unit_rows][columns];
#pragma unroll
  for (int i = 0; i < unit_rows; ++i)
    if (at.top + i * at.step < read.target.height) {
      const float v = ReadUnit::coordinate(__ldg(read.rows + at.top + i * at.step));
#pragma unroll
      for (int k = 0; k < columns; ++k) pixels[i][k] = texture(u[k], v);
    }
#pragma unroll
  for (int i = 0; i < unit_rows; ++i)
#pragma unroll
    for (int k = 0; k < columns; ++k) {
      const int x = at.left + k * across, y = at.top + i * at.step;
      if (x < read.target.width && y < read.target.height)
        target.store(read.target.x + x, read.target.y + y, pixels[i][k]);
    }
}

/// One channel of halves into rows that begin with whole words: a thread's two columns are
/// neighbours, which it stores together.
__global__ void read_unit_pairs(ReadUnit read, CudaTexture<1> texture, RowMemory to) {
  const UnitPlace at(1);
  const int x = 2 * at.left, width = read.target.width;
  if (x >= width) return;
  const float u[2] = {ReadUnit::coordinate(__ldg(read.columns + x)),
                      ReadUnit::coordinate(__ldg(read.columns + min(x + 1, width - 1)))};
  Pixel<1> pixels[unit_rows][2];
#pragma unroll
  for (int i = 0; i < unit_rows; ++i)
    if (at.top + i * at.step < read.target.height) {
      const float v = ReadUnit::coordinate(__ldg(read.rows + at.top + i * at.step));
#pragma unroll
      for (int k = 0; k < 2; ++k) pixels[i][k] = texture(u[k], v);
    }
#pragma unroll
  for (int i = 0; i < unit_rows; ++i) {
    const int y = at.top + i * at.step;
    if (y >= read.target.height) break;
    const float left = pixels[i][0].v[0], right = pixels[i][1].v[0];
    std::uint32_t halves = detail::halves_of(left, right);
    if (detail::hold_nan(halves, halves))
      halves = detail::word_of(float_to_half(left), float_to_half(right));
    if (x + 1 < width)
      to.store_streaming(2 * x, y, halves);
    else
      to.store(2 * x, y, static_cast<std::uint16_t>(halves));
  }
}

bool suits_pairs(const Frame& target) {
  return target.format().stored_channels() == 1 && target.stored_form() != nullptr &&
         target.as_stored().format().type == PixelType::half && !target.card().is_array() &&
         (reinterpret_cast<std::uintptr_t>(target.card().data()) | target.card().pitch_bytes()) %
                 sizeof(std::uint32_t) ==
             0;
}

template <class T, int N>
void read_unit(const Queue& queue, const ReadUnit& read, const Frame& source, const Frame& target) {
  CudaQueue& card = queue.card();
  const Rect& r = source.region();
  const bool fits = r.width <= longest_side_in_float && r.height <= longest_side_in_float;
  if (fits && card.filters_exactly(source.format().type)) {
    const Sampler sampler;  // clamp, linear, in texels
    const dim3 block(16, 16);
    const dim3 blocks = blocks_for(ceil_div(target.region().width, unit_columns<N>),
                                   ceil_div(target.region().height, unit_rows), block);
    if constexpr (N == 1)
      if (suits_pairs(target)) {
        read_unit_pairs<<<blocks, block, 0, card.stream()>>>(
            read, source.card().texture_view<N>(sampler), target.card().any_memory().rows);
        check_launch("read_unit_pairs");
        return;
      }
    const FormTarget<N> pixels = form_target<N>(card, target);
    const auto kernel = pixels.form.type == PixelType::half ? read_unit_kernel<N, true>
                                                            : read_unit_kernel<N, false>;
    kernel<<<blocks, block, 0, card.stream()>>>(read, source.card().texture_view<N>(sampler),
                                                pixels);
    check_launch("read_unit");
    return;
  }
  const Frame linear = pitched_copy(card, source);
  made_as_floats(queue, target, [&](const Frame& floats) {
    map_pixels(card, "resize_linear_software", read, linear.card().texels_view<T, N>(),
               floats.card().pixel_target<N>(), floats.region(), texel_block(floats));
  });
}

void read_texture_unit(const Queue& queue, const ResizePlan& plan, const ResizePlan::Layer& layer,
                       const Frame& unpadded, const Frame& target) {
  CudaQueue& card = queue.card();
  const bool pads = padding_for_texture(plan, unpadded.region()).any();
  Frame source = pads ? padded(card, plan, as_floats(queue, unpadded)) : unpadded;
  const Rect t = target.region(), s = source.region();
  const auto relative = [](std::int64_t q, int origin) {
    return static_cast<int>(q - 256 * std::int64_t{origin});
  };
  const auto at = positions(
      card, layer, t, [&](int x) { return relative(plan.horizontal.fixed_point(x), s.x); },
      [&](int y) { return relative(plan.vertical.fixed_point(y), s.y); });
  // On other cards doubles take 32 or 64 times as long as floats, and the texture unit is faster.
  if (source.format().type == PixelType::f32 && card.has_fast_doubles() && at->doubled_columns &&
      at->doubled_rows && (source.format().stored_channels() > 1 || share_tables(source, target)))
    return double_on_cuda(card, *at->doubled_columns, *at->doubled_rows, pitched_copy(card, source),
                          target);
  source = as_floats(queue, source);
  const ReadUnit read{at->columns.data(), at->rows.data(), t};
  with_texel_type(source.format().type, [&](auto type) {
    with_stored_channels(source.format().stored_channels(), [&](auto n) {
      read_unit<typename decltype(type)::type, n()>(queue, read, source, target);
    });
  });
}

void run(const Queue& queue, const ResizePlan& plan, const ResizePlan::Layer& layer,
         const Frame& source, const Frame& target) {
  switch (layer.method) {
    case ResizeMethod::nearest:
      return copy_nearest(queue.card(), plan, layer, source, target);
    case ResizeMethod::texture_unit:
      return read_texture_unit(queue, plan, layer, source, target);
    case ResizeMethod::weighed:
      return resize_weighed_on_cuda(queue, plan, layer, source, target);
  }
}

}  // namespace

void resize_on_cuda(const Queue& queue, const ResizePlan& plan, const ResizePlan::Layer& layer,
                    const Frame& source, const Frame& target) {
  if (target.empty()) return;
  // Objects kept on a card are for the whole output, made from the whole input.
  if (target.region() == plan.output_window && source.region() == plan.data_window)
    return run(queue, plan, layer, source, target);
  const ResizePlan part = plan.part(target.region(), layer);
  run(queue, part, part.layers.front(), source, target);
}

}  // namespace cuimg
