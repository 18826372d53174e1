// SPDX-License-Identifier: Apache-2.0
// Flat loops over all channels of a few hundred pixels at a time, which the compiler vectorises
// once for plain x86-64 and once for AVX2; then alpha, pixel by pixel. srgb8_rows.h converts sRGB
// of 8 bits.
#include "image/row_convert.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/instruction_set.h"
#include "image/dispatch.h"
#include "image/srgb8_rows.h"
#include "image/srgb_tables.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cuimg {
namespace {

constexpr std::size_t block = 1024;  // in values; a block of floats fits the first-level cache

#if defined(__x86_64__)
/// Hardware conversion, except that a signalling NaN does not change.
__attribute__((target("avx2,f16c"))) void halves_to_floats_avx2(const Half* source, float* target,
                                                                std::size_t count) {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + i));
    const __m256 floats = _mm256_cvtph_ps(halves);
    const __m256i wide = _mm256_cvtepu16_epi32(halves);
    const __m256i moved = _mm256_or_si256(
        _mm256_slli_epi32(_mm256_and_si256(wide, _mm256_set1_epi32(0x7fff)), 13),
        _mm256_or_si256(_mm256_set1_epi32(0x7f800000),
                        _mm256_slli_epi32(_mm256_and_si256(wide, _mm256_set1_epi32(0x8000)), 16)));
    const __m256 nan = _mm256_cmp_ps(floats, floats, _CMP_UNORD_Q);
    _mm256_storeu_ps(target + i, _mm256_blendv_ps(floats, _mm256_castsi256_ps(moved), nan));
  }
  for (; i < count; ++i) target[i] = half_to_float(source[i]);
}

/// Hardware conversion, except that every NaN becomes the one of float_to_half.
__attribute__((target("avx2,f16c"))) void floats_to_halves_avx2(const float* source, Half* target,
                                                                std::size_t count) {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256 floats = _mm256_loadu_ps(source + i);
    // A NaN of 0x7fc00000 is converted to 0x7e00.
    const __m256 nan = _mm256_cmp_ps(floats, floats, _CMP_UNORD_Q);
    const __m256 one_nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));
    const __m128i halves =
        _mm256_cvtps_ph(_mm256_blendv_ps(floats, one_nan, nan), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(target + i), halves);
  }
  for (; i < count; ++i) target[i] = float_to_half(source[i]);
}
#else
void halves_to_floats_avx2(const Half*, float*, std::size_t) {}
void floats_to_halves_avx2(const float*, Half*, std::size_t) {}
#endif

/// target[i] = function(source[i])
template <class From, class To, class Function>
void map_values(const From* source, To* target, std::size_t count, Function function) {
  std::size_t i = 0;
  if constexpr (sizeof(To) == 1) {
    // Bytes may alias everything, including tables, which would keep the loop scalar; a local array
    // of words does not.
    constexpr std::size_t words = 64;
    std::uint32_t codes[words];
    for (; i + words <= count; i += words) {
      for (std::size_t k = 0; k < words; ++k) codes[k] = function(source[i + k]);
      for (std::size_t k = 0; k < words; ++k) target[i + k] = static_cast<To>(codes[k]);
    }
  }
  for (; i < count; ++i) target[i] = function(source[i]);
}

template <class From, class To, class Function>
void map_row(const From* source, To* target, std::size_t count, Function function) {
  with_best_instructions([=] { map_values(source, target, count, function); });
}

enum class Direction { decoding, encoding };

template <TransferCurve curve>
void fixed_curve_row(Direction direction, float gamma, const float* source, float* target,
                     std::size_t count) {
  if (direction == Direction::decoding)
    map_row(source, target, count, [=](float x) { return decode({curve, gamma}, x); });
  else
    map_row(source, target, count, [=](float x) { return encode({curve, gamma}, x); });
}

/// Applies the curve to all of `source`; one loop per curve, so that no loop contains a switch.
void curve_row(Direction direction, Transfer transfer, const float* source, float* target,
               std::size_t count) {
  const auto call = [&](auto row) { row(direction, transfer.gamma, source, target, count); };
  const auto call_row_of = [&]<int... curve>(std::integer_sequence<int, curve...>) {
    constexpr auto named = [](int number) { return static_cast<TransferCurve>(number); };
    (void)((transfer.curve == named(curve) && (call(fixed_curve_row<named(curve)>), true)) || ...);
  };
  constexpr int curves = static_cast<int>(TransferCurve::hlg) + 1;
  call_row_of(std::make_integer_sequence<int, curves>());
}

/// Calls `action` with the channel count, as a constant if it is 4.
template <class Action>
void with_step(int channels, Action action) {
  if (channels == 4)
    action(std::integral_constant<std::size_t, 4>());
  else
    action(static_cast<std::size_t>(channels));
}

/// Passes the colour channels of `pixels` pixels through `function(color, alpha)`, from source to
/// target. Flat loops over all values, with alpha repeated for each of them, so that they
/// vectorise.
template <class Function>
void map_with_alpha(const float* source, float* target, std::size_t pixels, int channels, int alpha,
                    Function function) {
  with_step(channels, [=](auto step) {
    with_best_instructions([=] {
      float spread[block];
      const auto offset = static_cast<std::size_t>(alpha);
      for (std::size_t p = 0; p < pixels; ++p)
        for (std::size_t c = 0; c < step; ++c) spread[p * step + c] = source[p * step + offset];
      for (std::size_t i = 0; i < pixels * step; ++i) target[i] = function(source[i], spread[i]);
      for (std::size_t p = 0; p < pixels; ++p) target[p * step + offset] = spread[p * step];
    });
  });
}

/// Codes are loaded four at a time, with the first in the lowest bits, because lookups wait for
/// loads.
void srgb16_to_light(const Srgb16Tables& tables, const std::uint16_t* codes, float* target,
                     std::size_t count) {
  static_assert(std::endian::native == std::endian::little);
  const float* const table = tables.decode;
  constexpr std::size_t some = 4;
  std::size_t i = 0;
  for (; i + some <= count; i += some) {
    std::uint64_t word;
    std::memcpy(&word, codes + i, sizeof word);
    // The compiler must assume that a store between these loads could change the table.
    const float values[some] = {table[static_cast<std::uint16_t>(word)],
                                table[static_cast<std::uint16_t>(word >> 16)],
                                table[static_cast<std::uint16_t>(word >> 32)],
                                table[static_cast<std::uint16_t>(word >> 48)]};
    std::memcpy(target + i, values, sizeof values);
  }
  for (; i < count; ++i) target[i] = table[codes[i]];
}

/// Colour by the table, and alpha as the last channel: the pixels of most PNGs. This is done in one
/// pass, since vectorised loops over all values do not speed up single loads from a table.
/// @param decode with 256 values.
void rgba8_to_working(const float* decode, bool straight_alpha, const std::uint8_t* source,
                      float* target, std::size_t pixels) {
  for (std::size_t p = 0; p < pixels; ++p, source += 4, target += 4) {
    float r = decode[source[0]], g = decode[source[1]], b = decode[source[2]];
    const std::uint8_t code = source[3];
    const float alpha = stored_to_float(code);
    // Multiplying by 1 would change nothing.
    if (straight_alpha && code != 255)
      r = premultiply(r, alpha), g = premultiply(g, alpha), b = premultiply(b, alpha);
    target[0] = r;
    target[1] = g;
    target[2] = b;
    target[3] = alpha;
  }
}

template <class Stored>
void block_to_working(const RowFormat& format, const ColorTables& tables, const Stored* source,
                      float* target, std::size_t pixels) {
  const Transfer transfer = format.encoding.transfer;
  const int channels = format.channels, alpha = format.encoding.alpha_index;
  const std::size_t count = pixels * static_cast<std::size_t>(channels);
  const bool curved =
      transfer.curve != TransferCurve::linear && !std::is_same_v<Stored, std::uint32_t>;
  if constexpr (std::is_same_v<Stored, std::uint8_t>)
    if (transfer.curve == TransferCurve::srgb && channels == 4 && alpha == 3)
      return rgba8_to_working(tables.srgb8->decode, format.encoding.straight_alpha, source, target,
                              pixels);
  // If source and target are the same, alpha must be protected from the curve.
  float kept[block];
  if (curved && alpha >= 0)
    for (std::size_t p = 0; p < pixels; ++p)
      kept[p] = stored_to_float(
          source[p * static_cast<std::size_t>(channels) + static_cast<std::size_t>(alpha)]);

  bool decoded = !curved;
  if constexpr (std::is_same_v<Stored, std::uint8_t>) {
    if (transfer.curve == TransferCurve::srgb) {
      srgb8_to_light(source, target, count);
      decoded = true;
    }
  } else if constexpr (std::is_same_v<Stored, std::uint16_t>) {
    if (transfer.curve == TransferCurve::srgb) {
      srgb16_to_light(*tables.srgb16, source, target, count);
      decoded = true;
    }
  }
  if (!decoded || !curved) {
    if constexpr (std::is_same_v<Stored, float>) {
      if (source != target) std::memcpy(target, source, count * sizeof(float));
    } else if (std::is_same_v<Stored, Half> && uses_avx2()) {
      halves_to_floats_avx2(reinterpret_cast<const Half*>(source), target, count);
    } else {
      map_row(source, target, count, [](Stored v) { return stored_to_float(v); });
    }
  }
  if (!decoded) curve_row(Direction::decoding, transfer, target, target, count);
  if (curved && alpha >= 0)
    for (std::size_t p = 0; p < pixels; ++p)
      target[p * static_cast<std::size_t>(channels) + static_cast<std::size_t>(alpha)] = kept[p];
  if (format.encoding.straight_alpha && alpha >= 0)
    map_with_alpha(target, target, pixels, channels, alpha,
                   [](float color, float a) { return premultiply(color, a); });
}

template <class Stored>
void block_to_stored(const RowFormat& format, const ColorTables& tables, const float* source,
                     Stored* target, std::size_t pixels) {
  const Transfer transfer = format.encoding.transfer;
  const int channels = format.channels, alpha = format.encoding.alpha_index;
  const std::size_t count = pixels * static_cast<std::size_t>(channels);
  const bool curved =
      transfer.curve != TransferCurve::linear && !std::is_same_v<Stored, std::uint32_t>;
  float kept[block];
  if (curved && alpha >= 0)
    for (std::size_t p = 0; p < pixels; ++p)
      kept[p] = source[p * static_cast<std::size_t>(channels) + static_cast<std::size_t>(alpha)];

  float scratch[block];
  if (format.encoding.straight_alpha && alpha >= 0) {
    map_with_alpha(source, scratch, pixels, channels, alpha,
                   [](float color, float a) { return unpremultiply(color, a); });
    source = scratch;
  }
  bool stored = false;
  if constexpr (std::is_same_v<Stored, std::uint8_t>) {
    if (transfer.curve == TransferCurve::srgb) {
      light_to_srgb8(source, target, count);
      stored = true;
    }
  } else if constexpr (std::is_same_v<Stored, std::uint16_t>) {
    if (transfer.curve == TransferCurve::srgb) {
      map_row(source, target, count,
              [&table = *tables.srgb16](float v) { return linear_to_srgb16(table, v); });
      stored = true;
    }
  }
  if (!stored) {
    if (curved) {
      curve_row(Direction::encoding, transfer, source, scratch, count);
      source = scratch;
    }
    if constexpr (std::is_same_v<Stored, float>) {
      if (source != target) std::memcpy(target, source, count * sizeof(float));
    } else if (std::is_same_v<Stored, Half> && uses_avx2()) {
      floats_to_halves_avx2(source, reinterpret_cast<Half*>(target), count);
    } else {
      map_row(source, target, count, [](float v) {
        Stored result;
        float_to_stored(v, result);
        return result;
      });
    }
  }
  if (curved && alpha >= 0)
    for (std::size_t p = 0; p < pixels; ++p)
      float_to_stored(
          kept[p],
          target[p * static_cast<std::size_t>(channels) + static_cast<std::size_t>(alpha)]);
}

/// Calls `action(first, pixels)` for blocks that together make up the row.
template <class Action>
void by_blocks(int channels, std::size_t pixels, Action action) {
  constexpr std::size_t even = 64;  // loops over a multiple of it leave no rest to single steps
  const std::size_t most = block / static_cast<std::size_t>(channels);
  const std::size_t step = most < even ? most : most / even * even;
  for (std::size_t first = 0; first < pixels; first += step)
    action(first * static_cast<std::size_t>(channels), std::min(step, pixels - first));
}

}  // namespace

float stored_value(const std::byte* at, PixelType type) {
  return with_stored_type(type, [&](auto t) {
    typename decltype(t)::type stored;
    std::memcpy(&stored, at, sizeof stored);
    return stored_to_float(stored);
  });
}

ColorTables color_tables(PixelType type, Transfer transfer) {
  ColorTables tables;
  if (transfer.curve != TransferCurve::srgb) return tables;
  if (type == PixelType::u8) tables.srgb8 = &srgb8_tables();
  if (type == PixelType::u16) tables.srgb16 = &srgb16_tables();
  return tables;
}

void rows_to_working(const RowFormat& format, const void* source, float* target,
                     std::size_t pixels) {
  const ColorTables tables = color_tables(format.type, format.encoding.transfer);
  with_stored_type(format.type, [&](auto type) {
    const auto* values = static_cast<const typename decltype(type)::type*>(source);
    by_blocks(format.channels, pixels, [&](std::size_t first, std::size_t count) {
      block_to_working(format, tables, values + first, target + first, count);
    });
  });
}

void working_to_rows(const RowFormat& format, const float* source, void* target,
                     std::size_t pixels) {
  const ColorTables tables = color_tables(format.type, format.encoding.transfer);
  with_stored_type(format.type, [&](auto type) {
    auto* values = static_cast<typename decltype(type)::type*>(target);
    by_blocks(format.channels, pixels, [&](std::size_t first, std::size_t count) {
      block_to_stored(format, tables, source + first, values + first, count);
    });
  });
}

}  // namespace cuimg
