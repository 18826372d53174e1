// SPDX-License-Identifier: Apache-2.0
// Textures: texel formats, views of texels in memory, and how a sampler reads them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/math/half.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// The texel that is read for an index beyond the edge. Without normalised coordinates wrap and
/// mirror mean clamp, as in the CUDA programming guide.
enum class Address : std::uint8_t { wrap, clamp, mirror, border };

enum class Filter : std::uint8_t { point, linear };

struct Sampler {
  Address address[3] = {Address::clamp, Address::clamp, Address::clamp};
  Filter filter = Filter::linear;
  /// Whether coordinates cover [0, 1] instead of [0, size].
  bool normalized = false;
  /// The colour outside, in the values that a read returns; it is first stored in the texture's
  /// format.
  float border[4] = {0, 0, 0, 0};
};

/// An 8-bit texel read through the sRGB curve; a fourth channel is alpha and stays linear.
struct Srgb8 {
  std::uint8_t code;
};

/// The channel types below by name, for a format that is chosen at run time.
enum class TexelType : std::uint8_t { u8, u16, s8, s16, half, f32, srgb8 };

/// N channels as stored in memory. Channel types: std::uint8_t, std::uint16_t, std::int8_t,
/// std::int16_t (read as fractions of their largest value), Half, float and Srgb8.
template <class T, int N>
struct Texel {
  T v[N];
};

/// A row of texels.
template <class T, int N>
struct Texture1D {
  const void* data;
  int width;

  CUIMG_HD Texel<T, N> texel(int x) const { return static_cast<const Texel<T, N>*>(data)[x]; }
};

/// Rows of texels, `pitch_bytes` apart.
template <class T, int N>
struct Texture2D {
  const void* data;
  std::size_t pitch_bytes;
  int width, height;

  CUIMG_HD Texel<T, N> texel(int x, int y) const {
    const char* row = static_cast<const char*>(data) + static_cast<std::size_t>(y) * pitch_bytes;
    return reinterpret_cast<const Texel<T, N>*>(row)[x];
  }
};

/// Slices of rows; a slice is `slice_bytes` after the previous one.
template <class T, int N>
struct Texture3D {
  const void* data;
  std::size_t pitch_bytes, slice_bytes;
  int width, height, depth;

  CUIMG_HD Texel<T, N> texel(int x, int y, int z) const {
    const char* row = static_cast<const char*>(data) + static_cast<std::size_t>(z) * slice_bytes +
                      static_cast<std::size_t>(y) * pitch_bytes;
    return reinterpret_cast<const Texel<T, N>*>(row)[x];
  }
};

/// Levels of one picture, each half the size of the previous one.
template <class T, int N>
struct MipTexture2D {
  const Texture2D<T, N>* levels;
  int level_count;
};

/// Six square faces of the same size: +x, -x, +y, -y, +z, -z.
template <class T, int N>
struct CubeTexture {
  const Texture2D<T, N>* faces;
};

}  // namespace cuimg
