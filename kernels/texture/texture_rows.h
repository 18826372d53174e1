// SPDX-License-Identifier: Apache-2.0
// Many reads of a 2D texture on the host, with the same bits as single calls of sample().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/texture/texture_lanes.h"
#include "kernels/texture/texture_unit.h"

namespace cuimg {
namespace detail {

/// Reads processed together: enough to spread the cost of a chunk, few enough for the cache.
inline constexpr int row_chunk = 128;

struct RowTaps {
  std::int32_t near[row_chunk], far[row_chunk], fraction[row_chunk];
};

inline void resolve_linear(const Sampler& sampler, int axis, TextureSide side,
                           const float* coordinates, int count, RowTaps& taps) {
  with_axis(sampler.address[axis], sampler.normalized, side, [&](const auto& resolved) {
    for (int i = 0; i < count; ++i) {
      const AxisTaps tap = resolved.linear(coordinates[i]);
      taps.near[i] = tap.near;
      taps.far[i] = tap.far;
      taps.fraction[i] = tap.fraction;
    }
  });
}

inline void resolve_point(const Sampler& sampler, int axis, TextureSide side,
                          const float* coordinates, int count, std::int32_t* taps) {
  with_axis(sampler.address[axis], sampler.normalized, side, [&](const auto& resolved) {
    for (int i = 0; i < count; ++i) taps[i] = resolved.point(coordinates[i]);
  });
}

/// Weights of four texels for every read of a chunk, and whether they are above 0 (-1) or not.
template <class Weight>
struct RowWeights {
  Weight w[4][row_chunk];
  std::int32_t has[4][row_chunk];
};

template <class Weight>
inline void weigh_chunk(const RowTaps& x, const RowTaps& y, int count,
                        RowWeights<Weight>& weights) {
  for (int i = 0; i < count; ++i) {
    int w[4];
    slice_weights(x.fraction[i], y.fraction[i], 256, w);
    for (int k = 0; k < 4; ++k) {
      weights.w[k][i] = static_cast<Weight>(w[k]);
      weights.has[k][i] = w[k] > 0 ? -1 : 0;
    }
  }
}

template <class T>
inline constexpr bool has_lanes = !std::is_same_v<T, Srgb8>;

/// The general code, for reads that the lanes cannot handle.
template <class T, int N>
[[gnu::noinline, gnu::cold]] void sample_alone(const Texture2D<T, N>& texture,
                                               const Sampler& sampler, float x, float y,
                                               float* out) {
  const Pixel<N> pixel = sample(texture, sampler, x, y);
  std::memcpy(out, pixel.v, sizeof pixel.v);
}

/// Texels of the reads that share a vector: four channels of one, two of two, one of four.
template <class T, int N>
inline lanes::Int4 texels_at(const char* const* from) {
  const auto channel = [from](int read, int c) {
    return lanes::word(reinterpret_cast<const T*>(from[read])[c]);
  };
  if constexpr (N == 4)
    return lanes::widened_four(from[0], T{});
  else if constexpr (N == 3)
    return lanes::Int4{channel(0, 0), channel(0, 1), channel(0, 2), 0};
  else if constexpr (N == 2)
    return lanes::Int4{channel(0, 0), channel(0, 1), channel(1, 0), channel(1, 1)};
  else
    return lanes::Int4{channel(0, 0), channel(1, 0), channel(2, 0), channel(3, 0)};
}

// GCC 12 considers the halves of a vector that is wider than the machine's as uninitialised. Clang
// does not know this warning.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/// The values of the reads that share a vector, each in all of its read's channels.
template <int N, class Vector, class Value>
inline void spread(const Value* values, Vector& vector) {
  constexpr int second = N <= 2 ? 1 : 0, step = N == 1 ? 1 : 0;
  const Vector all = {values[0], values[N == 1 ? 1 : 0], values[second + step],
                      values[second + 2 * step]};
  vector = all;
}

#pragma GCC diagnostic pop

/// One linear chunk. A vector holds the channels of one read (3 or 4), two reads (2) or four (1).
template <class Set, class T, int N>
inline void sample_chunk(const Texture2D<T, N>& texture, const Sampler& sampler, const float* xs,
                         const float* ys, int count, bool borders, const Pixel<N>& border,
                         float* out) {
  using Weigh = lanes::Weigh<T, Set>;
  RowTaps x, y;
  RowWeights<typename Weigh::Weight> weights;
  Set::linear(sampler, 0, {texture.width, texture.height}, xs, count, x);
  Set::linear(sampler, 1, {texture.height, texture.width}, ys, count, y);
  weigh_chunk(x, y, count, weights);

  constexpr int reads = N >= 3 ? 1 : 4 / N;
  const char* base = static_cast<const char*>(texture.data);
  int i = 0;
  for (; i + reads <= count; i += reads) {
    // Scattered reads wait for memory: prefetch both rows of the texels a few reads ahead.
    const int ahead = std::min(i + 16, count - 1);
    for (const std::int32_t line : {y.near[ahead], y.far[ahead]}) {
      const auto offset = static_cast<std::uintptr_t>(line) * texture.pitch_bytes +
                          static_cast<std::uintptr_t>(x.near[ahead]) * sizeof(Texel<T, N>);
      __builtin_prefetch(
          reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(base) + offset));
    }
    const char* from[4][reads];
    bool alone = false;
    for (int r = 0; r < reads; ++r) {
      const int j = i + r;
      // If any of the four is beyond the edge, one of these is negative.
      alone = alone || (borders && (x.near[j] | x.far[j] | y.near[j] | y.far[j]) < 0);
      const auto row = [&](std::int32_t at) {
        return base +
               static_cast<std::ptrdiff_t>(at) * static_cast<std::ptrdiff_t>(texture.pitch_bytes);
      };
      const auto column = [](std::int32_t at) {
        return at * static_cast<std::ptrdiff_t>(sizeof(Texel<T, N>));
      };
      if (alone) break;
      from[0][r] = row(y.near[j]) + column(x.near[j]);
      from[1][r] = row(y.near[j]) + column(x.far[j]);
      from[2][r] = row(y.far[j]) + column(x.near[j]);
      from[3][r] = row(y.far[j]) + column(x.far[j]);
    }
    if (!alone) {
      lanes::Int4 t[4], has[4];
      typename Weigh::Weights w[4] = {};
      for (int k = 0; k < 4; ++k) {
        t[k] = texels_at<T, N>(from[k]);
        spread<N>(weights.w[k] + i, w[k]);
        spread<N>(weights.has[k] + i, has[k]);
      }
      const lanes::Float4 result = Weigh::apply(t, w, has, alone);
      if (!alone) {
        std::memcpy(out + i * N, &result, reads * sizeof(Pixel<N>));
        continue;
      }
    }
    for (int j = i; j < i + reads; ++j) {
      // Completely outside there is only the border colour, whatever the weights.
      const bool beyond = borders && ((x.near[j] & x.far[j]) | (y.near[j] & y.far[j])) < 0;
      if (beyond)
        std::memcpy(out + j * N, border.v, sizeof border.v);
      else
        sample_alone(texture, sampler, xs[j], ys[j], out + j * N);
    }
  }
  for (; i < count; ++i) sample_alone(texture, sampler, xs[i], ys[i], out + i * N);
}

}  // namespace detail

/// Operations that an instruction set may implement differently, but with the same bits:
/// conversions, and the taps of a chunk along one axis. This set is for any machine.
struct PortableRows : lanes::PortableSet {
  [[gnu::noinline]] static void linear(const Sampler& sampler, int axis, TextureSide side,
                                       const float* coordinates, int count, detail::RowTaps& taps) {
    detail::resolve_linear(sampler, axis, side, coordinates, count, taps);
  }
  [[gnu::noinline]] static void point(const Sampler& sampler, int axis, TextureSide side,
                                      const float* coordinates, int count, std::int32_t* taps) {
    detail::resolve_point(sampler, axis, side, coordinates, count, taps);
  }
};

/// Reads `count` points (xs[i], ys[i]) into `out`, N floats each, as sample() would.
template <class Set = PortableRows, class T, int N>
inline void sample_row(const Texture2D<T, N>& texture, const Sampler& sampler, const float* xs,
                       const float* ys, std::ptrdiff_t count, float* out) {
  if (sampler.filter == Filter::linear && !detail::has_lanes<T>) {
    for (std::ptrdiff_t i = 0; i < count; ++i)
      detail::sample_alone(texture, sampler, xs[i], ys[i], out + i * N);
    return;
  }
  const bool borders =
      sampler.address[0] == Address::border || sampler.address[1] == Address::border;
  const Texel<T, N> border = border_texel<T, N>(sampler);
  if (sampler.filter == Filter::point) {
    std::int32_t x[detail::row_chunk], y[detail::row_chunk];
    for (std::ptrdiff_t start = 0; start < count; start += detail::row_chunk) {
      const int length =
          static_cast<int>(std::min<std::ptrdiff_t>(detail::row_chunk, count - start));
      Set::point(sampler, 0, {texture.width, texture.height}, xs + start, length, x);
      Set::point(sampler, 1, {texture.height, texture.width}, ys + start, length, y);
      for (int i = 0; i < length; ++i) {
        const bool beyond = borders && (x[i] | y[i]) < 0;
        const Pixel<N> pixel = decode(beyond ? border : texture.texel(x[i], y[i]));
        std::memcpy(out + (start + i) * N, pixel.v, sizeof pixel.v);
      }
    }
    return;
  }
  if constexpr (detail::has_lanes<T>) {
    const Texel<T, N> borders_alone[4] = {border, border, border, border};
    const int even[4] = {64, 64, 64, 64};
    const Pixel<N> outer = combine_texels<1, 4>(borders_alone, even);
    for (std::ptrdiff_t start = 0; start < count; start += detail::row_chunk) {
      const int length =
          static_cast<int>(std::min<std::ptrdiff_t>(detail::row_chunk, count - start));
      detail::sample_chunk<Set>(texture, sampler, xs + start, ys + start, length, borders, outer,
                                out + start * N);
    }
  }
}

}  // namespace cuimg
