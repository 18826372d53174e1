// SPDX-License-Identifier: Apache-2.0
// Lanes run across pixels and channels, never across taps, so each sum has one order on every
// machine. Targets without fused multiply-add use the scalar definition.
#include "stages/resample/resample_rows.h"

#include <algorithm>

#define CUIMG_HIGHWAY_AVX512
#include "base/highway_targets.h"
#include "kernels/math/dispatch.h"
#include "kernels/stencil/resample.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stages/resample/resample_rows.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace cuimg::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Sum>
HWY_INLINE void mix_rows_scalar(const float* const* rows, const float* weights, int taps,
                                std::size_t from, std::size_t to, float* target) {
  for (std::size_t i = from; i < to; ++i) {
    Sum sum;
    for (int k = 0; k < taps; ++k) sum.add(weights[k], {rows[k][i]});
    target[i] = sum.result().v[0];
  }
}

template <int N, class Sum>
HWY_INLINE void mix_columns_scalar(const float* source, const AxisTable& table, int from, int to,
                                   float* target) {
  for (int x = from; x < to; ++x) {
    const float* weights = table.weights_of(x);
    const float* texel = source + static_cast<std::ptrdiff_t>(table.start_of(x)) * N;
    Sum sum;
    for (int k = 0; k < table.taps_of(x); ++k, texel += N) {
      Pixel<N> pixel;
      for (int c = 0; c < N; ++c) pixel.v[c] = texel[c];
      sum.add(weights[k], pixel);
    }
    const Pixel<N> result = sum.result();
    for (int c = 0; c < N; ++c) *target++ = result.v[c];
  }
}

// Each of the two functions below processes as many as fill whole vectors and returns where it
// stopped.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_NEON

template <class D, class V = hn::Vec<D>>
HWY_INLINE V canonical(D d, V v) {
  return hn::IfThenElse(hn::IsNaN(v),
                        hn::BitCast(d, hn::Set(hn::RebindToUnsigned<D>(), 0x7fc00000u)), v);
}

HWY_INLINE std::size_t mix_rows_vectors(const float* const* rows, const float* weights, int taps,
                                        std::size_t count, float* target) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    auto a = hn::Zero(d), b = a, c = a, e = a;
    for (int k = 0; k < taps; ++k) {
      const auto w = hn::Set(d, weights[k]);
      const float* row = rows[k] + i;
      a = hn::MulAdd(w, hn::LoadU(d, row), a);
      b = hn::MulAdd(w, hn::LoadU(d, row + lanes), b);
      c = hn::MulAdd(w, hn::LoadU(d, row + 2 * lanes), c);
      e = hn::MulAdd(w, hn::LoadU(d, row + 3 * lanes), e);
    }
    hn::StoreU(canonical(d, a), d, target + i);
    hn::StoreU(canonical(d, b), d, target + i + lanes);
    hn::StoreU(canonical(d, c), d, target + i + 2 * lanes);
    hn::StoreU(canonical(d, e), d, target + i + 3 * lanes);
  }
  for (; i < count && count >= lanes; i += lanes) {
    i = std::min(i, count - lanes);  // the last vector may begin within the one before
    auto sum = hn::Zero(d);
    for (int k = 0; k < taps; ++k)
      sum = hn::MulAdd(hn::Set(d, weights[k]), hn::LoadU(d, rows[k] + i), sum);
    hn::StoreU(canonical(d, sum), d, target + i);
  }
  return std::min(i, count);
}

// Sums of adjacent vectors of a row.
template <class D, int vectors>
struct RowSums {
  using V = hn::Vec<D>;
  D d;
  V v[vectors];

  HWY_INLINE explicit RowSums(D tag) : d(tag) {
    for (V& sum : v) sum = hn::Zero(d);
  }
  HWY_INLINE void add(const V& weight, const V (&texels)[vectors]) {
    for (int i = 0; i < vectors; ++i) v[i] = hn::MulAdd(weight, texels[i], v[i]);
  }
  HWY_INLINE void store(float* target) const {
    for (int i = 0; i < vectors; ++i)
      hn::StoreU(canonical(d, v[i]), d, target + static_cast<std::size_t>(i) * hn::Lanes(d));
  }
};

// Makes these vectors, from column i on, of both rows.
template <int vectors>
HWY_INLINE void mix_pair_at(const float* const* rows, const RowTaps& upper, const RowTaps& lower,
                            std::size_t i, float* upper_target, float* lower_target) {
  const hn::ScalableTag<float> d;
  using D = decltype(d);
  const float* const of_upper = upper.weights - upper.first;
  const float* const of_lower = lower.weights - lower.first;
  const int upper_end = upper.first + upper.count, lower_end = lower.first + lower.count;
  RowSums<D, vectors> a(d), b(d);
  hn::Vec<D> texels[vectors];
  const auto load = [&](int k) HWY_ATTR {
    const float* const row = rows[k] + i;
    for (std::size_t j = 0; j < vectors; ++j) texels[j] = hn::LoadU(d, row + j * hn::Lanes(d));
  };
  int k = upper.first;
  for (; k < lower.first; ++k) load(k), a.add(hn::Set(d, of_upper[k]), texels);
  for (; k < upper_end; ++k) {
    load(k);
    a.add(hn::Set(d, of_upper[k]), texels);
    b.add(hn::Set(d, of_lower[k]), texels);
  }
  for (; k < lower_end; ++k) load(k), b.add(hn::Set(d, of_lower[k]), texels);
  a.store(upper_target + i);
  b.store(lower_target + i);
}

HWY_INLINE std::size_t mix_row_pair_vectors(const float* const* rows, const RowTaps& upper,
                                            const RowTaps& lower, std::size_t count,
                                            float* upper_target, float* lower_target) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<float>());
  std::size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes)
    mix_pair_at<4>(rows, upper, lower, i, upper_target, lower_target);
  for (; i < count && count >= lanes; i += lanes) {
    i = std::min(i, count - lanes);
    mix_pair_at<1>(rows, upper, lower, i, upper_target, lower_target);
  }
  return std::min(i, count);
}

// Three and four channels: a pixel is a vector of four lanes, and four output pixels are computed
// together to hide the latency of their sums. With three channels the fourth lane is the next
// pixel's; the next store overwrites it.
template <int N>
HWY_INLINE int mix_pixels_of_four(const float* source, const AxisTable& table, int from, int to,
                                  float* target) {
  const hn::FixedTag<float, 4> d;
  int x = from;
  for (; x + 4 + (N == 3) <= to; x += 4) {
    const int taps = table.taps_of(x);
    if (table.taps_of(x + 1) != taps || table.taps_of(x + 2) != taps ||
        table.taps_of(x + 3) != taps) {
      mix_columns_scalar<N, TapSum<N>>(source, table, x, x + 4, target);
      target += 4 * N;
      continue;
    }
    const float* t0 = source + static_cast<std::ptrdiff_t>(table.start_of(x)) * N;
    const float* t1 = source + static_cast<std::ptrdiff_t>(table.start_of(x + 1)) * N;
    const float* t2 = source + static_cast<std::ptrdiff_t>(table.start_of(x + 2)) * N;
    const float* t3 = source + static_cast<std::ptrdiff_t>(table.start_of(x + 3)) * N;
    const float* w = table.weights_of(x);
    const std::ptrdiff_t stride = table.stride;
    auto a = hn::Zero(d), b = a, c = a, e = a;
    for (int k = 0; k < taps; ++k, ++w, t0 += N, t1 += N, t2 += N, t3 += N) {
      a = hn::MulAdd(hn::Set(d, w[0]), hn::LoadU(d, t0), a);
      b = hn::MulAdd(hn::Set(d, w[stride]), hn::LoadU(d, t1), b);
      c = hn::MulAdd(hn::Set(d, w[2 * stride]), hn::LoadU(d, t2), c);
      e = hn::MulAdd(hn::Set(d, w[3 * stride]), hn::LoadU(d, t3), e);
    }
    hn::StoreU(canonical(d, a), d, target);
    hn::StoreU(canonical(d, b), d, target + N);
    hn::StoreU(canonical(d, c), d, target + 2 * N);
    hn::StoreU(canonical(d, e), d, target + 3 * N);
    target += 4 * N;
  }
  return x;
}

// One and two channels: lanes are output pixels, texels and weights are gathered.
template <int N>
HWY_INLINE int mix_gathered(const float* source, const AxisTable& table, int from, int to,
                            float* target) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const int lanes = static_cast<int>(hn::Lanes(d));
  HWY_ALIGN float sums[hn::MaxLanes(d)];
  int x = from;
  for (; x + lanes <= to; x += lanes) {
    const int taps = table.taps_of(x);
    bool alike = true;
    for (int l = 1; l < lanes; ++l) alike = alike && table.taps_of(x + l) == taps;
    if (!alike) {
      mix_columns_scalar<N, TapSum<N>>(source, table, x, x + lanes, target);
    } else {
      const auto first =
          hn::Mul(hn::Sub(hn::LoadU(di, &table.start[static_cast<std::size_t>(x - table.first)]),
                          hn::Set(di, table.start_of(x))),
                  hn::Set(di, N));
      const float* texels = source + static_cast<std::ptrdiff_t>(table.start_of(x)) * N;
      const auto weight_index = hn::Mul(hn::Iota(di, 0), hn::Set(di, table.stride));
      const float* weights = table.weights_of(x);
      for (int c = 0; c < N; ++c) {
        auto sum = hn::Zero(d);
        for (int k = 0; k < taps; ++k)
          sum = hn::MulAdd(hn::GatherIndex(d, weights + k, weight_index),
                           hn::GatherIndex(d, texels + k * N + c, first), sum);
        hn::Store(canonical(d, sum), d, sums);
        for (int l = 0; l < lanes; ++l) target[l * N + c] = sums[l];
      }
    }
    target += lanes * N;
  }
  return x;
}

template <int N>
HWY_INLINE int mix_columns_vectors(const float* source, const AxisTable& table, int from, int to,
                                   float* target) {
  if constexpr (N >= 3)
    return mix_pixels_of_four<N>(source, table, from, to, target);
  else
    return mix_gathered<N>(source, table, from, to, target);
}

#else

HWY_INLINE std::size_t mix_rows_vectors(const float* const*, const float*, int, std::size_t,
                                        float*) {
  return 0;
}
HWY_INLINE std::size_t mix_row_pair_vectors(const float* const*, const RowTaps&, const RowTaps&,
                                            std::size_t, float*, float*) {
  return 0;
}
template <int N>
HWY_INLINE int mix_columns_vectors(const float*, const AxisTable&, int from, int, float*) {
  return from;
}

#endif

void MixRows(const float* const* rows, const float* weights, int taps, std::size_t count,
             bool clamp_ringing, float* target) {
  if (clamp_ringing)
    return mix_rows_scalar<ClampedTapSum<1>>(rows, weights, taps, 0, count, target);
  const std::size_t done = mix_rows_vectors(rows, weights, taps, count, target);
  mix_rows_scalar<TapSum<1>>(rows, weights, taps, done, count, target);
}

void MixRowPair(const float* const* rows, const RowTaps& upper, const RowTaps& lower,
                std::size_t count, float* upper_target, float* lower_target) {
  const std::size_t done =
      mix_row_pair_vectors(rows, upper, lower, count, upper_target, lower_target);
  mix_rows_scalar<TapSum<1>>(rows + upper.first, upper.weights, upper.count, done, count,
                             upper_target);
  mix_rows_scalar<TapSum<1>>(rows + lower.first, lower.weights, lower.count, done, count,
                             lower_target);
}

template <int N>
HWY_INLINE void mix_columns_of(const float* source, const AxisTable& table, int from, int to,
                               bool clamp_ringing, float* target) {
  if (clamp_ringing)
    return mix_columns_scalar<N, ClampedTapSum<N>>(source, table, from, to, target);
  const int x = mix_columns_vectors<N>(source, table, from, to, target);
  mix_columns_scalar<N, TapSum<N>>(source, table, x, to,
                                   target + static_cast<std::ptrdiff_t>(x - from) * N);
}

void MixColumns(const float* source, int channels, const AxisTable& table, int from, int to,
                bool clamp_ringing, float* target) {
  with_channels(channels, [&](auto n) {
    mix_columns_of<n()>(source, table, from, to, clamp_ringing, target);
  });
}

}  // namespace cuimg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cuimg {

void mix_rows(const float* const* rows, const float* weights, int taps, std::size_t count,
              bool clamp_ringing, float* target) {
  CUIMG_DISPATCH(MixRows)(rows, weights, taps, count, clamp_ringing, target);
}

void mix_row_pair(const float* const* rows, const RowTaps& upper, const RowTaps& lower,
                  std::size_t count, float* upper_target, float* lower_target) {
  CUIMG_DISPATCH(MixRowPair)(rows, upper, lower, count, upper_target, lower_target);
}

void mix_columns(const float* source, int channels, const AxisTable& table, int from, int to,
                 bool clamp_ringing, float* target) {
  CUIMG_DISPATCH(MixColumns)(source, channels, table, from, to, clamp_ringing, target);
}

}  // namespace cuimg
#endif
