// SPDX-License-Identifier: Apache-2.0
// The ranges of the target rows that are open in one column of a picture that is halved.
#pragma once

#include "stages/resample/cuda_tap_sums.cuh"

namespace cuimg {

/// A target row uses `pairs` pairs of source rows; the next row uses the same pairs except the
/// first, plus one more. The rows that a group of pairs completes share most of them: a row's range
/// combines three, that of the shared pairs, of its pairs before them and of its pairs after.
template <int pairs, int group>
class OpenRanges {
 public:
  using Range = TexelRange<4>;
  static constexpr int carried = pairs - 1;

  /// Before the first group: sets pair k of those before it.
  __device__ void begin(int k, const Range& pair) { of_pairs_[k] = pair; }

  /// Adds pair i of a group, from 0 on. @returns the range of the target row that it completes.
  __device__ Range close(int i, const Range& pair) {
    of_pairs_[carried + i] = pair;
    if constexpr (pairs < group) {
      Range range = of_pairs_[i];
#pragma unroll
      for (int k = 1; k < pairs; ++k) range = joined(range, of_pairs_[i + k]);
      return range;
    } else {
      if (i == 0) {
        share();
        return joined(before_[0], shared_);
      }
      after_ = i == 1 ? pair : joined(after_, pair);
      const Range range = joined(shared_, after_);
      return i + 1 < group ? joined(before_[i], range) : range;
    }
  }
  __device__ void next_group() {
#pragma unroll
    for (int k = 0; k < carried; ++k) of_pairs_[k] = of_pairs_[k + group];
  }

 private:
  // Called with the group's first pair.
  __device__ void share() {
    before_[group - 2] = of_pairs_[group - 2];
#pragma unroll
    for (int k = group - 3; k >= 0; --k) before_[k] = joined(of_pairs_[k], before_[k + 1]);
    shared_ = of_pairs_[group - 1];
#pragma unroll
    for (int k = group; k < pairs; ++k) shared_ = joined(shared_, of_pairs_[k]);
  }

  Range of_pairs_[carried + group];  ///< The pairs before the group, then the group's.
  /// Over pairs group - 1 to pairs - 1, which every row of the group uses.
  Range shared_;
  Range before_[group - 1];  ///< before_[k]: over pairs k to group - 2.
  Range after_;              ///< Over the group's pairs from 1 on, so far.
};

}  // namespace cuimg
