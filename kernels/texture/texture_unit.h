// SPDX-License-Identifier: Apache-2.0
// The texture unit in software: the definition every backend must match, bit for bit. Measured on
// an NVIDIA H200 (sm_90); tests/data/texture_unit holds samples of the card, which
// tests/kernels/texture_replay.cpp compares.
//
// The functions that end in _taps take the texels from a callable, so a card whose filter differs
// can read them by point from its texture objects and weight them with the same arithmetic. Sizes
// are at most 2^22 on an axis.
#pragma once

#include "kernels/math/pixel.h"
#include "kernels/math/platform.h"
#include "kernels/texture/texture.h"
#include "kernels/texture/texture_combine.h"
#include "kernels/texture/texture_coordinates.h"
#include "kernels/texture/texture_cube.h"

namespace cuimg {

/// @returns the border colour as stored in the texture's format.
template <class T, int N>
CUIMG_HD inline Texel<T, N> border_texel(const Sampler& sampler) {
  Texel<T, N> texel;
  for (int c = 0; c < N; ++c) encode_border(sampler.border[c], texel.v[c]);
  return texel;
}

/// @returns the result of a point read of a texel.
template <class T, int N>
CUIMG_HD inline Pixel<N> decode(const Texel<T, N>& texel) {
  Pixel<N> pixel;
  for (int c = 0; c < N; ++c) pixel.v[c] = decoded(texel.v[c], c);
  return pixel;
}

/// Sums weighted texels: `slices` runs of `per_slice`, in the order of their weights (in units of
/// 1/256, with the sum 256).
template <int slices, int per_slice, class T, int N>
CUIMG_HD inline Pixel<N> combine_texels(const Texel<T, N>* texels, const int* weights) {
  Pixel<N> pixel;
  for (int c = 0; c < N; ++c) {
    T channel[slices * per_slice];
    for (int i = 0; i < slices * per_slice; ++i) channel[i] = texels[i].v[c];
    pixel.v[c] = combine<slices>(channel, weights, per_slice, c);
  }
  return pixel;
}

/// Linear reads of texels that `fetch(x)`, `fetch(x, y)` or `fetch(x, y, z)` gives; an index may
/// be `outside`.
template <class T, int N, class Fetch>
CUIMG_HD inline Pixel<N> linear_1d_taps(AxisTaps x, const Fetch& fetch) {
  const Texel<T, N> texels[2] = {fetch(x.near), fetch(x.far)};
  const int weights[2] = {256 - x.fraction, x.fraction};
  return combine_texels<1, 2>(texels, weights);
}

template <class T, int N, class Fetch>
CUIMG_HD inline Pixel<N> linear_2d_taps(AxisTaps x, AxisTaps y, const Fetch& fetch) {
  const Texel<T, N> texels[4] = {fetch(x.near, y.near), fetch(x.far, y.near), fetch(x.near, y.far),
                                 fetch(x.far, y.far)};
  int weights[4];
  detail::slice_weights(x.fraction, y.fraction, 256, weights);
  return combine_texels<1, 4>(texels, weights);
}

template <class T, int N, class Fetch>
CUIMG_HD inline Pixel<N> linear_3d_taps(AxisTaps x, AxisTaps y, AxisTaps z, const Fetch& fetch) {
  const Texel<T, N> texels[8] = {fetch(x.near, y.near, z.near), fetch(x.far, y.near, z.near),
                                 fetch(x.near, y.far, z.near),  fetch(x.far, y.far, z.near),
                                 fetch(x.near, y.near, z.far),  fetch(x.far, y.near, z.far),
                                 fetch(x.near, y.far, z.far),   fetch(x.far, y.far, z.far)};
  int weights[8];
  detail::slice_weights(x.fraction, y.fraction, 256 - z.fraction, weights);
  detail::slice_weights(x.fraction, y.fraction, z.fraction, weights + 4);
  return combine_texels<2, 4>(texels, weights);
}

/// Linear between two levels, each with its own taps; `fetch(level, x, y)` with level 0 the near.
template <class T, int N, class Fetch>
CUIMG_HD inline Pixel<N> linear_level_taps(const LevelTaps (&taps)[2], int fraction,
                                           const Fetch& fetch) {
  Texel<T, N> texels[8];
  int weights[8];
  for (int l = 0; l < 2; ++l) {
    // A far level without a share has no effect, whatever it contains.
    const int level = fraction == 0 ? 0 : l;
    const auto& [x, y] = taps[level];
    texels[4 * l] = fetch(level, x.near, y.near);
    texels[4 * l + 1] = fetch(level, x.far, y.near);
    texels[4 * l + 2] = fetch(level, x.near, y.far);
    texels[4 * l + 3] = fetch(level, x.far, y.far);
    const int share = l == 0 ? 256 - fraction : fraction;
    detail::slice_weights(x.fraction, y.fraction, share, weights + 4 * l);
  }
  return combine_texels<2, 4>(texels, weights);
}

/// Reads a 1D texture at `x`, as tex1D does.
template <class T, int N>
CUIMG_HD inline Pixel<N> sample(const Texture1D<T, N>& texture, const Sampler& sampler, float x) {
  const auto fetch = [&](int i) {
    return i == outside ? border_texel<T, N>(sampler) : texture.texel(i);
  };
  if (sampler.filter == Filter::point)
    return decode(fetch(point_tap(sampler, 0, texture.width, x)));
  return linear_1d_taps<T, N>(linear_taps(sampler, 0, texture.width, x), fetch);
}

/// Reads a 2D texture at (`x`, `y`), as tex2D does.
template <class T, int N>
CUIMG_HD inline Pixel<N> sample(const Texture2D<T, N>& texture, const Sampler& sampler, float x,
                                float y) {
  const auto fetch = [&](int i, int j) {
    return i == outside || j == outside ? border_texel<T, N>(sampler) : texture.texel(i, j);
  };
  const TextureSide across(texture.width, texture.height), down(texture.height, texture.width);
  if (sampler.filter == Filter::point)
    return decode(fetch(point_tap(sampler, 0, across, x), point_tap(sampler, 1, down, y)));
  return linear_2d_taps<T, N>(linear_taps(sampler, 0, across, x), linear_taps(sampler, 1, down, y),
                              fetch);
}

/// Reads a 3D texture at (`x`, `y`, `z`), as tex3D does.
template <class T, int N>
CUIMG_HD inline Pixel<N> sample(const Texture3D<T, N>& texture, const Sampler& sampler, float x,
                                float y, float z) {
  const auto fetch = [&](int i, int j, int k) {
    return i == outside || j == outside || k == outside ? border_texel<T, N>(sampler)
                                                        : texture.texel(i, j, k);
  };
  if (sampler.filter == Filter::point)
    return decode(fetch(point_tap(sampler, 0, texture.width, x),
                        point_tap(sampler, 1, texture.height, y),
                        point_tap(sampler, 2, texture.depth, z)));
  return linear_3d_taps<T, N>(linear_taps(sampler, 0, texture.width, x),
                              linear_taps(sampler, 1, texture.height, y),
                              linear_taps(sampler, 2, texture.depth, z), fetch);
}

/// Reads a chain of levels, as tex2DLod does with linear filtering within and between levels.
/// `level_of_detail` is clamped to the chain; the filter is always linear and coordinates are
/// always normalised: a card supports nothing else for levels.
template <class T, int N>
CUIMG_HD inline Pixel<N> sample_level(const MipTexture2D<T, N>& texture, const Sampler& sampler,
                                      float x, float y, float level_of_detail) {
  const AxisTaps levels = level_taps(level_of_detail, texture.level_count);
  const Texture2D<T, N> views[2] = {texture.levels[levels.near], texture.levels[levels.far]};
  const LevelTaps taps[2] = {level_texel_taps(sampler, views[0].width, views[0].height, x, y),
                             level_texel_taps(sampler, views[1].width, views[1].height, x, y)};
  return linear_level_taps<T, N>(taps, levels.fraction, [&](int level, int i, int j) {
    return i == outside || j == outside ? border_texel<T, N>(sampler) : views[level].texel(i, j);
  });
}

/// Reads a cubemap in the direction (`x`, `y`, `z`), as texCubemap does. Only the sampler's filter
/// matters. @param seamless whether linear reads cross the cube's edges (cudaTextureDesc's
/// seamlessCubemap); else each face is clamped.
template <class T, int N>
CUIMG_HD inline Pixel<N> sample_cube(const CubeTexture<T, N>& texture, const Sampler& sampler,
                                     float x, float y, float z, bool seamless = false) {
  const CubePoint point = cube_point(x, y, z);
  if (seamless && sampler.filter == Filter::linear) {
    const CubeTaps taps = seamless_taps(point, texture.faces[0].width);
    Texel<T, N> texels[4];
    for (int k = 0; k < 4; ++k) {
      const CubeTexel& texel = taps.texels[k];
      texels[k] = texture.faces[texel.face].texel(texel.x, texel.y);
    }
    return combine_texels<1, 4>(texels, taps.weights);
  }
  Sampler face_sampler;
  face_sampler.filter = sampler.filter;
  face_sampler.normalized = true;
  return sample(texture.faces[point.face], face_sampler, point.s, point.t);
}

}  // namespace cuimg
