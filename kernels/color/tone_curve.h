// SPDX-License-Identifier: Apache-2.0
// Tone curves: from scene light of any brightness to display light between 0 and 1, both linear, in
// Rec.709. Divisions cost most here: the quotients of a pixel share one reciprocal.
#pragma once

#include "kernels/color/pixel_op.h"
#include "kernels/math/approx_log.h"
#include "kernels/math/exp_log.h"

namespace cuimg {

namespace detail {

/// `x` limited to [low, high]; NaN does not change.
CUIMG_HD inline float limited(float x, float low, float high) {
  const float raised = select(x < low, low, x);
  return select(raised > high, high, raised);
}

/// The value that a display shows for `x`: within [0, 1], or the canonical NaN.
CUIMG_HD inline float shown(float x, bool is_number) {
  return select(is_number, clamp(x, 0.0f, 1.0f), float_from_bits(canonical_nan_bits));
}

/// A row of a matrix times a column: ma a + mb b + mc c.
CUIMG_HD inline float row(float ma, float a, float mb, float b, float mc, float c) {
  return fma(mc, c, fma(mb, b, ma * a));
}

/// Light that any curve shows as white, and whose squares and cubes are finite floats.
inline constexpr float blinding = 0x1p20f;

}  // namespace detail

// Each curve changes r, g and b, from its `darkest` to detail::blinding, in place. A NaN in one of
// them makes all three NaN, because they share a luminance, a peak or a reciprocal.

/// For curves that are not defined for negative light; the others mix colours before they cut it
/// off.
struct FromBlack {
  static constexpr float darkest = 0.0f;
};
struct FromOutsideTheGamut {
  static constexpr float darkest = -detail::blinding;
};

/// E. Reinhard et al., "Photographic Tone Reproduction for Digital Images" (2002), equation 3, by
/// luminance: colours keep their ratios, and L becomes L / (1 + L).
struct ReinhardCurve : FromBlack {
  CUIMG_HD void operator()(float& r, float& g, float& b) const {
    const float scale = reciprocal_short(1.0f + detail::row(0.2126f, r, 0.7152f, g, 0.0722f, b));
    r *= scale, g *= scale, b *= scale;
  }
};

/// The same paper's equation 4: L becomes L (1 + L / white^2) / (1 + L), so that `white` is 1.
struct ReinhardExtendedCurve : FromBlack {
  float per_white_squared = 1.0f;
  CUIMG_HD void operator()(float& r, float& g, float& b) const {
    const float light = detail::row(0.2126f, r, 0.7152f, g, 0.0722f, b);
    const float scale = fma(light, per_white_squared, 1.0f) * reciprocal_short(1.0f + light);
    r *= scale, g *= scale, b *= scale;
  }
};

/// J. Hable, "Uncharted 2: HDR Lighting" (GDC 2010):
///   f(x) = (x (A x + C B) + D E) / (x (A x + B) + D F) - E / F,  f(x) / f(white),
/// A .15, B .5, C .1, D .2, E .02, F .3. On one denominator, where the constants cancel,
///   f(x) = x (0.14 x + 1/60) / (x (0.15 x + 0.5) + 0.06).
struct HableCurve : FromBlack {
  float per_white = 1.0f;  ///< 1 / f(white).
  CUIMG_HD void operator()(float& r, float& g, float& b) const {
    const float dr = below(r), dg = below(g), db = below(b);
    const float share = per_white * reciprocal_short(dr * dg * db);
    r = above(r) * (dg * db) * share;
    g = above(g) * (dr * db) * share;
    b = above(b) * (dr * dg) * share;
  }

 private:
  CUIMG_HD static float above(float x) { return x * fma(0.14f, x, 1 / 60.0f); }
  CUIMG_HD static float below(float x) { return fma(x, fma(0.15f, x, 0.5f), 0.06f); }
};

/// S. Hill's fit of ACES 1.0's RRT and 100-nit sRGB ODT, with its two matrices (ACES.hlsl of M.
/// Pettineo's BakingLab). It uses light unchanged; some engines divide it by 0.6 first.
struct AcesCurve : FromOutsideTheGamut {
  CUIMG_HD void operator()(float& r, float& g, float& b) const {
    // Rec.709 to AP1, including the RRT's desaturation.
    const float x = inside(detail::row(0.59719f, r, 0.35458f, g, 0.04823f, b));
    const float y = inside(detail::row(0.07600f, r, 0.90834f, g, 0.01566f, b));
    const float z = inside(detail::row(0.02840f, r, 0.13383f, g, 0.83777f, b));
    const float dx = below(x), dy = below(y), dz = below(z);
    const float share = reciprocal_short(dx * dy * dz);
    const float fx = above(x) * (dy * dz) * share;
    const float fy = above(y) * (dx * dz) * share;
    const float fz = above(z) * (dx * dy) * share;
    // And back, including the ODT's desaturation.
    r = detail::row(1.60475f, fx, -0.53108f, fy, -0.07367f, fz);
    g = detail::row(-0.10208f, fx, 1.10813f, fy, -0.00605f, fz);
    b = detail::row(-0.00327f, fx, -0.07276f, fy, 1.07602f, fz);
  }

 private:
  CUIMG_HD static float inside(float x) { return select(x < 0.0f, 0.0f, x); }
  CUIMG_HD static float above(float x) { return fma(x, x + 0.0245786f, -0.000090537f); }
  CUIMG_HD static float below(float x) { return fma(x, fma(0.983729f, x, 0.4329510f), 0.238081f); }
};

/// AgX, by T. Sobotka, as in three.js and Filament: Blender's matrices around a logarithm of 10
/// stops below and 6.5 above 18 % grey, and the contrast's sixth-order fit by B. Wrensch. Its
/// result, meant for a display of gamma 2.2, is made linear by that power.
struct AgxCurve : FromOutsideTheGamut {
  CUIMG_HD void operator()(float& r, float& g, float& b) const {
    // Rec.709 to Rec.2020, including the inset.
    const float r2 = detail::row(0.6274f, r, 0.3293f, g, 0.0433f, b);
    const float g2 = detail::row(0.0691f, r, 0.9195f, g, 0.0113f, b);
    const float b2 = detail::row(0.0164f, r, 0.0880f, g, 0.8956f, b);
    const float x = contrast(
        detail::row(0.856627153315983f, r2, 0.0951212405381588f, g2, 0.0482516061458583f, b2));
    const float y = contrast(
        detail::row(0.137318972929847f, r2, 0.761241990602591f, g2, 0.101439036467562f, b2));
    const float z = contrast(
        detail::row(0.11189821299995f, r2, 0.0767994186031903f, g2, 0.811302368396859f, b2));
    // The outset, and back to Rec.709.
    const float fx = linear(
        detail::row(1.1271005818144368f, x, -0.11060664309660323f, y, -0.016493938717834573f, z));
    const float fy = linear(
        detail::row(-0.1413297634984383f, x, 1.157823702216272f, y, -0.016493938717834257f, z));
    const float fz = linear(
        detail::row(-0.14132976349843826f, x, -0.11060664309660294f, y, 1.2519364065950405f, z));
    r = detail::row(1.6605f, fx, -0.5876f, fy, -0.0728f, fz);
    g = detail::row(-0.1246f, fx, 1.1329f, fy, -0.0083f, fz);
    b = detail::row(-0.0182f, fx, -0.1006f, fy, 1.1187f, fz);
  }

 private:
  CUIMG_HD static float contrast(float light) {
    // The light at each end, beyond which the curve is flat: 2^-12.47393 and 2^4.026069.
    constexpr float darkest_shown = 0x1.70a3ecp-13f, brightest_shown = 0x1.04aafap+4f;
    constexpr float lowest = -12.47393f, range = 4.026069f + 12.47393f;
    const float stops = log2_short(clamp(light, darkest_shown, brightest_shown));
    // The published polynomial, 15.5 t^6 - 40.14 t^5 + 31.96 t^4 - 6.868 t^3 + 0.4298 t^2 + 0.1191
    // t
    // - 0.00232, expanded about t = 1/2: then its terms are small, and so are their rounding
    //   errors.
    const float t = fma(stops, 1 / range, -lowest / range - 0.5f);
    float s = 15.5f;
    s = fma(s, t, 6.36f);
    s = fma(s, t, -10.265f);
    s = fma(s, t, -4.548f);
    s = fma(s, t, 2.42405f);
    s = fma(s, t, 1.7404f);
    return fma(s, t, 0.2914925f);
  }
  // x^2.2; 0 if that is below 2^-44.
  CUIMG_HD static float linear(float x) {
    return select(x > 0x1p-20f, exp2_short(2.2f * log2_short(x)), 0.0f);
  }
};

/// Khronos PBR Neutral (2024): colours up to 0.8 do not change except for the Fresnel offset of
/// 0.04; above, the peak p is compressed to n = 1 - d^2 / (p - s + d), s = 0.76, d = 0.24, and
/// colours are moved towards white by 1 / (0.15 (p - n) + 1).
struct NeutralCurve : FromBlack {
  CUIMG_HD void operator()(float& r, float& g, float& b) const {
    constexpr float start = 0.8f - 0.04f, d = 1.0f - start, fade = 0.15f;
    const float rg_low = select(r < g, r, g), rg_high = select(r < g, g, r);
    const float low = select(rg_low < b, rg_low, b);
    const float offset = select(low < 0.08f, fma(-6.25f * low, low, low), 0.04f);
    const float nan_or_zero = 0.0f * (r + g + b);
    const float peak = select(rg_high < b, b, rg_high) - offset + nan_or_zero;
    r -= offset, g -= offset, b -= offset;
    // With q = p - s + d, n = (q - d^2) / q and the denominator of the whiteness is h / q: over the
    // common denominator p h, and for white's share p q h,
    //   c n / p / (h / q) + n (1 - q / h)  =  (q - d^2) (c q + p (h - q)) / (p q h).
    const float q = peak - (start - d);
    const float n = q - d * d;
    const float more = fade * fma(peak, q, -n);  // h - q
    const float scale = select(peak < start, 1.0f, n * reciprocal_short(peak * q * (q + more)));
    const float factor = select(peak < start, 1.0f, q);
    const float white = select(peak < start, 0.0f, peak * more);
    r = fma(r, factor, white) * scale;
    g = fma(g, factor, white) * scale;
    b = fma(b, factor, white) * scale;
  }
};

namespace detail {

/// Light multiplied by a factor, then a curve.
template <class Curve>
CUIMG_HD inline void tone(const Curve& curve, float exposure, float& r, float& g, float& b) {
  r = limited(r * exposure, Curve::darkest, blinding);
  g = limited(g * exposure, Curve::darkest, blinding);
  b = limited(b * exposure, Curve::darkest, blinding);
  const float sum = r + g + b;
  const bool are_numbers = sum == sum;
  curve(r, g, b);
  r = shown(r, are_numbers), g = shown(g, are_numbers), b = shown(b, are_numbers);
}

}  // namespace detail

/// Applies a curve to R, G and B.
template <class Curve>
struct ToneMap {
  float exposure = 1.0f;
  Curve curve;

  CUIMG_HD void operator()(float* v, PixelShape&) const {
    detail::tone(curve, exposure, v[0], v[1], v[2]);
  }
};

/// Applies a curve to single values, as greys.
template <class Curve>
struct GreyToneMap {
  std::uint8_t channels = 0;
  float exposure = 1.0f;
  Curve curve;

  CUIMG_HD float value(float x) const {
    float r = x, g = x, b = x;
    detail::tone(curve, exposure, r, g, b);
    return g;
  }
};

}  // namespace cuimg
