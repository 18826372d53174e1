// SPDX-License-Identifier: Apache-2.0
// The single pass over two layers on a card: a block per row, and a thread per lane of row_sums.h.
#include <algorithm>
#include <optional>

#include "compare/metrics/card/card_rows.cuh"
#include "compare/metrics/difference_rows.h"
#include "compare/metrics/row_sums.h"
#include "device/cuda/cuda_queue.h"
#include "image/dispatch.h"
#include "kernels/compare/value_difference.h"
#include "kernels/math/dispatch.h"
#include "kernels/math/order.h"

namespace cuimg {
namespace {

/// Passed to the kernel by value.
struct RowPass {
  StateLimits limits;
  bool counts_nans, is_matte;
  const std::uint8_t* ignored;  ///< Null, or a byte for each pixel.
  std::uint8_t* states;         ///< Null, or a byte for each pixel.
};

struct LookedAt {
  ValueDifference difference;
  std::uint32_t state = 0;
  double square = 0;
};

template <class T>
__device__ LookedAt look_at_values(T a, T b, bool is_matte_id, const RowPass& pass) {
  LookedAt found;
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    found.state = id_state(a, b);
  } else {
    ValueDifference& d = found.difference;
    d = value_difference(a, b);
    if constexpr (std::is_same_v<T, float>) {
      const double difference = finite_difference(a, b);
      found.square = difference * difference;
    } else if constexpr (std::is_same_v<T, Half>) {
      const double difference = finite_difference(half_to_float(a), half_to_float(b));
      found.square = difference * difference;
    } else {
      const auto difference = static_cast<double>(static_cast<std::int32_t>(d.steps));
      found.square = difference * difference;
    }
    found.state =
        value_state(bits_of(d.absolute), bits_of(d.relative), d.steps, d.mismatch, pass.limits) |
        left_out_state(d.left_out);
    if constexpr (std::is_same_v<T, float>)
      if (is_matte_id) {
        d = {};
        found.state = matte_id_state(bits_of(a), bits_of(b));
      }
    if constexpr (Order<T>::has_nan)
      if (pass.counts_nans && Order<T>::is_nan(a) && Order<T>::is_nan(b))
        found.state |= pixel_state::nan;
  }
  return found;
}

__device__ inline std::uint32_t max_of(std::uint32_t a, std::uint32_t b) { return a < b ? b : a; }

/// The worse of two values; of equals the one further left.
struct Worst {
  std::uint32_t badness, place;
};
struct WorseOf {
  __device__ Worst operator()(const Worst& a, const Worst& b) const {
    return b.badness > a.badness || (b.badness == a.badness && b.place < a.place) ? b : a;
  }
};

/// @tparam N channels as stored. @tparam channels that are compared.
template <class T, int N, int channels>
__global__ void __launch_bounds__(row_lanes)
    find_row_figures(CudaRows<T, N> golden, CudaRows<T, N> result, RowPass pass,
                     RowFigures* figures) {
  __shared__ double sums[row_lanes];
  __shared__ std::uint32_t words[row_lanes];
  __shared__ Worst worsts[row_lanes];
  const int row = static_cast<int>(blockIdx.x);
  const PackedTexel<T, N>* const a = golden.row(golden.top + row);
  const PackedTexel<T, N>* const b = result.row(result.top + row);
  const std::size_t start = static_cast<std::size_t>(row) * static_cast<std::size_t>(golden.width);
  double squares[channels] = {};
  RowFigures own;
  Worst worst = {0, RowFigures::none};
  for (int x = static_cast<int>(threadIdx.x); x < golden.width; x += static_cast<int>(blockDim.x)) {
    const PackedTexel<T, N> p = a[x], q = b[x];
    const bool counts = pass.ignored == nullptr || pass.ignored[start + x] == 0;
    std::uint32_t state = 0;
#pragma unroll
    for (int c = 0; c < channels; ++c) {
      const LookedAt found = look_at_values<T>(p.v[c], q.v[c], pass.is_matte && c % 2 == 0, pass);
      squares[c] += found.square;
      const std::uint32_t absolute = bits_of(found.difference.absolute);
      const std::uint32_t relative = bits_of(found.difference.relative);
      own.absolute = max_of(own.absolute, absolute);
      own.relative = max_of(own.relative, relative);
      own.steps = max_of(own.steps, found.difference.steps);
      const std::uint32_t badness = badness_of(absolute, found.state);
      if (badness > worst.badness) worst = {badness, static_cast<std::uint32_t>(x * channels + c)};
      if (counts) {
        own.counts[5] += found.state >> 5 & 1u;
        own.counts[6] += found.state >> 6 & 1u;
        own.counts[7] += found.state >> 7 & 1u;
      }
      state |= found.state;
    }
    if (!counts) state = 0;
#pragma unroll
    for (int bit = 0; bit < 5; ++bit) own.counts[bit] += state >> bit & 1u;
    if ((state & pixel_state::differs) != 0 && own.first_x == RowFigures::none)
      own.first_x = static_cast<std::uint32_t>(x);
    if (pass.states != nullptr) pass.states[start + x] = static_cast<std::uint8_t>(state);
  }
  double square = 0;
#pragma unroll
  for (int c = 0; c < channels; ++c) {
    const double of_channel = sum_of_block(squares[c], sums);
    square = c == 0 ? of_channel : square + of_channel;
  }
  const auto largest = [&](std::uint32_t value) {
    return join_of_block(value, words,
                         [](std::uint32_t i, std::uint32_t j) { return max_of(i, j); });
  };
  own.absolute = largest(own.absolute);
  own.relative = largest(own.relative);
  own.steps = largest(own.steps);
  // The smallest, computed with the largest().
  own.first_x = ~largest(~own.first_x);
  for (std::uint32_t& count : own.counts)
    count = join_of_block(count, words, [](std::uint32_t i, std::uint32_t j) { return i + j; });
  worst = join_of_block(worst, worsts, WorseOf());
  own.squares = square;
  own.badness = worst.badness;
  own.worst = worst.badness > 0 ? worst.place : 0;
  if (threadIdx.x == 0) figures[row] = own;
}

}  // namespace

void find_row_figures_on_cuda(const ComparedLayers& layers, const DifferencePass& pass,
                              std::span<RowFigures> rows) {
  CudaQueue& card = layers.queue().card();
  if (rows.empty() || layers.window().width < 1) return;
  const Frame &golden = layers.golden_on_card(), &result = layers.result_on_card();
  const DeviceTable<RowFigures> figures(card, rows.size());
  std::optional<DeviceTable<std::uint8_t>> ignored, states;
  if (!pass.ignored.empty()) ignored.emplace(card, std::span(pass.ignored));
  if (pass.states != nullptr) states.emplace(card, pass.states->size());
  const RowPass by_value = {pass.limits, pass.counts_nans, pass.is_matte,
                            ignored ? ignored->data() : nullptr, states ? states->data() : nullptr};
  const auto threads = static_cast<unsigned>(std::max(32, lanes_of_row(layers.window().width)));
  with_stored_type(layers.spec().type, [&](auto t) {
    using T = typename decltype(t)::type;
    with_channels(layers.spec().channel_count(), [&](auto n) {
      constexpr int stored = n() == 3 ? 4 : n();
      find_row_figures<T, stored, n()>
          <<<static_cast<unsigned>(rows.size()), threads, 0, card.stream()>>>(
              golden.card().rows_view<T, stored>(), result.card().rows_view<T, stored>(), by_value,
              figures.data());
    });
  });
  check_launch("find_row_figures");
  const std::vector<RowFigures> found = figures.to_host();
  std::copy(found.begin(), found.end(), rows.begin());
  if (states) *pass.states = states->to_host();
}

}  // namespace cuimg
