// SPDX-License-Identifier: Apache-2.0
// FLIP's sums over a line of floats, of a few neighbouring pixels for each thread. Filters whose
// sizes the compiler knows are unrolled, so weights become constants and the weighted values are in
// registers; other filters move by one pixel from weight to weight.
#pragma once

namespace cuimg {

inline constexpr int outputs_each = 4;  ///< Neighbouring pixels that a thread computes.

// The values that one weight of any filter multiplies, on both sides of each of a thread's pixels.
// From one weight to the next they all move by one pixel: two are read, and the others are reused.
template <class Read>
class BothSides {
 public:
  __device__ explicit BothSides(const Read& read) : read_(read) {
#pragma unroll
    for (int j = 0; j < outputs_each; ++j) before[j] = after[j] = read(j, 0);
  }
  __device__ void go_to(int k) {
#pragma unroll
    for (int j = outputs_each - 1; j > 0; --j) before[j] = before[j - 1];
    before[0] = read_(0, -k);
#pragma unroll
    for (int j = 0; j + 1 < outputs_each; ++j) after[j] = after[j + 1];
    after[outputs_each - 1] = read_(outputs_each - 1, k);
  }
  float before[outputs_each], after[outputs_each];

 private:
  const Read& read_;
};

// add(k, j, before, after) for all weights except the first; the calls for one k follow each other.
template <class Filters, class Read, class Add>
__device__ void for_both_sides(const Read& read, int size, const Add& add) {
  if constexpr (Filters::is_unrolled) {
#pragma unroll
    for (int k = 1; k < size; ++k)
#pragma unroll
      for (int j = 0; j < outputs_each; ++j) add(k, j, read(j, -k), read(j, k));
  } else {
    BothSides<Read> sides(read);
#pragma unroll 4
    for (int k = 1; k < size; ++k) {
      sides.go_to(k);
#pragma unroll
      for (int j = 0; j < outputs_each; ++j) add(k, j, sides.before[j], sides.after[j]);
    }
  }
}

// to[j] = half[0] read(j, 0) + half[1] (read(j, -1) + read(j, 1)) + ..., in the order of
// symmetric_sums.h.
template <class Filters, class Half, class Read>
__device__ void smooth(const Read& read, int size, const Half& half, float* to) {
#pragma unroll
  for (int j = 0; j < outputs_each; ++j) to[j] = half[0] * read(j, 0);
  for_both_sides<Filters>(read, size, [&](int k, int j, float before, float after) {
    to[j] += half[k] * (before + after);
  });
}
template <class Filters, class Half, class Read>
__device__ void differentiate(const Read& read, int size, const Half& half, float* to) {
#pragma unroll
  for (int j = 0; j < outputs_each; ++j) to[j] = 0;
  for_both_sides<Filters>(read, size, [&](int k, int j, float before, float after) {
    to[j] += half[k] * (after - before);
  });
}

}  // namespace cuimg
