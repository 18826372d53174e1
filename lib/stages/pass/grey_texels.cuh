// SPDX-License-Identifier: Apache-2.0
// Pixels of one channel, four neighbours of a row at a time, as floats or in any stored form: a
// kernel processes four of them like the channels of one texel. The form is selected at run time,
// the same for all threads, so that one kernel serves every type.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>

#include "kernels/texture/border.h"
#include "stages/pass/stored_pixels.cuh"

namespace cuimg {

namespace detail {

/// The form of a texel of four such pixels. A picture with only alpha has no curve.
inline void as_four_colors(TexelForm& form) {
  if (form.has_alpha) form.is_srgb = false;
  form.has_alpha = form.is_straight = false;
  form.straight_mask = 0;
}

}  // namespace detail

/// The position of four adjacent pixels in every row.
struct GreyColumn {
  /// For each of the four: its index in the word, in four bits from the first one's on; 4 for zero.
  static constexpr unsigned as_they_lie = 0x3210;

  int first;       ///< The first byte of a word that contains all of them; -1 if there is none.
  unsigned order;  ///< The order in such a word.
  /// Otherwise their columns relative to the row's first, -1 for zero, in shared memory.
  const int* all;

  /// The values of the four, selected from those of the word.
  __device__ Pixel<4> ordered(const Pixel<4>& word) const {
    if (order == as_they_lie) return word;
    Pixel<4> made;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const unsigned place = order >> (4 * i) & 7u;
      made.v[i] = place == 0   ? word.v[0]
                  : place == 1 ? word.v[1]
                  : place == 2 ? word.v[2]
                  : place == 3 ? word.v[3]
                               : 0.0f;
    }
    return made;
  }
};

/// Rows of pixels of one channel. x and width count pixels; (left, top) is the first one.
struct GreyRows : FormRows<4> {
  int pixel_bytes;
  bool in_words;  ///< Whether rows begin with whole words of four pixels.

  /// @param column_of (int x): the column to read for x, in the rows, or BorderAxis::nothing.
  /// @param is_inside whether the four are adjacent columns of the rows.
  /// @param all the thread's own room in shared memory, while the result is used.
  template <class ColumnOf>
  __device__ GreyColumn column(int x, bool is_inside, int (&all)[4],
                               const ColumnOf& column_of) const {
    if (is_inside && is_word(x)) return {(x - left) * pixel_bytes, GreyColumn::as_they_lie, all};
    int low = INT32_MAX, high = 0;
    unsigned order = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int column = column_of(x + i), at = column == BorderAxis::nothing ? -1 : column - left;
      all[i] = at;
      order |= (at < 0 ? 4u : static_cast<unsigned>(at) % 4) << (4 * i);
      if (at >= 0) low = min(low, at), high = max(high, at);
    }
    if (!in_words || width == 0) return {-1, GreyColumn::as_they_lie, all};
    if (low > high) return {0, order, all};
    if (low / 4 != high / 4) return {-1, GreyColumn::as_they_lie, all};
    return {low / 4 * 4 * pixel_bytes, order, all};
  }
  /// For pixels that are all in the rows: others are unspecified, as_they_lie.
  __device__ GreyColumn column(int x, int (&all)[4]) const {
    // Rows have room for whole words at their ends.
    if (is_word(x) && width > 0)
      return {(nearest(x) - left) / 4 * 4 * pixel_bytes, GreyColumn::as_they_lie, all};
#pragma unroll
    for (int i = 0; i < 4; ++i) all[i] = width == 0 ? -1 : nearest(x + i) - left;
    return {-1, GreyColumn::as_they_lie, all};
  }
  /// Loads the four of some rows asynchronously, if the hardware supports it, and commits them:
  /// `pitch` bytes apart from `to` on, in the thread's own shared memory.
  /// @param byte_of (int i): bytes from the first row to the i-th, or no_row for zeros.
  template <int count, class ByteOf>
  __device__ void copy(const GreyColumn& column, char* to, int pitch, const ByteOf& byte_of) const {
    if (column.first < 0) {
      gather<count>(column, to, pitch, byte_of);
    } else if (pixel_bytes == 1) {
      copy_words<count, 4>(column, to, pitch, byte_of);
    } else if (pixel_bytes == 2) {
      copy_words<count, 8>(column, to, pitch, byte_of);
    } else {
      copy_words<count, 16>(column, to, pitch, byte_of);
    }
    __pipeline_commit();
  }
  /// The light of rows that have been loaded.
  template <int count>
  __device__ void decode_copied(const char* from, int pitch, Pixel<4> (&pixels)[count]) const {
    Raw raw[count] = {};
#pragma unroll
    for (int i = 0; i < count; ++i, from += pitch) {
      if (pixel_bytes == 1) {
        raw[i].word[0] = *reinterpret_cast<const std::uint32_t*>(from);
      } else if (pixel_bytes == 2) {
        const auto two = *reinterpret_cast<const uint2*>(from);
        raw[i].word[0] = two.x, raw[i].word[1] = two.y;
      } else {
        raw[i] = *reinterpret_cast<const Raw*>(from);
      }
    }
    decode(raw, pixels);
  }
  static constexpr std::uint64_t no_row = UINT64_MAX;

 private:
  __device__ bool is_word(int x) const { return in_words && (x - left) % 4 == 0; }
  __device__ int nearest(int x) const {
    return width == 0 ? BorderAxis::nothing : min(max(x, left), left + width - 1);
  }
  template <int count, int bytes, class ByteOf>
  __device__ void copy_words(const GreyColumn& column, char* to, int pitch,
                             const ByteOf& byte_of) const {
    using Word = typename detail::Word<bytes>::type;
    const char* const from = data + column.first;
#pragma unroll
    for (int i = 0; i < count; ++i, to += pitch) {
      const std::uint64_t byte = byte_of(i);
      if (byte != no_row)
        __pipeline_memcpy_async(to, from + byte, bytes);
      else
        *reinterpret_cast<Word*>(to) = Word{};
    }
  }
  // The case for edges and odd positions only, which need not be fast.
  template <int count, class ByteOf>
  __device__ void gather(const GreyColumn& column, char* to, int pitch,
                         const ByteOf& byte_of) const {
#pragma unroll 1
    for (int k = 0; k < 4; ++k, to += pixel_bytes) {
      const std::int64_t at = std::int64_t{column.all[k]} * pixel_bytes;
      std::uint32_t values[count];
#pragma unroll
      for (int i = 0; i < count; ++i) {
        const std::uint64_t byte = byte_of(i);
        values[i] = at < 0 || byte == no_row ? 0u : value(data + byte + at);
      }
#pragma unroll
      for (int i = 0; i < count; ++i) {
        if (pixel_bytes == 1)
          to[i * pitch] = static_cast<char>(values[i]);
        else if (pixel_bytes == 2)
          *reinterpret_cast<std::uint16_t*>(to + i * pitch) = static_cast<std::uint16_t>(values[i]);
        else
          *reinterpret_cast<std::uint32_t*>(to + i * pitch) = values[i];
      }
    }
  }
  __device__ std::uint32_t value(const char* from) const {
    if (pixel_bytes == 1) return __ldg(reinterpret_cast<const std::uint8_t*>(from));
    if (pixel_bytes == 2) return __ldg(reinterpret_cast<const std::uint16_t*>(from));
    return __ldg(reinterpret_cast<const std::uint32_t*>(from));
  }
};

inline GreyRows grey_rows(CudaQueue& card, const Frame& frame) {
  GreyRows rows{form_rows<4>(card, frame), 0, false};
  rows.pixel_bytes = static_cast<int>(frame.as_stored().format().pixel_bytes());
  rows.form_bytes = 4 * rows.pixel_bytes;
  rows.in_words =
      (reinterpret_cast<std::uintptr_t>(rows.data) | rows.pitch_bytes) % sizeof(uint4) == 0;
  detail::as_four_colors(rows.form);
  return rows;
}

/// The destination of pixels with one channel, eight neighbours of a row at a time.
struct GreyTarget : FormTarget<4> {
  int pixel_bytes;
  bool in_words;  ///< Whether rows begin at a multiple of 16 bytes.

  static constexpr int together = 8;

  __device__ void store_one(int x, int y, float v) const {
    const Pixel<4> pixels[2] = {{{v}}, {}};
    store_some(x, y, pixels, 0, 1);
  }
  /// Stores pixels x + from to x + to - 1 of eight from column x on, which may be partly outside.
  /// @tparam keeps_nan whether floats are stored unchanged, instead of NaN as the one that sums
  /// produce.
  template <bool keeps_nan = false>
  __device__ void store_some(int x, int y, const Pixel<4> (&pixels)[2], int from, int to) const {
    std::uint32_t words[together] = {};
    encode<keeps_nan>(pixels, words);
    store_words(x, y, words, from, to);
  }
  /// The same for floats, by all lanes of a warp together, with x increasing by 8 from lane to lane
  /// and the same y: two lanes store 32 bytes at a time, which fill sectors.
  template <bool keeps_nan = false>
  __device__ void store_floats(int x, int y, const Pixel<4> (&pixels)[2], int from, int to) const {
    constexpr unsigned all = 0xffffffffu;
    const bool is_odd = (threadIdx.x & 1) != 0;
    std::uint32_t words[together];
#pragma unroll
    for (int i = 0; i < together; ++i) {
      const float v = pixels[i / 4].v[i % 4];
      words[i] = bits_of(keeps_nan ? v : canonical_nan(v));
    }
    const int whole = is_whole(x, from, to) && !memory.is_array() ? 1 : 0;
    const int both = whole & __shfl_xor_sync(all, whole, 1);
    std::uint32_t first[4], second[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t other = __shfl_xor_sync(all, is_odd ? words[i] : words[4 + i], 1);
      first[i] = is_odd ? other : words[i];
      second[i] = is_odd ? words[4 + i] : other;
    }
    if (both == 0) return store_words(x, y, words, from, to);
    const int byte = (x - left) * pixel_bytes - (is_odd ? 16 : 0), row = y - top;
    memory.rows.store_streaming(byte, row, uint4{first[0], first[1], first[2], first[3]});
    memory.rows.store_streaming(byte + 32, row, uint4{second[0], second[1], second[2], second[3]});
  }

 private:
  __device__ bool is_whole(int x, int from, int to) const {
    return from <= 0 && to >= together && in_words && (x - left) % together == 0;
  }
  __device__ void store_words(int x, int y, const std::uint32_t (&words)[together], int from,
                              int to) const {
    const int row = y - top, byte = (x - left) * pixel_bytes;
    if (is_whole(x, from, to)) {
      if (pixel_bytes == 1) {
        memory.store_streaming(byte, row, uint2{words[0], words[1]});
      } else {
        memory.store_streaming(byte, row, uint4{words[0], words[1], words[2], words[3]});
        if (pixel_bytes == 4)
          memory.store_streaming(byte + 16, row, uint4{words[4], words[5], words[6], words[7]});
      }
      return;
    }
#pragma unroll
    for (int i = 0; i < together; ++i) {
      if (i < from || i >= to) continue;
      if (pixel_bytes == 1)
        memory.store(byte + i, row, static_cast<std::uint8_t>(words[i / 4] >> (8 * (i % 4))));
      else if (pixel_bytes == 2)
        memory.store(byte + 2 * i, row, static_cast<std::uint16_t>(words[i / 2] >> (16 * (i % 2))));
      else
        memory.store(byte + 4 * i, row, words[i]);
    }
  }
  /// The words as which eight pixels are stored.
  template <bool keeps_nan>
  __device__ void encode(const Pixel<4> (&pixels)[2], std::uint32_t (&words)[together]) const {
    if (form.type == PixelType::half) {
      uint2 halves[2];
      detail::all_halves(pixels, halves);
      words[0] = halves[0].x, words[1] = halves[0].y;
      words[2] = halves[1].x, words[3] = halves[1].y;
      return;
    }
    float v[together];
#pragma unroll
    for (int i = 0; i < together; ++i) v[i] = pixels[i / 4].v[i % 4];
    if (form.type == PixelType::f32) {
#pragma unroll
      for (int i = 0; i < together; ++i) words[i] = bits_of(keeps_nan ? v[i] : canonical_nan(v[i]));
      return;
    }
#pragma unroll
    for (float& light : v) light = detail::within_one(light);
    std::uint32_t sums[together];
    if (form.type == PixelType::u8) {
      if (form.is_srgb) {
#pragma unroll
        for (int i = 0; i < together; ++i) sums[i] = detail::srgb8_sum_within(codes8, v[i]) >> 16;
      } else {
#pragma unroll
        for (int i = 0; i < together; ++i) sums[i] = detail::unorm8_sum_within(v[i]);
      }
#pragma unroll
      for (int i = 0; i < together; i += 4) {
        const std::uint32_t first[3] = {sums[i], sums[i + 1], sums[i + 2]};
        words[i / 4] = detail::four_bytes<false>(first, sums[i + 3]);
      }
      return;
    }
    if (form.is_srgb) {
      detail::srgb16_sums_within(*form.short16, form.tables.srgb16->thresholds, v, sums);
    } else {
#pragma unroll
      for (int i = 0; i < together; ++i) sums[i] = detail::unorm16_sum_within(v[i]);
    }
#pragma unroll
    for (int i = 0; i < together; i += 2) words[i / 2] = detail::two_halves(sums[i], sums[i + 1]);
  }
};

/// Makes the type of rows or of a target a constant: code for other types then disappears.
template <PixelType type, class Pixels>
__device__ inline void know_type_of_grey(Pixels& pixels) {
  pixels.form.type = type;
  pixels.pixel_bytes = static_cast<int>(bytes_of(type));
  pixels.form_bytes = 4 * pixels.pixel_bytes;
}

inline GreyTarget grey_target(CudaQueue& card, const Frame& frame) {
  GreyTarget target{form_target<4>(card, frame), 0, false};
  target.pixel_bytes = static_cast<int>(frame.as_stored().format().pixel_bytes());
  target.form_bytes = 4 * target.pixel_bytes;
  const RowMemory& rows = target.memory.rows;
  target.in_words =
      target.memory.is_array() ||
      (reinterpret_cast<std::uintptr_t>(rows.data) | rows.pitch_bytes) % sizeof(uint4) == 0;
  detail::as_four_colors(target.form);
  return target;
}

/// Stores one pixel of each of some rows from y on, for columns near the picture's edges, by all
/// threads of a block: the columns before whole_from and from whole_to on, among `width` columns
/// from x on.
/// @param make (int row, int x): the pixel's value.
template <class Make>
__device__ inline void store_edges(const GreyTarget& target, int x, int width, int whole_from,
                                   int whole_to, int y, int rows, const Make& make) {
  const int before = min(whole_from, width), after = width - max(whole_to, before);
  const int count = before + max(after, 0);
  for (int i = static_cast<int>(threadIdx.x); i < count * rows; i += static_cast<int>(blockDim.x)) {
    const int row = i / count, k = i % count;
    const int column = x + (k < before ? k : width - count + k);
    if (target.contains(column, y + row)) target.store_one(column, y + row, make(row, column));
  }
}

/// A block's shared memory for its loads and stores; a type needs one of these.
union GreyTables {
  struct {
    float light[light_of_codes];
    std::uint32_t codes[Srgb8Tables::buckets];
  } bytes;
  Srgb16Short shorts;  ///< TexelForm's tables, which threads read at random.
};

/// The used bytes of GreyTables, a multiple of 16.
inline int bytes_of_tables(const GreyRows& source, const GreyTarget& target) {
  const bool shorts = source.form.short16 != nullptr || target.form.short16 != nullptr;
  const bool bytes = source.form.type == PixelType::u8 || target.form.type == PixelType::u8;
  const std::size_t used = shorts ? sizeof(GreyTables) : bytes ? sizeof(GreyTables::bytes) : 0;
  return static_cast<int>(used + 15) / 16 * 16;
}
/// Whether both frames together need at most one of the tables.
inline bool share_tables(const Frame& source, const Frame& target) {
  const auto has = [&](const Frame& frame, PixelType type) {
    return frame.stored_form() != nullptr && frame.as_stored().format().type == type;
  };
  return (!has(source, PixelType::u8) || !has(target, PixelType::u16)) &&
         (!has(source, PixelType::u16) || !has(target, PixelType::u8));
}
/// Fills them in: all threads of a block call it, and synchronise after it.
__device__ inline void ready_tables(GreyRows& source, GreyTarget& target, GreyTables& tables,
                                    int thread, int threads) {
  const Srgb16Short* const shorts =
      source.form.short16 != nullptr ? source.form.short16 : target.form.short16;
  source.form.short16 = target.form.short16 = &tables.shorts;
  ready_loads(source, tables.bytes.light, thread, threads);
  ready_stores(target, tables.bytes.codes, thread, threads);
  if (shorts == nullptr) return;
  auto* const copy = reinterpret_cast<std::uint32_t*>(&tables.shorts);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(shorts);
  for (int i = thread; i < static_cast<int>(sizeof tables.shorts / sizeof *copy); i += threads)
    copy[i] = __ldg(words + i);
}

}  // namespace cuimg
