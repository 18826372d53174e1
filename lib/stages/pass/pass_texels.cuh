// SPDX-License-Identifier: Apache-2.0
// What a pass reads and writes on a card: texels of any type. A thread's pixels, or its pairs of
// neighbours, are `step` columns apart. It loads all of them before it uses the first, so that the
// reads overlap.
#pragma once

#include "device/cuda/cuda_words.cuh"
#include "stages/pass/pixel_pass.h"
#include "stages/pass/value_types.cuh"
#include "stages/pass/whole_texels.cuh"

namespace cuimg {

// A channel of a texel in registers; c is a constant once loops are unrolled.
template <class Stored>
__device__ Stored channel_of(const TexelWords& texel, int c) {
  constexpr int per_word = 4 / sizeof(Stored);
  const std::uint32_t word = texel.word[c / per_word] >> (8 * sizeof(Stored) * (c % per_word));
  if constexpr (sizeof(Stored) == 4)
    return __builtin_bit_cast(Stored, word);
  else if constexpr (sizeof(Stored) == 2)
    return __builtin_bit_cast(Stored, static_cast<std::uint16_t>(word));
  else
    return static_cast<Stored>(word);
}

template <class Stored>
__device__ void set_channel(TexelWords& texel, int c, Stored value) {
  constexpr int per_word = 4 / sizeof(Stored);
  std::uint32_t word;
  if constexpr (sizeof(Stored) == 4)
    word = __builtin_bit_cast(std::uint32_t, value);
  else if constexpr (sizeof(Stored) == 2)
    word = __builtin_bit_cast(std::uint16_t, value);
  else
    word = value;
  texel.word[c / per_word] |= word << (8 * sizeof(Stored) * (c % per_word));
}

/// How a pass processes its texels: common kinds whole, the others channel by channel.
enum class TexelKind : std::uint8_t { bytes, shorts, halves, floats, any };

/// Texels of any type as floats, and floats as texels of any type.
struct TypedForm {
  PixelForm form;
  TexelKind kind = TexelKind::any;
  bool has_alpha = false;  ///< Whether the fourth channel has no curve.
  /// Whether integers have sRGB's curve, by the exact tables. Other curves are operations.
  bool srgb = false;
  bool straight = false;  ///< Whether alpha is straight; otherwise it is handled by operations.
  ColorTables tables;

  template <class Stored>
  __device__ void load_channels(const TexelWords& texel, float* v) const {
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      if (c >= form.shape.channels) continue;
      const Stored stored = channel_of<Stored>(texel, c);
      const bool is_light = c != form.encoding.alpha_index;
      v[c] = stored_to_float(stored);
      if constexpr (std::is_same_v<Stored, std::uint8_t>)
        if (tables.srgb8 && is_light) v[c] = srgb8_to_linear(*tables.srgb8, stored);
      if constexpr (std::is_same_v<Stored, std::uint16_t>)
        if (tables.srgb16 && is_light) v[c] = srgb16_to_linear(*tables.srgb16, stored);
    }
  }
  template <class Stored>
  __device__ void store_channels(const float* v, TexelWords& texel) const {
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      if (c >= form.shape.channels) continue;
      const bool is_light = c != form.encoding.alpha_index;
      Stored stored = {};
      float_to_stored(v[c], stored);
      if constexpr (std::is_same_v<Stored, std::uint8_t>)
        if (tables.srgb8 && is_light) stored = linear_to_srgb8(*tables.srgb8, v[c]);
      if constexpr (std::is_same_v<Stored, std::uint16_t>)
        if (tables.srgb16 && is_light) stored = linear_to_srgb16(*tables.srgb16, v[c]);
      set_channel(texel, c, stored);
    }
  }
};

/// A texel of a kind in registers.
template <TexelKind kind>
using KindWord = std::conditional_t<kind == TexelKind::bytes, std::uint32_t,
                                    std::conditional_t<kind == TexelKind::floats, float4, uint2>>;

/// @tparam known the form's kind; `any` if a thread must check it.
template <TexelKind known = TexelKind::any>
struct TypedTexels {
  static constexpr TexelKind kind = known;
  using Word = KindWord<known>;

  TypedForm as;
  Rect covered;
  ByteRows rows;
  /// Only for known kinds: a thread's texels 2k and 2k + 1 are neighbours, which are moved as one
  /// word.
  bool in_pairs = false;

  struct Row {
    const TypedTexels& texels;
    const char* first;  ///< The columns from `left` on:
    int left;
    unsigned columns;

    /// Stored texels that are being loaded while others are processed.
    template <int pixels, class Word>
    __device__ void fetch(int at, int step, Word (&words)[pixels]) const {
      if constexpr (known != TexelKind::any)
        if (texels.in_pairs) return fetch_pairs(at, step, words);
#pragma unroll
      for (int i = 0; i < pixels; ++i) {
        const auto column = static_cast<unsigned>(at + i * step - left);
        words[i] = {};
        if (column < columns) words[i] = __ldcs(reinterpret_cast<const Word*>(first) + column);
      }
    }
    template <TexelKind kind, int pixels>
    __device__ void decode(const KindWord<kind> (&words)[pixels], const TexelTables& tables,
                           float (*v)[4]) const {
      const TypedForm& as = texels.as;
      if constexpr (kind == TexelKind::halves) {
        HalfTexel::load(words, v);
      } else {
#pragma unroll
        for (int i = 0; i < pixels; ++i) {
          if constexpr (kind == TexelKind::bytes)
            ByteTexel::load(words[i], *tables.bytes, as.has_alpha, as.straight, v[i]);
          else if constexpr (kind == TexelKind::shorts)
            ShortTexel::load(words[i], tables, as.srgb, as.has_alpha, as.straight, v[i]);
          else
            v[i][0] = words[i].x, v[i][1] = words[i].y, v[i][2] = words[i].z, v[i][3] = words[i].w;
        }
      }
    }
    template <int pixels>
    __device__ void load(int at, int step, const TexelTables& tables, float (*v)[4]) const {
      const TypedForm& as = texels.as;
      switch (known == TexelKind::any ? as.kind : known) {
        case TexelKind::bytes:
          return load_as<TexelKind::bytes, pixels>(at, step, tables, v);
        case TexelKind::shorts:
          return load_as<TexelKind::shorts, pixels>(at, step, tables, v);
        case TexelKind::halves:
          return load_as<TexelKind::halves, pixels>(at, step, tables, v);
        case TexelKind::floats:
          return load_as<TexelKind::floats, pixels>(at, step, tables, v);
        case TexelKind::any:
          detail::with_stored(static_cast<PixelType>(as.form.type), [&](auto stored) {
#pragma unroll
            for (int i = 0; i < pixels; ++i) {
              const auto column = static_cast<unsigned>(at + i * step - left);
              const TexelWords words =
                  column < columns
                      ? texels.rows.words_at(first +
                                             static_cast<std::size_t>(column) *
                                                 static_cast<std::size_t>(texels.rows.texel_bytes))
                      : TexelWords{};
              as.load_channels<decltype(stored)>(words, v[i]);
            }
          });
      }
    }

   private:
    template <int pixels, class Word>
    __device__ void fetch_pairs(int at, int step, Word (&words)[pixels]) const {
      using Pair = detail::WordOf<PackedTexel<Word, 2>>;
      static_assert(pixels % 2 == 0);
#pragma unroll
      for (int i = 0; i < pixels; i += 2) {
        // An even number, so that adding one does not wrap to 0.
        const auto column = static_cast<unsigned>(at + i / 2 * step - left);
        const auto* const texel = reinterpret_cast<const Word*>(first) + column;
        words[i] = words[i + 1] = {};
        if (column + 1 < columns) {
          const Pair both = __ldcs(reinterpret_cast<const Pair*>(texel));
          const auto two = __builtin_bit_cast(PackedTexel<Word, 2>, both);
          words[i] = two.v[0], words[i + 1] = two.v[1];
        } else if (column < columns) {
          words[i] = __ldcs(texel);
        }
      }
    }
    template <TexelKind kind, int pixels>
    __device__ void load_as(int at, int step, const TexelTables& tables, float (*v)[4]) const {
      KindWord<kind> words[pixels];
      fetch(at, step, words);
      decode<kind>(words, tables, v);
    }
  };
  __device__ Row row(int y) const {
    const bool inside = y >= covered.y && y < covered.y + covered.height;
    return {*this, rows.texel(covered.x, y), covered.x,
            inside ? static_cast<unsigned>(covered.width) : 0u};
  }
};

/// @tparam known as in TypedTexels.
template <TexelKind known = TexelKind::any>
struct TypedTarget {
  TypedForm as;
  TexelTarget<> target;
  bool in_pairs = false;  ///< Must equal TypedTexels::in_pairs.

  struct Row {
    const TypedTarget& texels;
    Rect region;
    int y;

    template <int pixels>
    __device__ void store(int at, int step, const TexelTables& tables, float (*v)[4]) const {
      const TypedForm& as = texels.as;
      switch (known == TexelKind::any ? as.kind : known) {
        case TexelKind::bytes:
          return each_word<pixels, ByteTexel>(at, step, v, [&](auto& all, auto& words) {
            ByteTexel::store(all, *tables.bytes, as.srgb, as.has_alpha, as.straight, words);
          });
        case TexelKind::shorts:
          return each_word<pixels, ShortTexel>(at, step, v, [&](auto& all, auto& words) {
            ShortTexel::store(all, tables, as.srgb, as.has_alpha, as.straight, words);
          });
        case TexelKind::halves:
          return each_word<pixels, HalfTexel>(
              at, step, v, [&](auto& all, auto& words) { HalfTexel::store(all, words); });
        case TexelKind::floats:
          return each<pixels>(
              at, step, [&](int i) { return make_float4(v[i][0], v[i][1], v[i][2], v[i][3]); });
        case TexelKind::any:
          detail::with_stored(static_cast<PixelType>(as.form.type), [&](auto stored) {
#pragma unroll
            for (int i = 0; i < pixels; ++i) {
              if (!contains(region, at + i * step, y)) continue;
              TexelWords texel = {};
              as.store_channels<decltype(stored)>(v[i], texel);
              texels.target.store(at + i * step, y, texel);
            }
          });
      }
    }

   private:
    template <int pixels, class Texel, class Make>
    __device__ void each_word(int at, int step, const float (*v)[4], const Make& make) const {
      Pixel<4> all[pixels];
#pragma unroll
      for (int i = 0; i < pixels; ++i) all[i] = {v[i][0], v[i][1], v[i][2], v[i][3]};
      typename Texel::Word words[pixels];
      make(all, words);
      each<pixels>(at, step, [&](int i) { return words[i]; });
    }
    template <int pixels, class Make>
    __device__ void each(int at, int step, const Make& make) const {
      if (y >= region.y + region.height) return;
      if constexpr (known != TexelKind::any && sizeof(decltype(make(0))) <= sizeof(uint2))
        if (texels.in_pairs) return each_pair<pixels>(at, step, make);
#pragma unroll
      for (int i = 0; i < pixels; ++i)
        if (at + i * step < region.x + region.width)
          texels.target.store_packed(at + i * step, y, make(i));
    }
    template <int pixels, class Make>
    __device__ void each_pair(int at, int step, const Make& make) const {
      const TexelTarget<>& target = texels.target;
      const RowMemory& memory = target.memory.rows;
      using Word = decltype(make(0));
#pragma unroll
      for (int i = 0; i < pixels; i += 2) {
        const int x = at + i / 2 * step, rest = region.x + region.width - x;
        const int byte = (x - target.left) * static_cast<int>(sizeof(Word));
        if (rest > 1)
          memory.store_streaming(byte, y - target.top,
                                 PackedTexel<Word, 2>{{make(i), make(i + 1)}});
        else if (rest == 1)
          memory.store_streaming(byte, y - target.top, make(i));
      }
    }
  };
  /// @param part of the target that is written.
  __device__ Row row(int y, const Rect& part) const { return {*this, part, y}; }
};

}  // namespace cuimg
