// SPDX-License-Identifier: Apache-2.0
// Colour differences of one pixel that depend on no neighbours: CIEDE2000, and HyAB in OKLab.
#pragma once

#include "kernels/compare/flip_color.h"
#include "kernels/math/angle32.h"
#include "kernels/math/exp_log.h"
#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// CIE L, a, b; or OKLab's.
struct Lab {
  float l, a, b;
};

/// CIE Lab from flip::lab_curve() of X, Y and Z.
CUIMG_HD inline Lab lab_of_curves(flip::Triple xyz) {
  return {116.0f * xyz.b - 16.0f, 500.0f * (xyz.a - xyz.b), 200.0f * (xyz.b - xyz.c)};
}

/// CIE Lab of linear sRGB with white D65.
CUIMG_HD inline Lab lab_of(flip::Triple rgb) {
  const flip::Triple xyz = flip::relative_xyz(rgb);
  return lab_of_curves({flip::lab_curve(xyz.a), flip::lab_curve(xyz.b), flip::lab_curve(xyz.c)});
}

namespace detail {

/// sqrt(x^7 / (x^7 + 25^7)); 0 for values that are too small to matter.
CUIMG_HD inline float chroma_weight(float chroma) {
  const float ratio = chroma * 0.04f;
  const float cube = ratio * ratio * ratio;
  const float seventh = cube * cube * ratio;
  return sqrt(seventh / (seventh + 1.0f));
}

/// e^-x for x of at least 0.
CUIMG_HD inline float exp_of_minus(float x) { return exp2_to_one(-1.44269504f * x); }

}  // namespace detail

/// CIEDE2000 (CIE 142-2001), as G. Sharma, W. Wu and E. Dalal write it out (2005); all parametric
/// factors are 1. It is divided into short steps: a processor computes one step for many pixels at
/// a time, since the whole is too long a chain for two pixels to overlap.
namespace ciede2000 {

/// 1 + G: the ratio of a' to a.
CUIMG_HD inline float stretch(Lab p, Lab q) {
  const float mean_chroma = 0.5f * (sqrt(p.a * p.a + p.b * p.b) + sqrt(q.a * q.a + q.b * q.b));
  return 1.0f + 0.5f * (1.0f - detail::chroma_weight(mean_chroma));
}
/// C' from a' and b.
CUIMG_HD inline float chroma(float a, float b) { return sqrt(a * a + b * b); }

/// C' and h' of both colours, with hues in units of 2^-32 of a turn.
struct Hues {
  float p_chroma, q_chroma;
  std::uint32_t p, q;
};

/// dH', and the mean of both hues.
struct HueDifference {
  float difference;
  std::uint32_t mean;
};
CUIMG_HD inline HueDifference hue_difference(Hues given) {
  const bool grey = given.p_chroma * given.q_chroma == 0.0f;
  // Half the hue's difference, the short way round: 2^32 is a turn, so as a signed integer the bits
  // are the difference of up to half a turn in either direction. Exactly half a turn is positive if
  // the second hue is larger.
  const auto turn = static_cast<std::int32_t>(given.q - given.p);
  const bool opposite = turn == INT32_MIN;
  const std::int32_t half_of_opposite = select(given.q > given.p, 0x40000000, -0x40000000);
  const auto half_turn = static_cast<std::uint32_t>(select(opposite, half_of_opposite, turn >> 1));
  const float difference = 2.0f * sqrt(given.p_chroma * given.q_chroma) * sine_of_turns(half_turn);
  // The mean is on the shorter way; if one colour is grey it is the other's hue.
  const std::uint32_t between =
      select(opposite, (given.p >> 1) + (given.q >> 1), given.p + half_turn);
  return {select(grey, 0.0f, difference), select(grey, given.p + given.q, between)};
}

inline constexpr double degree = 4294967296.0 / 360;

/// T, for the mean hue.
CUIMG_HD inline float hue_weight(std::uint32_t hue) {
  constexpr auto degrees_6 = static_cast<std::uint32_t>(6 * degree);
  constexpr auto degrees_30 = static_cast<std::uint32_t>(30 * degree);
  constexpr auto degrees_63 = static_cast<std::uint32_t>(63 * degree);
  return 1.0f - 0.17f * cosine_of_turns(hue - degrees_30) + 0.24f * cosine_of_turns(2u * hue) +
         0.32f * cosine_of_turns(3u * hue + degrees_6) -
         0.20f * cosine_of_turns(4u * hue - degrees_63);
}

/// 2 dTheta, for the mean hue.
CUIMG_HD inline std::uint32_t rotation(std::uint32_t hue) {
  const float from_blue =
      (static_cast<float>(static_cast<std::int32_t>(hue >> 1)) * static_cast<float>(2 / degree) -
       275.0f) *
      0.04f;
  return static_cast<std::uint32_t>(
      trunc_to_int(static_cast<float>(60 * degree) * detail::exp_of_minus(from_blue * from_blue)));
}
/// -R_T, for the mean chroma.
CUIMG_HD inline float twist(std::uint32_t turned, float chroma) {
  return 2.0f * detail::chroma_weight(chroma) * sine_of_turns(turned);
}

/// @param hue dH'.
CUIMG_HD inline float sum(float p_light, float q_light, float p_chroma, float q_chroma, float hue,
                          float weight, float turned) {
  const float mean_l = 0.5f * (p_light + q_light), mean_c = 0.5f * (p_chroma + q_chroma);
  const float from_grey = (mean_l - 50.0f) * (mean_l - 50.0f);
  const float sl = 1.0f + 0.015f * from_grey / sqrt(20.0f + from_grey);
  const float sc = 1.0f + 0.045f * mean_c;
  const float sh = 1.0f + 0.015f * mean_c * weight;
  const float l = (q_light - p_light) / sl, c = (q_chroma - p_chroma) / sc, h = hue / sh;
  const float square = l * l + c * c + h * h - turned * c * h;
  return sqrt(select(square > 0.0f, square, 0.0f));
}

}  // namespace ciede2000

CUIMG_HD inline float delta_e_2000(Lab p, Lab q) {
  const float stretch = ciede2000::stretch(p, q), pa = p.a * stretch, qa = q.a * stretch;
  const float pc = ciede2000::chroma(pa, p.b), qc = ciede2000::chroma(qa, q.b);
  const ciede2000::HueDifference hue =
      ciede2000::hue_difference({pc, qc, turns_of(p.b, pa), turns_of(q.b, qa)});
  const float twist = ciede2000::twist(ciede2000::rotation(hue.mean), 0.5f * (pc + qc));
  return ciede2000::sum(p.l, q.l, pc, qc, hue.difference, ciede2000::hue_weight(hue.mean), twist);
}

/// OKLab of linear sRGB (B. Ottosson, 2020).
CUIMG_HD inline Lab oklab_of(flip::Triple rgb) {
  constexpr LogFactor third = log_factor(1.0 / 3);
  const float l =
      root_power(0.4122214708f * rgb.a + 0.5363325363f * rgb.b + 0.0514459929f * rgb.c, third);
  const float m =
      root_power(0.2119034982f * rgb.a + 0.6806995451f * rgb.b + 0.1073969566f * rgb.c, third);
  const float s =
      root_power(0.0883024619f * rgb.a + 0.2817188376f * rgb.b + 0.6299787005f * rgb.c, third);
  return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
          1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
          0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

/// HyAB in OKLab, scaled so that white to black is 1.
CUIMG_HD inline float oklab_difference(Lab p, Lab q) {
  return flip::hyab({p.l, p.a, p.b}, {q.l, q.a, q.b});
}

/// @name Differences of two colours of linear light, for loops over pictures. @{
struct DeltaE2000 {
  CUIMG_HD float operator()(flip::Triple a, flip::Triple b) const {
    return delta_e_2000(lab_of(a), lab_of(b));
  }
};
struct OklabHyab {
  CUIMG_HD float operator()(flip::Triple a, flip::Triple b) const {
    return oklab_difference(oklab_of(a), oklab_of(b));
  }
};
/// @}

}  // namespace cuimg
