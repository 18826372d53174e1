// SPDX-License-Identifier: Apache-2.0
// Rows and targets of any stored form, for kernels that compute with floats: what CudaRows<float>
// and PixelTarget are, with a conversion at each load and store. The form is asked for at run time,
// the same for all threads, so that a kernel is compiled once for all forms.
#pragma once

#include <type_traits>

#include "device/cuda/cuda_queue.h"
#include "device/cuda/cuda_rows.cuh"
#include "kernels/texture/target.h"
#include "stages/pass/stored_form.h"
#include "stages/pass/stored_texels.cuh"

namespace cuimg {

/// Floats that a block keeps in shared memory for its loads: the light of 8-bit codes.
inline constexpr int light_of_codes = 256;

/// Rows of any stored form. x and y are absolute: (left, top) is the first texel.
template <int N>
struct FormRows {
  const char* data;
  std::size_t pitch_bytes;
  int left, top;
  int width, height;
  int texel_bytes;  ///< N, 2 N or 4 N.
  TexelForm form;
  const float* light8;  ///< The light of 8-bit codes, in sRGB.

  __device__ const char* texel(int x, int y) const {
    return data + static_cast<std::size_t>(y - top) * pitch_bytes +
           static_cast<std::ptrdiff_t>(x - left) * texel_bytes;
  }
  /// A texel as stored. Kernels issue this load early and decode it once it has arrived.
  __device__ RawTexel<N> fetch(int x, int y) const { return fetch(texel(x, y)); }
  __device__ RawTexel<N> fetch(const char* from) const {
    RawTexel<N> raw = {};
    if (texel_bytes == N) {
      raw.word[0] =
          __ldg(reinterpret_cast<const detail::WordOf<PackedTexel<std::uint8_t, N>>*>(from));
    } else if (texel_bytes == 2 * N) {
      if constexpr (N == 4) {
        const uint2 two = __ldg(reinterpret_cast<const uint2*>(from));
        raw.word[0] = two.x, raw.word[1] = two.y;
      } else {
        raw.word[0] = __ldg(reinterpret_cast<const detail::WordOf<PackedTexel<Half, N>>*>(from));
      }
    } else {
      raw = __builtin_bit_cast(RawTexel<N>,
                               __ldg(reinterpret_cast<const detail::WordOf<RawTexel<N>>*>(from)));
    }
    return raw;
  }
  /// The light of texels, each decoded by the same steps as a pass would.
  template <int count>
  __device__ void decode(const RawTexel<N> (&raw)[count], Pixel<N> (&pixels)[count]) const {
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
  }

 private:
  template <class Stored, int count>
  __device__ void decode_as(const RawTexel<N> (&raw)[count], Pixel<N> (&pixels)[count]) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const PackedTexel<Stored, N> texel = detail::packed_texel<Stored>(raw[i]);
#pragma unroll
      for (int c = 0; c < N; ++c) pixels[i].v[c] = value(texel.v[c], form.has_alpha && c == N - 1);
    }
    // Products of what integers decode to are numbers.
    if constexpr (std::is_integral_v<Stored>)
      if (form.is_straight) {
#pragma unroll
        for (int i = 0; i < count; ++i)
#pragma unroll
          for (int c = 0; c < N - 1; ++c) pixels[i].v[c] *= pixels[i].v[N - 1];
      }
  }
  template <int count>
  __device__ void decode_halves(const RawTexel<N> (&raw)[count], Pixel<N> (&pixels)[count]) const {
    bool special = false;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const PackedTexel<Half, N> texel = detail::packed_texel<Half>(raw[i]);
#pragma unroll
      for (int c = 0; c < N; ++c) pixels[i].v[c] = detail::number_of(texel.v[c]);
#pragma unroll
      for (int w = 0; w < (N + 1) / 2; ++w) special |= detail::holds_nan(raw[i].word[w]);
    }
    if (!special) return;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const PackedTexel<Half, N> texel = detail::packed_texel<Half>(raw[i]);
#pragma unroll
      for (int c = 0; c < N; ++c) pixels[i].v[c] = half_to_float(texel.v[c]);
    }
  }
  __device__ float value(std::uint8_t code, bool is_alpha) const {
    return form.is_srgb && !is_alpha ? light8[code] : detail::code_to_float<255>(code);
  }
  __device__ float value(std::uint16_t code, bool is_alpha) const {
    return form.is_srgb && !is_alpha ? srgb16_to_linear(*form.short16, code)
                                     : detail::code_to_float<65535>(code);
  }
  __device__ static float value(float v, bool) { return v; }
};

/// Where a kernel stores pixels as any stored form, in rows. x and y are absolute.
template <int N>
struct FormTarget {
  RowMemory memory;
  int left, top;
  int width, height;
  int texel_bytes;
  TexelForm form;
  const std::uint32_t* codes8;  ///< Srgb8Tables::encode.

  /// A place from which pixels of the same row are stored.
  struct Place {
    const FormTarget& target;
    char* texel;
    __device__ void store_streaming(int dx, const Pixel<N>& pixel) const {
      target.store_at(texel + static_cast<std::ptrdiff_t>(dx) * target.texel_bytes, pixel);
    }
  };
  __device__ Place place(int x, int y) const {
    return {*this, memory.at<char>((x - left) * texel_bytes, y - top)};
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
    if (x >= right) return;
    if (y < bottom) store_streaming(x, y, upper);
    if (y + 1 < bottom) store_streaming(x, y + 1, lower);
  }

 private:
  __device__ void store_at(char* to, const Pixel<N>& pixel) const {
    switch (form.type) {
      case PixelType::u8:
        return store_as<std::uint8_t>(to, pixel);
      case PixelType::u16:
        return store_as<std::uint16_t>(to, pixel);
      case PixelType::half:
        return store_as<Half>(to, pixel);
      default:
        return store_as<float>(to, pixel);
    }
  }
  template <class Stored>
  __device__ void store_as(char* to, Pixel<N> pixel) const {
    if constexpr (std::is_integral_v<Stored>)
      if (form.is_straight) detail::divide_for_integers(pixel.v);
    PackedTexel<Stored, N> texel;
#pragma unroll
    for (int c = 0; c < N; ++c)
      encode(pixel.v[c], form.is_srgb && !(form.has_alpha && c == N - 1), texel.v[c]);
    store_texel(to, texel);
  }
  template <class Stored>
  __device__ static void store_texel(char* to, const PackedTexel<Stored, N>& texel) {
    using Word = detail::WordOf<PackedTexel<Stored, N>>;
    __stcs(reinterpret_cast<Word*>(to), __builtin_bit_cast(Word, texel));
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
        stored = static_cast<std::uint16_t>(
            linear_to_srgb16(*form.short16, form.tables.srgb16->thresholds, v));
        return;
      }
    float_to_stored(v, stored);
  }
};

/// Whether a target's memory is an array, in which sectors are two rows high.
template <class Target>
constexpr bool is_in_array = false;
template <int N>
constexpr bool is_in_array<PixelTarget<N, ArrayMemory>> = true;

/// @name The same for CudaRows<float> and FormRows. @{

/// Readies the rows for a block's loads; all its threads call it before the first load, and meet
/// after it. @param shared room for light_of_codes floats.
template <int N>
__device__ inline void ready_loads(CudaRows<float, N>&, float*, int, int) {}
template <int N>
__device__ inline void ready_loads(FormRows<N>& rows, float* shared, int thread, int threads) {
  if (rows.form.type != PixelType::u8 || !rows.form.is_srgb) return;
  for (int i = thread; i < light_of_codes; i += threads)
    shared[i] = __ldg(rows.form.tables.srgb8->decode + i);
  rows.light8 = shared;
}
/// The floats of shared memory that ready_loads() wants.
template <class Rows>
constexpr int shared_for_loads = 1;
template <int N>
constexpr int shared_for_loads<FormRows<N>> = light_of_codes;

/// A texel as it lies, under way while others are worked on; and what it is as light.
template <int N>
__device__ inline Pixel<N> fetch(const CudaRows<float, N>& rows, int x, int y) {
  return load(rows, x, y);
}
template <int N>
__device__ inline RawTexel<N> fetch(const FormRows<N>& rows, int x, int y) {
  return rows.fetch(x, y);
}
template <class Rows>
struct TexelsOf;
template <int N>
struct TexelsOf<CudaRows<float, N>> {
  using type = Pixel<N>;
  static constexpr int channels = N;
};
template <int N>
struct TexelsOf<FormRows<N>> {
  using type = RawTexel<N>;
  static constexpr int channels = N;
};
/// What fetch() gives.
template <class Rows>
using FetchedTexel = typename TexelsOf<Rows>::type;
template <int N>
__device__ inline Pixel<N> decoded(const CudaRows<float, N>&, const Pixel<N>& texel) {
  return texel;
}
template <int N>
__device__ inline Pixel<N> decoded(const FormRows<N>& rows, const RawTexel<N>& texel) {
  const RawTexel<N> raw[1] = {texel};
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
template <int N, int count>
__device__ inline void decode_all(const FormRows<N>& rows, const RawTexel<N> (&texels)[count],
                                  Pixel<N> (&pixels)[count]) {
  rows.decode(texels, pixels);
}
template <int N>
__device__ inline Pixel<N> load(const FormRows<N>& rows, int x, int y) {
  return decoded(rows, rows.fetch(x, y));
}

/// Readies a target for a block that stores many pixels: the codes of light, for 8 bits in sRGB, in
/// shared memory. As ready_loads().
template <int N, class Memory>
__device__ inline void ready_stores(PixelTarget<N, Memory>&, std::uint32_t*, int, int) {}
template <int N>
__device__ inline void ready_stores(FormTarget<N>& target, std::uint32_t* shared, int thread,
                                    int threads) {
  if (target.form.type != PixelType::u8 || !target.form.is_srgb) return;
  for (int i = thread; i < static_cast<int>(Srgb8Tables::buckets); i += threads)
    shared[i] = __ldg(target.codes8 + i);
  target.codes8 = shared;
}
template <class Target>
constexpr int shared_for_stores = 1;
template <int N>
constexpr int shared_for_stores<FormTarget<N>> = static_cast<int>(Srgb8Tables::buckets);

/// Pixels of a column, all of them asked for before the first is decoded. @param row_of the i-th.
template <int N, int count, class RowOf>
__device__ inline void load_column(const CudaRows<float, N>& rows, int x, const RowOf& row_of,
                                   Pixel<N> (&pixels)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) pixels[i] = load(rows, x, row_of(i));
}
template <int N, int count, class RowOf>
__device__ inline void load_column(const FormRows<N>& rows, int x, const RowOf& row_of,
                                   Pixel<N> (&pixels)[count]) {
  RawTexel<N> raw[count];
#pragma unroll
  for (int i = 0; i < count; ++i) raw[i] = rows.fetch(x, row_of(i));
  rows.decode(raw, pixels);
}
/// @}

template <int N>
FormRows<N> form_rows(CudaQueue& card, const Frame& frame) {
  if (frame.empty()) return {};
  const Rect& r = frame.region();
  const Frame stored = frame.as_stored();
  FormRows<N> rows{static_cast<const char*>(frame.card().data()),
                   frame.card().pitch_bytes(),
                   r.x,
                   r.y,
                   r.width,
                   r.height,
                   static_cast<int>(stored.format().pixel_bytes()),
                   {},
                   nullptr};
  if (frame.stored_form() != nullptr) rows.form = frame.stored_form()->on(card);
  return rows;
}

template <int N>
FormTarget<N> form_target(CudaQueue& card, const Frame& frame) {
  const Rect& r = frame.region();
  const Frame stored = frame.as_stored();
  FormTarget<N> target{{static_cast<char*>(frame.card().data()), frame.card().pitch_bytes()},
                       r.x,
                       r.y,
                       r.width,
                       r.height,
                       static_cast<int>(stored.format().pixel_bytes()),
                       {},
                       nullptr};
  if (frame.stored_form() == nullptr) return target;
  target.form = frame.stored_form()->on(card);
  if (target.form.tables.srgb8 != nullptr) target.codes8 = target.form.tables.srgb8->encode;
  return target;
}

/// Calls use(rows, target) with the views of both frames: of floats, the target's kind of memory
/// part of its type, or of any stored form where one of them is seen as floats.
template <int N, class Use>
void with_pixels(CudaQueue& card, const Frame& source, const Frame& target, const Use& use) {
  if (source.stored_form() != nullptr || target.stored_form() != nullptr)
    return use(form_rows<N>(card, source), form_target<N>(card, target));
  target.card().template with_pixel_target<N>(
      [&](const auto& pixels) { use(source.card().template rows_view<float, N>(), pixels); });
}

/// Calls use(target) with floats, the kind of memory part of its type, or with any stored form
/// where it is seen as floats.
template <int N, class Use>
void with_target(CudaQueue& card, const Frame& target, const Use& use) {
  if (target.stored_form() != nullptr) return use(form_target<N>(card, target));
  target.card().template with_pixel_target<N>(use);
}

/// Calls use(target) with floats in any memory, or with any stored form where it is seen as floats.
template <int N, class Use>
void with_any_target(CudaQueue& card, const Frame& target, const Use& use) {
  if (target.stored_form() != nullptr) return use(form_target<N>(card, target));
  use(target.card().template pixel_target<N>());
}

}  // namespace cuimg
