// SPDX-License-Identifier: Apache-2.0
// Rows of a stored form, for kernels that compute with floats: like CudaRows<float>, with a
// conversion at each load. Four channels in the usual forms have separate kernels; for the rest the
// form is selected at run time, the same for all threads.
#pragma once

#include <type_traits>

#include "device/cuda/cuda_rows.cuh"
#include "kernels/math/pixel.h"
#include "stages/pass/stored_form.h"
#include "stages/pass/stored_texels.cuh"

namespace cuimg {

/// Floats that a block keeps in shared memory for its loads: the light of 8-bit codes.
inline constexpr int light_of_codes = 256;

/// Whether texels may be 8 bits in sRGB, whose tables a block keeps.
constexpr bool has_codes8(FormKind kind) {
  return kind == FormKind::any || kind == FormKind::srgb8;
}
/// 32-bit words of registers for a texel.
constexpr int words_of_texel(FormKind kind, int channels) {
  if (kind == FormKind::any) return channels;
  return kind == FormKind::srgb8 ? 1 : 2;
}

/// Rows of a stored form. x and y are absolute: (left, top) is the first texel.
/// @tparam kind any kind except `any` has four channels.
template <int N, FormKind kind = FormKind::any>
struct FormRows {
  using Raw = RawTexel<words_of_texel(kind, N)>;

  const char* data;
  std::size_t pitch_bytes;
  int left, top;
  int width, height;
  int form_bytes;  ///< Bytes of a texel: N, 2 N or 4 N.
  TexelForm form;
  const float* light8;  ///< The light of 8-bit codes in sRGB.

  __device__ int texel_bytes() const {
    return kind == FormKind::any ? form_bytes : static_cast<int>(sizeof(Raw));
  }
  __device__ const char* texel(int x, int y) const {
    return data + static_cast<std::size_t>(y - top) * pitch_bytes +
           static_cast<std::ptrdiff_t>(x - left) * texel_bytes();
  }
  /// A texel as stored. Kernels issue this load early and decode it once it has arrived.
  __device__ Raw fetch(int x, int y) const { return fetch(texel(x, y)); }
  __device__ Raw fetch(const char* from) const {
    if (kind != FormKind::any || form_bytes == 4 * N) return word_at<Raw>(from);
    Raw raw = {};
    if (form_bytes == N) {
      raw.word[0] = word_at<detail::WordOf<PackedTexel<std::uint8_t, N>>>(from);
    } else if constexpr (N == 4) {
      const auto two = word_at<uint2>(from);
      raw.word[0] = two.x, raw.word[1] = two.y;
    } else {
      raw.word[0] = word_at<detail::WordOf<PackedTexel<Half, N>>>(from);
    }
    return raw;
  }
  /// The light of texels, each decoded by the same steps as in a pass.
  template <int count>
  __device__ void decode(const Raw (&raw)[count], Pixel<N> (&pixels)[count]) const {
    if constexpr (kind == FormKind::any) {
      switch (form.type) {
        case PixelType::u8:
          return decode_as<std::uint8_t>(raw, pixels);
        case PixelType::u16:
          return decode_as<std::uint16_t>(raw, pixels);
        case PixelType::half:
          return decode_halves(raw, pixels);
        default:
          return decode_as<float>(raw, pixels);
      }
    } else if constexpr (kind == FormKind::half) {
      decode_halves(raw, pixels);
    } else {
      decode_srgb(raw, pixels);
    }
  }

 private:
  template <class Word>
  __device__ static Word word_at(const char* from) {
    return __builtin_bit_cast(Word, __ldg(reinterpret_cast<const detail::WordOf<Word>*>(from)));
  }
  // With three channels the fourth value is never used.
  template <int count>
  __device__ void decode_srgb(const Raw (&raw)[count], Pixel<N> (&pixels)[count]) const {
    using Stored = std::conditional_t<kind == FormKind::srgb8, std::uint8_t, std::uint16_t>;
    constexpr int most = kind == FormKind::srgb8 ? 255 : 65535;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const PackedTexel<Stored, N> texel = detail::packed_texel<Stored, N>(raw[i]);
#pragma unroll
      for (int c = 0; c < N - 1; ++c) pixels[i].v[c] = light(texel.v[c]);
      pixels[i].v[N - 1] = detail::code_to_float<most>(texel.v[N - 1]);
      const float by = float_from_bits((bits_of(pixels[i].v[N - 1]) & form.straight_mask) |
                                       (bits_of(1.0f) & ~form.straight_mask));
#pragma unroll
      for (int c = 0; c < N - 1; ++c) pixels[i].v[c] *= by;
    }
  }
  template <class Stored, int count>
  __device__ void decode_as(const Raw (&raw)[count], Pixel<N> (&pixels)[count]) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const PackedTexel<Stored, N> texel = detail::packed_texel<Stored, N>(raw[i]);
#pragma unroll
      for (int c = 0; c < N; ++c) pixels[i].v[c] = value(texel.v[c], form.has_alpha && c == N - 1);
    }
    if constexpr (std::is_integral_v<Stored>)
      if (form.is_straight) premultiply_products(pixels);
  }
  // Products of decoded integers are never NaN.
  template <int count>
  __device__ static void premultiply_products(Pixel<N> (&pixels)[count]) {
#pragma unroll
    for (int i = 0; i < count; ++i)
#pragma unroll
      for (int c = 0; c < N - 1; ++c) pixels[i].v[c] *= pixels[i].v[N - 1];
  }
  // NaN is detected for all of them together. If the target also has halves, any NaN is sufficient:
  // only one is ever stored.
  template <int count>
  __device__ static void decode_halves(const Raw (&raw)[count], Pixel<N> (&pixels)[count]) {
    constexpr int second = N == 4 ? 1 : 0;
    bool special = false;
#pragma unroll
    for (int i = 0; i < count && kind == FormKind::any; ++i)
      special |= detail::hold_nan(raw[i].word[0], raw[i].word[second]);
#pragma unroll
    for (int i = 0; i < count; ++i)
#pragma unroll
      for (int c = 0; c < N; ++c) {
        const Half half = detail::half_of(raw[i].word[c < 2 ? 0 : second], c & 1);
        pixels[i].v[c] = detail::number_of(half);
      }
    if (!special) return;
#pragma unroll
    for (int i = 0; i < count; ++i)
#pragma unroll
      for (int c = 0; c < N; ++c)
        pixels[i].v[c] = half_to_float(detail::half_of(raw[i].word[c < 2 ? 0 : second], c & 1));
  }
  __device__ float light(std::uint8_t code) const { return light8[code]; }
  __device__ float light(std::uint16_t code) const { return srgb16_to_linear(*form.short16, code); }
  __device__ float value(std::uint8_t code, bool is_alpha) const {
    return form.is_srgb && !is_alpha ? light(code) : detail::code_to_float<255>(code);
  }
  __device__ float value(std::uint16_t code, bool is_alpha) const {
    return form.is_srgb && !is_alpha ? light(code) : detail::code_to_float<65535>(code);
  }
  __device__ static float value(float v, bool) { return v; }
};

/// @name The same for CudaRows<float> and FormRows. @{

/// Prepares the rows for a block's loads; all its threads call it before the first load, and
/// synchronise after it. @param shared room for light_of_codes floats.
template <int N>
__device__ inline void ready_loads(CudaRows<float, N>&, float*, int, int) {}
template <int N, FormKind kind>
__device__ inline void ready_loads(FormRows<N, kind>& rows, float* shared, int thread,
                                   int threads) {
  // Set even if it is not filled, so that the compiler knows the kind of memory.
  rows.light8 = shared;
  if constexpr (has_codes8(kind)) {
    if (rows.form.type != PixelType::u8 || !rows.form.is_srgb) return;
    for (int i = thread; i < light_of_codes; i += threads)
      shared[i] = __ldg(rows.form.tables.srgb8->decode + i);
  }
}
/// The floats of shared memory that ready_loads() needs.
template <class Rows>
constexpr int shared_for_loads = 1;
template <int N, FormKind kind>
constexpr int shared_for_loads<FormRows<N, kind>> = has_codes8(kind) ? light_of_codes : 1;
/// Whether the rows are decoded, which is faster for several texels at a time.
template <class Rows>
constexpr bool is_decoded = false;
template <int N, FormKind kind>
constexpr bool is_decoded<FormRows<N, kind>> = true;

/// Whether texels have a known kind: then the target has it too, and only one NaN.
template <class Rows>
constexpr bool is_of_kind = false;
template <int N, FormKind kind>
constexpr bool is_of_kind<FormRows<N, kind>> = kind != FormKind::any;

/// A stored texel that is being loaded while others are processed; and its light.
template <int N>
__device__ inline Pixel<N> fetch(const CudaRows<float, N>& rows, int x, int y) {
  return load(rows, x, y);
}
template <int N, FormKind kind>
__device__ inline auto fetch(const FormRows<N, kind>& rows, int x, int y) {
  return rows.fetch(x, y);
}
template <class Rows>
struct TexelsOf;
template <int N>
struct TexelsOf<CudaRows<float, N>> {
  using type = Pixel<N>;
  static constexpr int channels = N;
};
template <int N, FormKind kind>
struct TexelsOf<FormRows<N, kind>> {
  using type = typename FormRows<N, kind>::Raw;
  static constexpr int channels = N;
};
/// The result of fetch().
template <class Rows>
using FetchedTexel = typename TexelsOf<Rows>::type;
template <int N>
__device__ inline Pixel<N> decoded(const CudaRows<float, N>&, const Pixel<N>& texel) {
  return texel;
}
template <int N, FormKind kind>
__device__ inline Pixel<N> decoded(const FormRows<N, kind>& rows,
                                   const typename FormRows<N, kind>::Raw& texel) {
  const typename FormRows<N, kind>::Raw raw[1] = {texel};
  Pixel<N> pixels[1];
  rows.decode(raw, pixels);
  return pixels[0];
}
template <int N, int count>
__device__ inline void decode_all(const CudaRows<float, N>&, const Pixel<N> (&texels)[count],
                                  Pixel<N> (&pixels)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) pixels[i] = texels[i];
}
template <int N, FormKind kind, int count>
__device__ inline void decode_all(const FormRows<N, kind>& rows,
                                  const typename FormRows<N, kind>::Raw (&texels)[count],
                                  Pixel<N> (&pixels)[count]) {
  rows.decode(texels, pixels);
}
template <int N, FormKind kind>
__device__ inline Pixel<N> load(const FormRows<N, kind>& rows, int x, int y) {
  return decoded(rows, rows.fetch(x, y));
}

/// Pixels of a column, all of which are loaded before the first is decoded. @param row_of the i-th.
template <int N, int count, class RowOf>
__device__ inline void load_column(const CudaRows<float, N>& rows, int x, const RowOf& row_of,
                                   Pixel<N> (&pixels)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) pixels[i] = load(rows, x, row_of(i));
}
template <int N, FormKind kind, int count, class RowOf>
__device__ inline void load_column(const FormRows<N, kind>& rows, int x, const RowOf& row_of,
                                   Pixel<N> (&pixels)[count]) {
  typename FormRows<N, kind>::Raw raw[count];
#pragma unroll
  for (int i = 0; i < count; ++i) raw[i] = rows.fetch(x, row_of(i));
  rows.decode(raw, pixels);
}
/// @}

}  // namespace cuimg
