// SPDX-License-Identifier: Apache-2.0
// The destination of kernels that compute with floats and store pixels in a stored form: like
// PixelTarget, with a conversion at each store. Forms are selected as in stored_rows.cuh.
#pragma once

#include <type_traits>

#include "device/cuda/cuda_rows.cuh"
#include "kernels/texture/target.h"
#include "stages/pass/stored_rows.cuh"

namespace cuimg {

/// The destination of a kernel's pixels in a stored form. x and y are absolute.
/// @tparam kind any kind except `any` has four channels, in rows.
template <int N, FormKind kind = FormKind::any>
struct FormTarget {
  using Memory = std::conditional_t<kind == FormKind::any, AnyMemory, RowMemory>;
  /// A stored texel, if the kind determines it.
  using Word = std::conditional_t<kind == FormKind::srgb8, std::uint32_t, uint2>;
  /// The result of encode_all() for a pixel.
  using Encoded = std::conditional_t<kind == FormKind::any, Pixel<N>, Word>;

  Memory memory;
  int left, top;
  int width, height;
  int form_bytes;
  TexelForm form;
  const std::uint32_t* codes8;  ///< TexelForm's, or a block's copy.

  static Memory memory_of(const AnyMemory& memory) {
    if constexpr (kind == FormKind::any)
      return memory;
    else
      return memory.rows;
  }
  __device__ int texel_bytes() const {
    return kind == FormKind::any ? form_bytes : static_cast<int>(sizeof(Word));
  }
  /// A position from which pixels of the same row are stored.
  struct Place {
    const FormTarget& target;
    int byte, row;
    __device__ void store_streaming(int dx, const Encoded& encoded) const {
      target.store_at(byte + dx * target.texel_bytes(), row, encoded);
    }
  };
  __device__ Place place(int x, int y) const {
    return {*this, (x - left) * texel_bytes(), y - top};
  }
  __device__ void store(int x, int y, const Pixel<N>& pixel) const { store_streaming(x, y, pixel); }
  __device__ void store_streaming(int x, int y, const Pixel<N>& pixel) const {
    Pixel<N> pixels[1] = {pixel};
    Encoded texels[1];
    encode_all(pixels, texels);
    place(x, y).store_streaming(0, texels[0]);
  }
  __device__ bool contains(int x, int y) const {
    return x >= left && x < left + width && y >= top && y < top + height;
  }
  __device__ void store_pair(int x, int y, const Pixel<N>& upper, const Pixel<N>& lower, int right,
                             int bottom) const {
    Pixel<N> pixels[2] = {upper, lower};
    store_column(x, y, pixels, right, bottom);
  }
  /// Like PixelTarget's store_pair(), for an even number of rows. They are encoded together, by
  /// code that exists once, since conversions are long.
  template <int count>
  __device__ void store_column(int x, int y, Pixel<N> (&pixels)[count], int right,
                               int bottom) const {
    static_assert(count % 2 == 0);
    Encoded texels[count];
    encode_all(pixels, texels);
    int columns[count], rows[count];
#pragma unroll
    for (int i = 0; i < count; ++i) columns[i] = x, rows[i] = y + i;
    if (memory.is_array()) {
#pragma unroll
      for (int pair = 0; pair < count; pair += 2) {
        int i = pair;
        detail::store_as_squares(texels[pair], texels[pair + 1],
                                 [&](int dx, int dy, const Encoded& texel) {
                                   columns[i] = x + dx, rows[i] = y + pair + dy;
                                   texels[i++] = texel;
                                 });
      }
    }
#pragma unroll
    for (int i = 0; i < count; ++i)
      if (columns[i] < right && rows[i] < bottom)
        place(columns[i], rows[i]).store_streaming(0, texels[i]);
  }

  /// The texels as which pixels are stored; for kind `any` the stores encode.
  /// @tparam plain as in divide_within_one().
  template <bool plain = false, int count>
  __device__ void encode_all(Pixel<N> (&pixels)[count], Encoded (&texels)[count]) const {
    if constexpr (kind == FormKind::any) {
#pragma unroll
      for (int i = 0; i < count; ++i) texels[i] = pixels[i];
    } else if constexpr (kind == FormKind::half) {
      detail::all_halves(pixels, texels);
    } else {
      if (form.is_straight)
        detail::divide_within_one<plain>(pixels);
      else if (!plain)
        detail::all_within_one(pixels);
      encode_straight(pixels, texels);
    }
  }

 private:
  template <int count>
  __device__ void encode_straight(const Pixel<N> (&pixels)[count], Word (&texels)[count]) const {
    if constexpr (kind == FormKind::srgb8) {
#pragma unroll
      for (int i = 0; i < count; ++i) {
        std::uint32_t colors[3];
#pragma unroll
        for (int c = 0; c < 3; ++c) colors[c] = detail::srgb8_sum_within(codes8, pixels[i].v[c]);
        texels[i] = detail::four_bytes<true>(colors, detail::unorm8_sum_within(pixels[i].v[3]));
      }
    } else {
      float light[3 * count];
      std::uint32_t sums[3 * count];
#pragma unroll
      for (int i = 0; i < 3 * count; ++i) light[i] = pixels[i / 3].v[i % 3];
      detail::srgb16_sums_within(*form.short16, form.tables.srgb16->thresholds, light, sums);
#pragma unroll
      for (int i = 0; i < count; ++i)
        texels[i] = {
            detail::two_halves(sums[3 * i], sums[3 * i + 1]),
            detail::two_halves(sums[3 * i + 2], detail::unorm16_sum_within(pixels[i].v[3]))};
    }
  }
  __device__ std::uint32_t srgb16(float v) const {
    return linear_to_srgb16(*form.short16, form.tables.srgb16->thresholds, v);
  }
  __device__ void store_at(int byte, int row, const Encoded& encoded) const {
    if constexpr (kind != FormKind::any) {
      memory.store_streaming(byte, row, encoded);
    } else {
      switch (form.type) {
        case PixelType::u8:
          return store_as<std::uint8_t>(byte, row, encoded);
        case PixelType::u16:
          return store_as<std::uint16_t>(byte, row, encoded);
        case PixelType::half:
          return store_as<Half>(byte, row, encoded);
        default:
          return store_as<float>(byte, row, encoded);
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

/// Makes the type of a target a constant: code for other types then disappears.
template <PixelType type, int N>
__device__ inline void know_type(FormTarget<N>& target) {
  target.form.type = type;
  target.form_bytes = N * static_cast<int>(bytes_of(type));
}

/// @name Several pixels for a target: encoded together, then each stored separately. @{
template <class Target>
struct EncodedFor;
template <int N, class Memory>
struct EncodedFor<PixelTarget<N, Memory>> {
  using type = Pixel<N>;
};
template <int N, FormKind kind>
struct EncodedFor<FormTarget<N, kind>> {
  using type = typename FormTarget<N, kind>::Encoded;
};
template <bool plain = false, int N, class Memory, int count>
__device__ inline void encode_all(const PixelTarget<N, Memory>&, const Pixel<N> (&pixels)[count],
                                  Pixel<N> (&texels)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) texels[i] = pixels[i];
}
template <bool plain = false, int N, FormKind kind, int count>
__device__ inline void encode_all(const FormTarget<N, kind>& target, Pixel<N> (&pixels)[count],
                                  typename FormTarget<N, kind>::Encoded (&texels)[count]) {
  target.template encode_all<plain>(pixels, texels);
}
template <int N, class Memory>
__device__ inline void store_encoded(const PixelTarget<N, Memory>& target, int x, int y,
                                     const Pixel<N>& texel) {
  target.store_streaming(x, y, texel);
}
template <int N, FormKind kind>
__device__ inline void store_encoded(const FormTarget<N, kind>& target, int x, int y,
                                     const typename FormTarget<N, kind>::Encoded& texel) {
  target.place(x, y).store_streaming(0, texel);
}
/// @}

/// Prepares a target for a block that stores many pixels: copies the codes of light, for 8 bits in
/// sRGB, to shared memory. Like ready_loads().
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
