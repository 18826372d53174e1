// SPDX-License-Identifier: Apache-2.0
#include "stages/resample/periodic_columns.h"

#include <algorithm>
#include <cstring>

#include "kernels/math/dispatch.h"
#include "stages/resample/resample_rows.h"

namespace cuimg {
namespace {

// Copies every `step`th pixel. Three channels are copied as four floats, which is faster: the next
// pixel overwrites the fourth, and `room` takes the last one.
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

// The number of outputs from which sorting texels pays off.
constexpr int least_outputs = 64;
constexpr std::size_t room = 4;

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
  plane_ = floats((texels_ + period.inputs - 1) / period.inputs) + room;
  phase_ = floats((high_ - low_ + period.outputs - 1) / period.outputs);
  for (int x = low_; x < low_ + period.outputs; ++x)
    for (int k = 0; k < table.taps_of(x); ++k) {
      const int at = table.start_of(x) + k - first_;
      taps_.push_back(static_cast<std::size_t>(at % period.inputs) * plane_ +
                      floats(at / period.inputs));
    }
  if (period.inputs > 1) planes_.resize(plane_ * static_cast<std::size_t>(period.inputs));
  if (period.outputs > 1) phases_.resize(phase_);
}

// The texels sorted so that those with the same place in the period are adjacent.
const float* PeriodicColumns::sorted(const float* source) {
  const int inputs = table_.period.inputs;
  const float* const first = source + std::ptrdiff_t{first_} * channels_;
  if (inputs == 1) return first;
  with_channels(channels_, [&](auto n) {
    for (int place = 0; place < inputs; ++place)
      gather<n()>(first + place * n(), inputs, (texels_ - place + inputs - 1) / inputs,
                  planes_.data() + static_cast<std::size_t>(place) * plane_);
  });
  return planes_.data();
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
