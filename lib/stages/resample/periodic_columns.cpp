// SPDX-License-Identifier: Apache-2.0
#include "stages/resample/periodic_columns.h"

#include <algorithm>
#include <cstring>

#include "base/instruction_set.h"
#include "kernels/math/dispatch.h"
#include "stages/pass/rows_as_floats.h"
#include "stages/resample/resample_rows.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cuimg {
namespace {

// Copies every `step`th pixel. Three channels are copied as four floats, which is faster: the next
// pixel overwrites the fourth, and the room after a row takes the last one.
template <int N>
void gather(const float* from, int step, int count, float* to) {
  constexpr int copied = N == 3 ? 4 : N;
  for (int i = 0; i < count; ++i, from += std::ptrdiff_t{step} * N, to += N)
    std::memcpy(to, from, copied * sizeof(float));
}
// Copies pixels to every `step`th one.
template <int N>
void scatter(const float* from, int step, int count, float* to) {
  for (int i = 0; i < count; ++i, from += N, to += std::ptrdiff_t{step} * N)
    std::memcpy(to, from, N * sizeof(float));
}

#if defined(__x86_64__)
// Of 32 pixels of three floats, which fill six vectors, the floats that make one of six vectors:
// three of even pixels, then three of odd ones. They come from two or three adjacent vectors.
template <int made>
struct Alternate {
  static constexpr int lanes = 16;
  static constexpr int position(int lane) {
    const int of_pixels = made % 3 * lanes + lane;
    return 3 * (2 * (of_pixels / 3) + made / 3) + of_pixels % 3;
  }
  static constexpr int first = position(0) / lanes;
  static constexpr bool has_third = position(lanes - 1) / lanes > first + 1;

  alignas(64) std::int32_t of_two[lanes], of_third[lanes];
  constexpr Alternate() : of_two(), of_third() {
    for (int lane = 0; lane < lanes; ++lane) {
      const int from = position(lane) - first * lanes;
      of_two[lane] = from % (2 * lanes);
      of_third[lane] = from < 2 * lanes ? lane : from - lanes;
    }
  }

  __attribute__((target("avx512f"))) static __m512 of(const __m512* vectors) {
    static constexpr Alternate indices;
    const __m512 two = _mm512_permutex2var_ps(vectors[first], _mm512_load_si512(indices.of_two),
                                              vectors[first + 1]);
    if constexpr (!has_third)
      return two;
    else
      return _mm512_permutex2var_ps(two, _mm512_load_si512(indices.of_third), vectors[first + 2]);
  }
};

// Parts even pixels of three floats from odd ones, in a quarter of the time of gather() (Xeon,
// family 6 model 207, 2026-12-01). @returns the number of pixels that it parted.
__attribute__((target("avx512f"))) int part_alternate_avx512(const float* from, int count,
                                                             float* even, float* odd) {
  constexpr int pixels = 32, vectors = 6;
  int done = 0;
  for (; done + pixels <= count; done += pixels) {
    __m512 v[vectors];
    for (int i = 0; i < vectors; ++i) v[i] = _mm512_loadu_ps(from + 3 * done + 16 * i);
    float* const to_even = even + 3 * done / 2;
    float* const to_odd = odd + 3 * done / 2;
    _mm512_storeu_ps(to_even, Alternate<0>::of(v));
    _mm512_storeu_ps(to_even + 16, Alternate<1>::of(v));
    _mm512_storeu_ps(to_even + 32, Alternate<2>::of(v));
    _mm512_storeu_ps(to_odd, Alternate<3>::of(v));
    _mm512_storeu_ps(to_odd + 16, Alternate<4>::of(v));
    _mm512_storeu_ps(to_odd + 32, Alternate<5>::of(v));
  }
  return done;
}
#else
int part_alternate_avx512(const float*, int, float*, float*) { return 0; }
#endif

// The number of outputs from which sorting texels pays off.
constexpr int least_outputs = 64;

}  // namespace

PeriodicColumns::PeriodicColumns(const AxisTable& table, int channels, int from, int to)
    : table_(table), channels_(channels), from_(from), to_(to) {
  const AxisPeriod& period = table.period;
  low_ = std::clamp(period.low, from, to);
  high_ = std::clamp(period.high, low_, to);
  if (high_ - low_ < least_outputs) high_ = low_;
  if (!serves()) return;
  const auto [first, last] = table.reach(low_, high_);
  first_ = first;
  texels_ = last - first;
  const int plane_pixels = aligned_width((texels_ + period.inputs - 1) / period.inputs);
  plane_ = floats(plane_pixels);
  phase_ = floats((high_ - low_ + period.outputs - 1) / period.outputs);
  for (int x = low_; x < low_ + period.outputs; ++x)
    for (int k = 0; k < table.taps_of(x); ++k) {
      const int at = table.start_of(x) + k - first_;
      taps_.push_back(static_cast<std::size_t>(at % period.inputs) * plane_ +
                      floats(at / period.inputs));
    }
  if (period.inputs > 1)
    planes_ = Frame::new_host({{0, 0, plane_pixels, period.inputs}, PixelType::f32, channels});
  if (period.outputs > 1) phases_.resize(phase_);
}

// The texels sorted so that those with the same place in the period are adjacent.
const float* PeriodicColumns::sorted(const float* source) {
  const int inputs = table_.period.inputs;
  const float* const first = source + std::ptrdiff_t{first_} * channels_;
  if (inputs == 1) return first;
  const auto plane = [&](int place) { return planes_.pixel_as<float>(0, place); };
  const int done = channels_ == 3 && inputs == 2 && uses_avx512()
                       ? part_alternate_avx512(first, texels_, plane(0), plane(1))
                       : 0;
  with_channels(channels_, [&](auto n) {
    for (int place = 0; place < inputs; ++place)
      gather<n()>(first + (done + place) * n(), inputs,
                  (texels_ - done - place + inputs - 1) / inputs,
                  plane(place) + done / inputs * n());
  });
  return plane(0);
}

void PeriodicColumns::mix_repeating(const float* source, float* target) {
  const int outputs = table_.period.outputs;
  const float* const texels = sorted(source);
  auto tap = taps_.begin();
  for (int place = 0; place < outputs; ++place) {
    const int x = low_ + place, count = (high_ - x + outputs - 1) / outputs;
    pointers_.clear();
    for (int k = 0; k < table_.taps_of(x); ++k) pointers_.push_back(texels + *tap++);
    float* const made = outputs == 1 ? target : phases_.data();
    mix_rows(pointers_.data(), table_.weights_of(x), table_.taps_of(x), floats(count), false, made);
    if (outputs > 1)
      with_channels(channels_,
                    [&](auto n) { scatter<n()>(made, outputs, count, target + place * n()); });
  }
}

void PeriodicColumns::mix(const float* source, float* target) {
  if (!serves()) return mix_columns(source, channels_, table_, from_, to_, false, target);
  mix_columns(source, channels_, table_, from_, low_, false, target);
  mix_repeating(source, target + floats(low_ - from_));
  mix_columns(source, channels_, table_, high_, to_, false, target + floats(high_ - from_));
}

}  // namespace cuimg
