// SPDX-License-Identifier: Apache-2.0
// Selects the texel type and the instruction set for a row of texture reads.
#include "device/cpu/texture_rows.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <fmt/format.h>

#include <type_traits>

#include "base/error.h"
#include "base/instruction_set.h"
#include "base/message_text.h"
#include "kernels/math/dispatch.h"
#include "kernels/texture/texture_rows.h"

namespace cuimg {
namespace {

using RowFunction = void (*)(const TextureView2D&, const Sampler&, const float*, const float*,
                             std::ptrdiff_t, float*);

template <class Set, class T, int N>
inline void read_row(const TextureView2D& texture, const Sampler& sampler, const float* x,
                     const float* y, std::ptrdiff_t count, float* out) {
  const Texture2D<T, N> view{texture.data, texture.pitch_bytes, texture.width, texture.height};
  sample_row<Set>(view, sampler, x, y, count, out);
}

// "flatten" inlines the whole row reader, so that it is compiled again for each instruction set. It
// does not use fused or reordered arithmetic, so both sets give the same bits.
template <class T, int N>
[[gnu::flatten]] void baseline_row(const TextureView2D& texture, const Sampler& sampler,
                                   const float* x, const float* y, std::ptrdiff_t count,
                                   float* out) {
  read_row<PortableRows, T, N>(texture, sampler, x, y, count, out);
}

#if defined(__x86_64__)
// GCC would use four or five instructions for each of these.
struct Avx2Rows {
  [[gnu::target("avx2")]] static void to_double(lanes::Float4 from, lanes::Double4& to) {
    to = _mm256_cvtps_pd(from);
  }
  [[gnu::target("avx2")]] static void to_long(lanes::Int4 from, lanes::Long4& to) {
    to = lanes::Long4(_mm256_cvtepi32_epi64(__m128i(from)));
  }
  [[gnu::target("avx2")]] static void to_float(const lanes::Double4& from, lanes::Float4& to) {
    to = _mm256_cvtpd_ps(from);
  }
  [[gnu::target("avx2")]] static void truncate(lanes::Double4& value) {
    value = _mm256_round_pd(value, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  }
  [[gnu::target("avx2")]] static void truncate(lanes::Float4& value) {
    value = _mm_round_ps(value, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  }
  [[gnu::target("avx2"), gnu::flatten, gnu::noinline]] static void linear(
      const Sampler& sampler, int axis, TextureSide side, const float* coordinates, int count,
      detail::RowTaps& taps) {
    detail::resolve_linear(sampler, axis, side, coordinates, count, taps);
  }
  [[gnu::target("avx2"), gnu::flatten, gnu::noinline]] static void point(const Sampler& sampler,
                                                                         int axis, TextureSide side,
                                                                         const float* coordinates,
                                                                         int count,
                                                                         std::int32_t* taps) {
    detail::resolve_point(sampler, axis, side, coordinates, count, taps);
  }
  [[gnu::target("avx2,f16c")]] static void from_half(lanes::Int4 half, lanes::Float4& to) {
    to = _mm_cvtph_ps(_mm_packus_epi32(__m128i(half), __m128i(half)));
  }
};

template <class T, int N>
[[gnu::flatten, gnu::target("avx2,f16c")]] void avx2_row(const TextureView2D& texture,
                                                         const Sampler& sampler, const float* x,
                                                         const float* y, std::ptrdiff_t count,
                                                         float* out) {
  read_row<Avx2Rows, T, N>(texture, sampler, x, y, count, out);
}

// Formats that no picture has need no second version.
template <class T, int N>
RowFunction best_row() {
  if constexpr (std::is_signed_v<T> == std::is_floating_point_v<T> && !std::is_same_v<T, Srgb8>) {
    if (uses_avx2()) return avx2_row<T, N>;
  }
  return baseline_row<T, N>;
}
#else
template <class T, int N>
RowFunction best_row() {
  return baseline_row<T, N>;
}
#endif

template <class T>
RowFunction row_of(int channels) {
  return with_channels(channels, [](auto n) { return best_row<T, n()>(); });
}

RowFunction row_of(TexelType type, int channels) {
  switch (type) {
    case TexelType::u8:
      return row_of<std::uint8_t>(channels);
    case TexelType::u16:
      return row_of<std::uint16_t>(channels);
    case TexelType::s8:
      return row_of<std::int8_t>(channels);
    case TexelType::s16:
      return row_of<std::int16_t>(channels);
    case TexelType::half:
      return row_of<Half>(channels);
    case TexelType::srgb8:
      return row_of<Srgb8>(channels);
    case TexelType::f32:
      break;
  }
  return row_of<float>(channels);
}

}  // namespace

void sample_row(const TextureView2D& texture, const Sampler& sampler, const float* x,
                const float* y, std::ptrdiff_t count, float* out) {
  if (texture.width < 1 || texture.height < 1)
    throw Error("texture", "size " + size_text(texture.width, texture.height),
                "width and height must be at least 1");
  if (texture.channels < 1 || texture.channels > 4)
    throw Error("texture", fmt::format("{} channels", texture.channels), "1 to 4 are possible");
  row_of(texture.type, texture.channels)(texture, sampler, x, y, count, out);
}

}  // namespace cuimg
