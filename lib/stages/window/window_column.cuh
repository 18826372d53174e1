// SPDX-License-Identifier: Apache-2.0
// A window that slides down one column, 16 positions at a time: the fold of the values between its
// two ends. The passes that use it differ in where they read values.
#pragma once

#include "stages/window/window_wide.cuh"

namespace cuimg::detail {

template <class Fold>
using WindowBlock = typename Fold::Stored[window_block];

/// Totals of whole blocks are in shared memory, `stride` apart; `totals` points to this thread's.
template <class Fold, int stride>
class WindowColumn {
  using State = typename Fold::State;

 public:
  __device__ WindowColumn(const Fold& fold, const Window& window, State* totals)
      : fold_(fold),
        span_(window.span()),
        rest_(window.rest()),
        totals_(totals),
        prefix_(fold.neutral()) {}

  /// The whole block `k` after the one in which the window begins, from 1 to its span - 1.
  __device__ void begin_block(int k, const WindowBlock<Fold>& values) {
    State total = fold_.neutral();
#pragma unroll
    for (int j = 0; j < window_block; ++j) total = fold_.join(total, fold_.load(values[j]));
    totals_[(k - 1) * stride] = total;
  }
  /// The next of the values before the window's end, in the block in which it ends.
  __device__ void begin_end(typename Fold::Stored value) {
    prefix_ = fold_.join(prefix_, fold_.load(value));
  }

  /// Slides over 16 positions. @param leaving the block that the window leaves. @param entering the
  /// values that enter the window. @param results of the 16 positions.
  __device__ void slide(const WindowBlock<Fold>& leaving, const WindowBlock<Fold>& entering,
                        WindowBlock<Fold>& results) {
    State middle = fold_totals_of_ring<stride>(fold_, totals_, span_, oldest_, span_ - 1);
    const int slot = moved_on(oldest_, span_ - 1, span_);
    State suffixes[window_block];
    fold_suffixes(fold_, leaving, suffixes);
    State total = fold_.neutral();
#pragma unroll
    for (int j = 0; j < window_block; ++j) {
      if (ends_at(rest_, j)) {
        total = prefix_;
        middle = fold_.join(middle, prefix_);
        prefix_ = fold_.neutral();
      }
      prefix_ = fold_.join(prefix_, fold_.load(entering[j]));
      results[j] = fold_.store(fold_.join(fold_.join(suffixes[j], middle), prefix_));
    }
    if (rest_ == 0) {
      total = prefix_;
      prefix_ = fold_.neutral();
    }
    totals_[slot * stride] = total;
    oldest_ = moved_on(oldest_, 1, span_);
  }

 private:
  const Fold& fold_;
  const int span_, rest_;
  State* const totals_;
  State prefix_;
  int oldest_ = 0;
};

}  // namespace cuimg::detail
