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

/// CIE Lab of linear sRGB, white being D65.
CUIMG_HD inline Lab lab_of(flip::Triple rgb) {
  const flip::Triple xyz = flip::relative_xyz(rgb);
  const float x = flip::lab_curve(xyz.a), y = flip::lab_curve(xyz.b), z = flip::lab_curve(xyz.c);
  return {116.0f * y - 16.0f, 500.0f * (x - y), 200.0f * (y - z)};
}

namespace detail {

/// x^7, as sqrt(x^7 / (x^7 + 25^7)) wants it; 0 of what is too small to count there.
CUIMG_HD inline float chroma_weight(float chroma) {
  const float ratio = chroma * 0.04f;
  const float cube = ratio * ratio * ratio;
  const float seventh = cube * cube * ratio;
  return sqrt(seventh / (seventh + 1.0f));
}

/// e^-x for x from 0 on.
CUIMG_HD inline float exp_of_minus(float x) { return exp2_to_one(-1.44269504f * x); }

}  // namespace detail

/// CIEDE2000 (CIE 142-2001), as G. Sharma, W. Wu and E. Dalal write it out (2005); all parametric
/// factors are 1.
CUIMG_HD inline float delta_e_2000(Lab p, Lab q) {
  const float mean_chroma = 0.5f * (sqrt(p.a * p.a + p.b * p.b) + sqrt(q.a * q.a + q.b * q.b));
  const float stretch = 1.0f + 0.5f * (1.0f - detail::chroma_weight(mean_chroma));
  const float pa = p.a * stretch, qa = q.a * stretch;
  const float pc = sqrt(pa * pa + p.b * p.b), qc = sqrt(qa * qa + q.b * q.b);
  const bool grey = pc * qc == 0.0f;
  const std::uint32_t ph = turns_of(p.b, pa), qh = turns_of(q.b, qa);

  // Half the hue's difference, the short way round: 2^32 is a turn, so a difference of up to half a
  // turn either way is what the bits are as a signed integer. Exactly half a turn is positive where
  // the second hue is the larger.
  const auto turn = static_cast<std::int32_t>(qh - ph);
  const bool opposite = turn == INT32_MIN;
  const std::int32_t half_of_opposite = select(qh > ph, 0x40000000, -0x40000000);
  const auto half_turn = static_cast<std::uint32_t>(select(opposite, half_of_opposite, turn >> 1));
  const float dh = select(grey, 0.0f, 2.0f * sqrt(pc * qc) * sine_of_turns(half_turn));
  const float dl = q.l - p.l, dc = qc - pc;

  // The mean hue, on the side of the short way; with a grey it is the other's hue.
  const std::uint32_t between = select(opposite, (ph >> 1) + (qh >> 1), ph + half_turn);
  const std::uint32_t mean_hue = select(grey, ph + qh, between);
  const float mean_l = 0.5f * (p.l + q.l), mean_c = 0.5f * (pc + qc);

  constexpr double degree = 4294967296.0 / 360;
  constexpr auto degrees_6 = static_cast<std::uint32_t>(6 * degree);
  constexpr auto degrees_30 = static_cast<std::uint32_t>(30 * degree);
  constexpr auto degrees_63 = static_cast<std::uint32_t>(63 * degree);
  const float t = 1.0f - 0.17f * cosine_of_turns(mean_hue - degrees_30) +
                  0.24f * cosine_of_turns(2u * mean_hue) +
                  0.32f * cosine_of_turns(3u * mean_hue + degrees_6) -
                  0.20f * cosine_of_turns(4u * mean_hue - degrees_63);
  const float from_blue = (static_cast<float>(static_cast<std::int32_t>(mean_hue >> 1)) *
                               static_cast<float>(2 / degree) -
                           275.0f) *
                          0.04f;
  const auto turned = static_cast<std::uint32_t>(
      trunc_to_int(static_cast<float>(60 * degree) * detail::exp_of_minus(from_blue * from_blue)));
  const float twist = 2.0f * detail::chroma_weight(mean_c) * sine_of_turns(turned);
  const float from_grey = (mean_l - 50.0f) * (mean_l - 50.0f);
  const float sl = 1.0f + 0.015f * from_grey / sqrt(20.0f + from_grey);
  const float sc = 1.0f + 0.045f * mean_c;
  const float sh = 1.0f + 0.015f * mean_c * t;
  const float l = dl / sl, c = dc / sc, h = dh / sh;
  const float square = l * l + c * c + h * h - twist * c * h;
  return sqrt(select(square > 0.0f, square, 0.0f));
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

/// HyAB in OKLab, white to black being 1.
CUIMG_HD inline float oklab_difference(Lab p, Lab q) {
  return flip::hyab({p.l, p.a, p.b}, {q.l, q.a, q.b});
}

/// @name Differences of two colours of linear light, for loops over pictures. A loop is sooner done
/// in two steps, colours first. @{
struct DeltaE2000 {
  CUIMG_HD static Lab color(flip::Triple rgb) { return lab_of(rgb); }
  CUIMG_HD static float between(Lab p, Lab q) { return delta_e_2000(p, q); }
  CUIMG_HD float operator()(flip::Triple a, flip::Triple b) const {
    return between(color(a), color(b));
  }
};
struct OklabHyab {
  CUIMG_HD static Lab color(flip::Triple rgb) { return oklab_of(rgb); }
  CUIMG_HD static float between(Lab p, Lab q) { return oklab_difference(p, q); }
  CUIMG_HD float operator()(flip::Triple a, flip::Triple b) const {
    return between(color(a), color(b));
  }
};
/// @}

}  // namespace cuimg
