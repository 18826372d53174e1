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
HWY_INLINE void bilateral_scalar(const BilateralTaps& taps, const float* const* planes,
                                 std::ptrdiff_t pitch, std::uint32_t colors, std::size_t from,
                                 std::size_t to, float* const* targets) {
  for (std::size_t i = from; i < to; ++i) {
    BilateralSum<N> sum{};
    for (int c = 0; c < N; ++c) sum.centre.v[c] = planes[c][i];
    for (int dy = -taps.radius; dy <= taps.radius; ++dy) {
      const int half = taps.half_widths[static_cast<std::size_t>(dy + taps.radius)];
      for (int dx = -half; dx <= half; ++dx) {
        Pixel<N> texel;
        for (int c = 0; c < N; ++c)
          texel.v[c] = planes[c][static_cast<std::ptrdiff_t>(i) + dy * pitch + dx];
        sum.add(taps.row(dy)[dx], taps.likeness, colors, texel);
      }
    }
    const Pixel<N> result = sum.result();
    for (int c = 0; c < N; ++c) targets[c][i] = result.v[c];
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
HWY_INLINE std::size_t bilateral_vectors(const BilateralTaps& taps, const float* const* planes,
                                         std::ptrdiff_t pitch, std::uint32_t colors,
                                         std::size_t count, float* const* targets) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const V likeness = hn::Set(d, taps.likeness), zero = hn::Zero(d);
  const V nan = hn::BitCast(d, hn::Set(hn::RebindToUnsigned<decltype(d)>(), canonical_nan_bits));
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    V centre[N], sum[N], total = zero;
    for (int c = 0; c < N; ++c) centre[c] = hn::LoadU(d, planes[c] + i), sum[c] = zero;
    for (int dy = -taps.radius; dy <= taps.radius; ++dy) {
      const int half = taps.half_widths[static_cast<std::size_t>(dy + taps.radius)];
      for (int dx = -half; dx <= half; ++dx) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) + dy * pitch + dx;
        V difference[N], squares = zero;
        for (int c = 0; c < N; ++c) {
          difference[c] = hn::Sub(hn::LoadU(d, planes[c] + at), centre[c]);
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
      hn::StoreU(hn::IfThenElse(hn::IsNaN(mean), nan, mean), d, targets[c] + i);
    }
  }
  return i;
}

#else

template <int N>
HWY_INLINE std::size_t bilateral_vectors(const BilateralTaps&, const float* const*, std::ptrdiff_t,
                                         std::uint32_t, std::size_t, float* const*) {
  return 0;
}

#endif

template <int N>
HWY_INLINE void bilateral_of(const BilateralTaps& taps, const float* const* planes,
                             std::ptrdiff_t pitch, std::uint32_t colors, std::size_t count,
                             float* const* targets) {
  const std::size_t done = bilateral_vectors<N>(taps, planes, pitch, colors, count, targets);
  bilateral_scalar<N>(taps, planes, pitch, colors, done, count, targets);
}

void BilateralRow(const BilateralTaps& taps, const float* const* planes, std::ptrdiff_t pitch,
                  int channels, std::uint32_t colors, std::size_t count, float* const* targets) {
  with_channels(channels,
                [&](auto n) { bilateral_of<n()>(taps, planes, pitch, colors, count, targets); });
}

}  // namespace cuimg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cuimg {

void bilateral_row(const BilateralTaps& taps, const float* const* planes, std::ptrdiff_t pitch,
                   int channels, std::uint32_t colors, std::size_t count, float* const* targets) {
  CUIMG_DISPATCH(BilateralRow)(taps, planes, pitch, channels, colors, count, targets);
}

}  // namespace cuimg
#endif
