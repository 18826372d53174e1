// SPDX-License-Identifier: Apache-2.0
// Where kernels that compute with floats store pixels of a stored form: what PixelTarget is, with a
// conversion at each store. Forms are chosen as in stored_rows.cuh.
#pragma once

#include <type_traits>

#include "device/cuda/cuda_rows.cuh"
#include "kernels/texture/target.h"
#include "stages/pass/stored_rows.cuh"

namespace cuimg {

/// Where a kernel stores pixels in a stored form, in rows or an array. x and y are absolute.
/// @tparam kind other than `any`: of four channels.
template <int N, FormKind kind = FormKind::any>
struct FormTarget {
  /// A texel as it is stored, where the kind says so.
  using Word = std::conditional_t<kind == FormKind::srgb8, std::uint32_t, uint2>;

  AnyMemory memory;
  int left, top;
  int width, height;
  int form_bytes;
  TexelForm form;
  const std::uint32_t* codes8;  ///< TexelForm's, or a block's copy.

  __device__ int texel_bytes() const {
    return kind == FormKind::any ? form_bytes : static_cast<int>(sizeof(Word));
  }
  /// A place from which pixels of the same row are stored.
  struct Place {
    const FormTarget& target;
    int byte, row;
    __device__ void store_streaming(int dx, const Pixel<N>& pixel) const {
      target.store_at(byte + dx * target.texel_bytes(), row, pixel);
    }
  };
  __device__ Place place(int x, int y) const {
    return {*this, (x - left) * texel_bytes(), y - top};
  }
  __device__ void store(int x, int y, const Pixel<N>& pixel) const { store_streaming(x, y, pixel); }
  __device__ void store_streaming(int x, int y, const Pixel<N>& pixel) const {
    place(x, y).store_streaming(0, pixel);
  }
  __device__ bool contains(int x, int y) const {
    return x >= left && x < left + width && y >= top && y < top + height;
  }
  __device__ void store_pair(int x, int y, const Pixel<N>& upper, const Pixel<N>& lower, int right,
                             int bottom) const {
    // As PixelTarget's, but for conversions, which are long, once in the code.
    int columns[2] = {x, x}, rows[2] = {y, y + 1};
    Pixel<N> pixels[2] = {upper, lower};
    if (memory.is_array()) {
      int i = 0;
      detail::store_as_squares(upper, lower, [&](int dx, int dy, const Pixel<N>& pixel) {
        columns[i] = x + dx, rows[i] = y + dy, pixels[i] = pixel;
        ++i;
      });
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
      if (columns[i] < right && rows[i] < bottom) store_streaming(columns[i], rows[i], pixels[i]);
  }

  /// The texel that a pixel is stored as.
  __device__ Word encoded(Pixel<N> pixel) const {
    static_assert(kind != FormKind::any);
    if constexpr (kind == FormKind::half) {
      return detail::four_halves(pixel.v);
    } else {
      if (form.is_straight) detail::divide_for_integers(pixel.v);
      std::uint32_t colors[3];
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        if constexpr (kind == FormKind::srgb8)
          colors[c] = detail::srgb8_sum(codes8, pixel.v[c]);
        else
          colors[c] = srgb16(pixel.v[c]);
      }
      if constexpr (kind == FormKind::srgb8)
        return detail::four_bytes<true>(colors, detail::unorm8_sum(pixel.v[3]));
      else
        return {colors[0] | colors[1] << 16, colors[2] | float_to_unorm16(pixel.v[3]) << 16u};
    }
  }

 private:
  __device__ std::uint32_t srgb16(float v) const {
    return linear_to_srgb16(*form.short16, form.tables.srgb16->thresholds, v);
  }
  __device__ void store_at(int byte, int row, const Pixel<N>& pixel) const {
    if constexpr (kind != FormKind::any) {
      memory.store_streaming(byte, row, encoded(pixel));
    } else {
      switch (form.type) {
        case PixelType::u8:
          return store_as<std::uint8_t>(byte, row, pixel);
        case PixelType::u16:
          return store_as<std::uint16_t>(byte, row, pixel);
        case PixelType::half:
          return store_as<Half>(byte, row, pixel);
        default:
          return store_as<float>(byte, row, pixel);
      }
    }
  }
  template <class Stored>
  __device__ void store_as(int byte, int row, Pixel<N> pixel) const {
    if constexpr (std::is_integral_v<Stored>)
      if (form.is_straight) detail::divide_for_integers(pixel.v);
    PackedTexel<Stored, N> texel;
#pragma unroll
    for (int c = 0; c < N; ++c)
      encode(pixel.v[c], form.is_srgb && !(form.has_alpha && c == N - 1), texel.v[c]);
    memory.store_streaming(byte, row, texel);
  }
  template <class Stored>
  __device__ void encode(float v, bool curved, Stored& stored) const {
    if constexpr (std::is_same_v<Stored, std::uint8_t>)
      if (curved) {
        stored = static_cast<std::uint8_t>(detail::srgb8_sum(codes8, v) >> 16);
        return;
      }
    if constexpr (std::is_same_v<Stored, std::uint16_t>)
      if (curved) {
        stored = static_cast<std::uint16_t>(srgb16(v));
        return;
      }
    float_to_stored(v, stored);
  }
};

/// Readies a target for a block that stores many pixels: the codes of light, for 8 bits in sRGB, in
/// shared memory. As ready_loads().
template <int N, class Memory>
__device__ inline void ready_stores(PixelTarget<N, Memory>&, std::uint32_t*, int, int) {}
template <int N, FormKind kind>
__device__ inline void ready_stores(FormTarget<N, kind>& target, std::uint32_t* shared, int thread,
                                    int threads) {
  const std::uint32_t* const codes = target.codes8;
  target.codes8 = shared;
  if constexpr (has_codes8(kind)) {
    if (target.form.type != PixelType::u8 || !target.form.is_srgb) return;
    for (int i = thread; i < static_cast<int>(Srgb8Tables::buckets); i += threads)
      shared[i] = __ldg(codes + i);
  }
}
template <class Target>
constexpr int shared_for_stores = 1;
template <int N, FormKind kind>
constexpr int shared_for_stores<FormTarget<N, kind>> = kind == FormKind::any ||
                                                               kind == FormKind::srgb8
                                                           ? static_cast<int>(Srgb8Tables::buckets)
                                                           : 1;

}  // namespace cuimg
