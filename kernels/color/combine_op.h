// SPDX-License-Identifier: Apache-2.0
// Two pixels become one: arithmetic, the Porter-Duff operators, mixing and masking. `a` is the
// picture's pixel, `b` the second image's, light with premultiplied alpha.
#pragma once

#include "kernels/color/pixel_op.h"

namespace cuimg {

// Arithmetic on two numbers: of() for light, alpha() for coverage.

struct Sum {
  CUIMG_HD static float of(float a, float b) { return a + b; }
  CUIMG_HD static float alpha(float a, float b) { return min(a + b, 1.0f); }
};
/// The difference of equal values is 0, even if they are infinite. Opaque minus opaque stays
/// opaque: the result is a picture, not a hole.
struct Difference {
  CUIMG_HD static float of(float a, float b) { return select(a == b, 0.0f, a - b); }
  CUIMG_HD static float alpha(float a, float b) { return max(a, b); }
};
struct Product {
  CUIMG_HD static float of(float a, float b) { return a * b; }
  CUIMG_HD static float alpha(float a, float b) { return a * b; }
};
/// Division by zero gives 0, as in oiiotool: areas that a mask has emptied stay empty.
struct Quotient {
  CUIMG_HD static float of(float a, float b) { return select(b == 0, 0.0f, a / b); }
  CUIMG_HD static float alpha(float a, float b) { return of(a, b); }
};
struct Smaller {
  CUIMG_HD static float of(float a, float b) { return min(a, b); }
  CUIMG_HD static float alpha(float a, float b) { return min(a, b); }
};
struct Larger {
  CUIMG_HD static float of(float a, float b) { return max(a, b); }
  CUIMG_HD static float alpha(float a, float b) { return max(a, b); }
};
struct Distance {
  CUIMG_HD static float of(float a, float b) { return abs(Difference::of(a, b)); }
  CUIMG_HD static float alpha(float a, float b) { return of(a, b); }
};

/// v[c] = Rule(v[c], value[c]); alpha does not change unless it has a value.
template <class Rule>
struct WithValue {
  static constexpr bool by_channel = true;
  float value[4] = {0, 0, 0, 0};
  bool touches_alpha = false;

  CUIMG_HD void operator()(float* v, PixelShape& shape) const {
    for (int c = 0; c < 4; ++c)
      if (c < shape.colors || (touches_alpha && c == shape.alpha))
        v[c] = canonical_nan(Rule::of(v[c], value[c]));
  }
};

// Operations on two pixels. Each has
//   template <int N, int M> void operator()(const float* a, const float* b, float* out) const;
// with N floats in `a` and `out`, M in `b`.

/// The value at an index that is only known at launch, without an array in local memory; 1 for -1.
template <int N>
CUIMG_HD inline float alpha_of(const float* v, int index) {
  float alpha = 1;
  for (int c = 0; c < N; ++c)
    if (c == index) alpha = v[c];
  return alpha;
}

/// v * weight, where a weight of 0 gives 0 even if v is infinite.
CUIMG_HD inline float share_of(float v, float weight) {
  return select(weight == 0, 0.0f, v * weight);
}

/// Arithmetic channel by channel.
template <class Rule>
struct Each {
  int alpha = -1;  ///< Alpha's index, or -1: all channels are treated alike.

  template <int N, int M>
  CUIMG_HD void operator()(const float* a, const float* b, float* out) const {
    static_assert(N == M);
    for (int c = 0; c < N; ++c)
      out[c] = canonical_nan(c == alpha ? Rule::alpha(a[c], b[c]) : Rule::of(a[c], b[c]));
  }
};

/// The share of a pixel that an operator keeps, depending on the other's alpha.
enum class Share : std::uint8_t { none, all, inside, outside };

CUIMG_HD inline float weight_of(Share share, float other_alpha) {
  switch (share) {
    case Share::none:
      return 0;
    case Share::all:
      return 1;
    case Share::inside:
      return other_alpha;
    case Share::outside:
      return 1 - other_alpha;
  }
  return 0;
}

/// The operators of Porter and Duff, "Compositing Digital Images", 1984: the shares of b and a. If
/// `a` has an alpha, `b` has it at the same index.
struct PorterDuff {
  Share second = Share::all, first = Share::outside;
  int first_alpha = -1, second_alpha = -1;  ///< Indices; -1 means opaque.

  template <int N, int M>
  CUIMG_HD void operator()(const float* a, const float* b, float* out) const {
    const float of_second = weight_of(second, alpha_of<N>(a, first_alpha));
    const float of_first = weight_of(first, alpha_of<M>(b, second_alpha));
    for (int c = 0; c < N; ++c)
      out[c] = canonical_nan(share_of(b[c], of_second) + share_of(a[c], of_first));
  }
};

/// a (1 - amount) + b amount, channel by channel.
struct Mix {
  float amount[4] = {0.5f, 0.5f, 0.5f, 0.5f};

  template <int N, int M>
  CUIMG_HD void operator()(const float* a, const float* b, float* out) const {
    static_assert(N == M);
    for (int c = 0; c < N; ++c)
      out[c] = canonical_nan(share_of(a[c], 1 - amount[c]) + share_of(b[c], amount[c]));
  }
};

/// Multiplies every channel by the mask's value; where that is 0 the result is 0.
struct MaskBy {
  bool inverted = false;

  template <int N, int M>
  CUIMG_HD void operator()(const float* a, const float* b, float* out) const {
    static_assert(M == 1);
    const float kept = inverted ? 1 - b[0] : b[0];
    for (int c = 0; c < N; ++c) out[c] = canonical_nan(share_of(a[c], kept));
  }
};

}  // namespace cuimg
