// SPDX-License-Identifier: Apache-2.0
#include "image/srgb8_rows.h"

#include <algorithm>
#include <cstring>

#include "base/instruction_set.h"
#include "image/code_words.h"
#include "image/srgb_tables.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cuimg {
namespace {

#if defined(__x86_64__)
/// Takes half the time of the loop below (Xeon, family 6 model 207, 2026-12-01). @returns the
/// number of values that it converted: all, unless they are fewer than 16.
__attribute__((target("avx512f,avx512bw,avx512vl"))) std::size_t encode_avx512(
    const std::uint32_t* encode, const float* source, std::uint8_t* target, std::size_t count) {
  constexpr std::size_t lanes = 16;
  std::size_t i = 0;
  for (; i < count && count >= lanes; i += lanes) {
    i = std::min(i, count - lanes);  // the last ones may begin within those before
    // A NaN becomes the limit.
    const __m512 raised = _mm512_max_ps(_mm512_loadu_ps(source + i), _mm512_set1_ps(0x1p-13f));
    const __m512i bits = _mm512_castps_si512(_mm512_min_ps(raised, _mm512_set1_ps(1.0f)));
    const __m512i bucket =
        _mm512_sub_epi32(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(Srgb8Tables::first_bucket));
    const __m512i entry = _mm512_i32gather_epi32(bucket, encode, sizeof(std::uint32_t));
    const __m512i low_bits = _mm512_and_si512(bits, _mm512_set1_epi32(0xffff));
    const __m512i code = _mm512_srli_epi32(_mm512_add_epi32(entry, low_bits), 16);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(target + i), _mm512_cvtepi32_epi8(code));
  }
  return std::min(i, count);
}
#else
std::size_t encode_avx512(const std::uint32_t*, const float*, std::uint8_t*, std::size_t) {
  return 0;
}
#endif

/// Arithmetic in vectors, and single loads from the table: gathers of AVX2 are slower (EPYC, Zen
/// 3). Takes half the time of a loop over linear_to_srgb8() (a Xeon with AVX-512, 2026-11-30).
void encode_by_loads(const std::uint32_t* encode, const float* source, std::uint8_t* target,
                     std::size_t count) {
  constexpr std::size_t some = 64;
  with_best_instructions([=] {
    std::uint8_t* const to = target;  // bytes may alias the closure, from which they are loaded
    std::size_t i = 0;
    for (; i + some <= count; i += some) {
      std::uint32_t bits[some], entries[some];
      for (std::size_t k = 0; k < some; ++k) bits[k] = srgb8_light_bits(source[i + k]);
      // By pairs, which the compiler makes no gathers of.
      for (std::size_t k = 0; k < some; k += 2) {
        std::uint64_t pair;
        std::memcpy(&pair, bits + k, sizeof pair);
        entries[k] = encode[srgb8_bucket(static_cast<std::uint32_t>(pair))];
        entries[k + 1] = encode[(pair >> 48) - Srgb8Tables::first_bucket];
      }
      for (std::size_t k = 0; k < some; ++k) to[i + k] = srgb8_code(entries[k], bits[k]);
    }
    for (; i < count; ++i) to[i] = linear_to_srgb8(encode, source[i]);
  });
}

}  // namespace

void srgb8_to_light(const std::uint8_t* source, float* target, std::size_t count) {
  static const CodeWords light(srgb8_tables().decode);
  light.look_up(source, target, count);
}

void light_to_srgb8(const float* source, std::uint8_t* target, std::size_t count) {
  const std::uint32_t* const encode = srgb8_tables().encode;
  const std::size_t done = uses_avx512() ? encode_avx512(encode, source, target, count) : 0;
  encode_by_loads(encode, source + done, target + done, count - done);
}

}  // namespace cuimg
