// SPDX-License-Identifier: Apache-2.0
// The card's side of textures: reads through the texture unit, stores through a surface, and rows
// in device memory. The only kernel header that uses CUDA.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include "kernels/math/pixel.h"
#include "kernels/texture/texture.h"
#include "kernels/texture/texture_unit.h"

namespace cuimg {

/// A texel as a card moves it, in one access: 1, 2 or 4 channels, aligned to their size.
/// T is the type of a channel in memory: std::uint8_t, std::uint16_t, Half, float, std::uint32_t.
template <class T, int N>
struct alignas(sizeof(T) * N) PackedTexel {
  static_assert(N == 1 || N == 2 || N == 4, "three channels lie as four on a card");
  T v[N];
};

/// Rows in device memory. x and y are absolute: (left, top) is the first texel.
template <class T, int N>
struct CudaRows {
  char* data;
  std::size_t pitch_bytes;
  int left, top;
  int width, height;

  CUIMG_HD PackedTexel<T, N>* row(int y) const {
    return reinterpret_cast<PackedTexel<T, N>*>(data +
                                                static_cast<std::size_t>(y - top) * pitch_bytes);
  }
  CUIMG_HD PackedTexel<T, N> texel(int x, int y) const { return row(y)[x - left]; }
  CUIMG_HD void store(int x, int y, const PackedTexel<T, N>& value) const {
    row(y)[x - left] = value;
  }
  /// Stores floats unchanged; the caller quantises other types.
  CUIMG_HD void store(int x, int y, const Pixel<N>& value) const {
    static_assert(std::is_same_v<T, float>);
    PackedTexel<T, N> packed;
    for (int c = 0; c < N; ++c) packed.v[c] = value.v[c];
    store(x, y, packed);
  }
};

#if defined(__CUDACC__)

namespace detail {

template <int bytes>
struct Word;
template <>
struct Word<1> {
  using type = unsigned char;
};
template <>
struct Word<2> {
  using type = unsigned short;
};
template <>
struct Word<4> {
  using type = unsigned int;
};
template <>
struct Word<8> {
  using type = uint2;
};
template <>
struct Word<16> {
  using type = uint4;
};

/// The word as which a T is moved.
template <class T>
using WordOf = typename Word<sizeof(T)>::type;

}  // namespace detail

/// A texture object read as floats: u8 and u16 as fractions of their largest value.
template <int N>
struct CudaTexture {
  cudaTextureObject_t object;

  /// @param x, y relative to the frame, in the sampler's kind of coordinates.
  __device__ Pixel<N> operator()(float x, float y) const {
    Pixel<N> pixel;
    if constexpr (N == 1) {
      pixel.v[0] = tex2D<float>(object, x, y);
    } else if constexpr (N == 2) {
      const float2 texel = tex2D<float2>(object, x, y);
      pixel.v[0] = texel.x;
      pixel.v[1] = texel.y;
    } else {
      static_assert(N == 4, "three channels lie as four on a card");
      const float4 texel = tex2D<float4>(object, x, y);
      pixel.v[0] = texel.x;
      pixel.v[1] = texel.y;
      pixel.v[2] = texel.z;
      pixel.v[3] = texel.w;
    }
    return pixel;
  }
  /// A texel by its index; for samplers with point filter and unnormalised coordinates.
  __device__ Pixel<N> texel(int x, int y) const {
    return (*this)(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
  }
};

/// A mipmapped texture object, read between levels; coordinates are normalised.
template <int N>
struct CudaMipTexture {
  cudaTextureObject_t object;

  __device__ Pixel<N> operator()(float x, float y, float level) const {
    Pixel<N> pixel;
    if constexpr (N == 1) {
      pixel.v[0] = tex2DLod<float>(object, x, y, level);
    } else if constexpr (N == 2) {
      const float2 texel = tex2DLod<float2>(object, x, y, level);
      pixel.v[0] = texel.x;
      pixel.v[1] = texel.y;
    } else {
      static_assert(N == 4, "three channels lie as four on a card");
      const float4 texel = tex2DLod<float4>(object, x, y, level);
      pixel.v[0] = texel.x;
      pixel.v[1] = texel.y;
      pixel.v[2] = texel.z;
      pixel.v[3] = texel.w;
    }
    return pixel;
  }
};

/// A 3D texture of four floats, read by texel coordinates.
struct CudaTexture3D {
  cudaTextureObject_t object;

  __device__ Pixel<4> operator()(float x, float y, float z) const {
    const float4 texel = tex3D<float4>(object, x, y, z);
    return {{texel.x, texel.y, texel.z, texel.w}};
  }
};

/// A surface object: raw texels of a CUDA array. x and y are absolute; (left, top) is the first
/// texel. Stores outside the array are dropped, loads there give 0.
template <class T, int N>
struct CudaSurface {
  cudaSurfaceObject_t object;
  int left, top;

  using Word = typename detail::Word<sizeof(T) * N>::type;
  using Packed = PackedTexel<T, N>;

  __device__ PackedTexel<T, N> texel(int x, int y) const {
    const Word word = surf2Dread<Word>(object, (x - left) * static_cast<int>(sizeof(Word)), y - top,
                                       cudaBoundaryModeZero);
    return __builtin_bit_cast(Packed, word);
  }
  __device__ void store(int x, int y, const PackedTexel<T, N>& value) const {
    surf2Dwrite(__builtin_bit_cast(Word, value), object,
                (x - left) * static_cast<int>(sizeof(Word)), y - top, cudaBoundaryModeZero);
  }
  __device__ void store(int x, int y, const Pixel<N>& value) const {
    static_assert(std::is_same_v<T, float>);
    PackedTexel<T, N> packed;
    for (int c = 0; c < N; ++c) packed.v[c] = value.v[c];
    store(x, y, packed);
  }
};

#else
// Host compilers see the names, for signatures.
template <int N>
struct CudaTexture {
  cudaTextureObject_t object;
};
template <class T, int N>
struct CudaSurface {
  cudaSurfaceObject_t object;
  int left, top;
};
#endif

}  // namespace cuimg
