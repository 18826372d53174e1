// SPDX-License-Identifier: Apache-2.0
// Lanes are neighbouring pixels; each follows the steps of kernels/stencil/bilateral_weight.h in
// the same order. Targets without fused multiply-add use the scalar definition.
#include "base/highway_targets.h"
#include "kernels/math/dispatch.h"
#include "kernels/stencil/bilateral_weight.h"
#include "stages/filter/bilateral.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stages/filter/bilateral_rows.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace cuimg::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <int N>
HWY_INLINE void bilateral_scalar(const BilateralTaps& taps, const BilateralRow& row,
                                 std::uint32_t colors, std::size_t from) {
  for (std::size_t i = from; i < row.count; ++i) {
    BilateralSum<N> sum{};
    for (int c = 0; c < N; ++c) sum.centre.v[c] = row.planes[c][i];
    for (int dy = -taps.radius; dy <= taps.radius; ++dy) {
      const int half = taps.half_widths[static_cast<std::size_t>(dy + taps.radius)];
      for (int dx = -half; dx <= half; ++dx) {
        Pixel<N> texel;
        for (int c = 0; c < N; ++c)
          texel.v[c] = row.planes[c][static_cast<std::ptrdiff_t>(i) + dy * row.pitch + dx];
        sum.add(taps.row(dy)[dx], taps.likeness, colors, texel);
      }
    }
    const Pixel<N> result = sum.result();
    for (int c = 0; c < N; ++c) row.targets[c][i] = result.v[c];
  }
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_NEON

template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp2_to_one(D d, V x) {
  const hn::RebindToUnsigned<D> du;
  const V magic = hn::Set(d, 0x1.8p23f);
  const V shifted = hn::Add(x, magic);
  const V f = hn::Sub(x, hn::Sub(shifted, magic));
  V q = hn::Set(d, 0x1.00a646p-16f);
  for (const float coefficient : {0x1.444140p-13f, 0x1.5d879ep-10f, 0x1.3b2a1ap-7f, 0x1.c6b08ep-5f,
                                  0x1.ebfbe0p-3f, 0x1.62e430p-1f, 1.0f})
    q = hn::MulAdd(q, f, hn::Set(d, coefficient));
  const auto scaled = hn::Add(hn::BitCast(du, q), hn::ShiftLeft<23>(hn::BitCast(du, shifted)));
  return hn::IfThenElseZero(hn::Ge(x, hn::Set(d, -125.0f)), hn::BitCast(d, scaled));
}

// Processes as many pixels as fill whole vectors. @returns where it stopped.
template <int N>
HWY_INLINE std::size_t bilateral_vectors(const BilateralTaps& taps, const BilateralRow& row,
                                         std::uint32_t colors) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const V likeness = hn::Set(d, taps.likeness), zero = hn::Zero(d);
  const V nan = hn::BitCast(d, hn::Set(hn::RebindToUnsigned<decltype(d)>(), canonical_nan_bits));
  std::size_t i = 0;
  for (; i + lanes <= row.count; i += lanes) {
    V centre[N], sum[N], total = zero;
    for (int c = 0; c < N; ++c) centre[c] = hn::LoadU(d, row.planes[c] + i), sum[c] = zero;
    for (int dy = -taps.radius; dy <= taps.radius; ++dy) {
      const int half = taps.half_widths[static_cast<std::size_t>(dy + taps.radius)];
      for (int dx = -half; dx <= half; ++dx) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) + dy * row.pitch + dx;
        V difference[N], squares = zero;
        for (int c = 0; c < N; ++c) {
          difference[c] = hn::Sub(hn::LoadU(d, row.planes[c] + at), centre[c]);
          if ((colors >> c & 1u) != 0) squares = hn::MulAdd(difference[c], difference[c], squares);
        }
        const V weight =
            exp2_to_one(d, hn::MulAdd(squares, likeness, hn::Set(d, taps.row(dy)[dx])));
        const auto counts = hn::Gt(weight, zero);
        for (int c = 0; c < N; ++c)
          sum[c] = hn::IfThenElse(counts, hn::MulAdd(weight, difference[c], sum[c]), sum[c]);
        total = hn::Add(total, weight);
      }
    }
    const auto any = hn::Gt(total, zero);
    for (int c = 0; c < N; ++c) {
      const V mean = hn::IfThenElse(any, hn::Add(centre[c], hn::Div(sum[c], total)), centre[c]);
      hn::StoreU(hn::IfThenElse(hn::IsNaN(mean), nan, mean), d, row.targets[c] + i);
    }
  }
  return i;
}

#else

template <int N>
HWY_INLINE std::size_t bilateral_vectors(const BilateralTaps&, const BilateralRow&, std::uint32_t) {
  return 0;
}

#endif

void FilterRow(const BilateralTaps& taps, const BilateralRow& row, int channels,
               std::uint32_t colors) {
  with_channels(channels, [&](auto n) {
    bilateral_scalar<n()>(taps, row, colors, bilateral_vectors<n()>(taps, row, colors));
  });
}

}  // namespace cuimg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cuimg {

void bilateral_row(const BilateralTaps& taps, const BilateralRow& row, int channels,
                   std::uint32_t colors) {
  CUIMG_DISPATCH(FilterRow)(taps, row, channels, colors);
}

}  // namespace cuimg
#endif
