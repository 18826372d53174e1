// SPDX-License-Identifier: Apache-2.0
// Unconverted floats, which most passes read and write on a card.
#pragma once

#include "stages/pass/pass_texels.cuh"

namespace cuimg {

/// One, two or four floats in memory, streamed, since they are not read again.
template <int floats>
struct StreamedFloats;
template <>
struct StreamedFloats<1> {
  __device__ static void load(const float* from, float* v) { v[0] = __ldcs(from); }
  __device__ static void store(float* to, const float* v) { __stcs(to, v[0]); }
};
template <>
struct StreamedFloats<2> {
  __device__ static void load(const float* from, float* v) {
    const float2 two = __ldcs(reinterpret_cast<const float2*>(from));
    v[0] = two.x, v[1] = two.y;
  }
  __device__ static void store(float* to, const float* v) {
    __stcs(reinterpret_cast<float2*>(to), make_float2(v[0], v[1]));
  }
};
template <>
struct StreamedFloats<4> {
  __device__ static void load(const float* from, float* v) {
    const float4 four = __ldcs(reinterpret_cast<const float4*>(from));
    v[0] = four.x, v[1] = four.y, v[2] = four.z, v[3] = four.w;
  }
  __device__ static void store(float* to, const float* v) {
    __stcs(reinterpret_cast<float4*>(to), make_float4(v[0], v[1], v[2], v[3]));
  }
};

/// Rows of texels of one, two or four floats. A row is located once for all of a thread's pixels,
/// each of which then costs a comparison and an access.
/// @tparam width floats of a texel, or 0: it is known from the frame, and a thread checks it once.
template <int width>
struct FloatTexels {
  static constexpr bool is_array = false;
  Rect covered;
  ByteRows rows;
  bool in_fours = false;  ///< Whether a texel has one float, and a thread's texels are adjacent.

  struct Row {
    float* first;  ///< The columns from `left` on:
    int left;
    unsigned columns;
    int texel_bytes;
    bool in_fours;

    template <int pixels>
    __device__ void load(int at, int step, float (*v)[4]) const {
      if constexpr (has_fours<pixels>)
        if (float* const four = four_at(at)) {
          const float4 values = __ldcs(reinterpret_cast<const float4*>(four));
          v[0][0] = values.x, v[1][0] = values.y, v[2][0] = values.z, v[3][0] = values.w;
          return;
        }
      each<pixels>(at, step, [&](auto floats, float* texel, int i) {
        StreamedFloats<floats>::load(texel, v[i]);
      });
    }
    template <int pixels>
    __device__ void store(int at, int step, const float (*v)[4]) const {
      if constexpr (has_fours<pixels>)
        if (float* const four = four_at(at))
          return __stcs(reinterpret_cast<float4*>(four),
                        make_float4(v[0][0], v[1][0], v[2][0], v[3][0]));
      each<pixels>(at, step, [&](auto floats, float* texel, int i) {
        StreamedFloats<floats>::store(texel, v[i]);
      });
    }

   private:
    template <int pixels>
    static constexpr bool has_fours = width == 0 && pixels == 4;
    /// The address for four floats in one word; null if this is not possible.
    __device__ float* four_at(int at) const {
      const int column = at - left;
      if (!in_fours || column < 0 || static_cast<unsigned>(column) + 3 >= columns) return nullptr;
      float* const four = first + column;
      return reinterpret_cast<std::uintptr_t>(four) % sizeof(float4) == 0 ? four : nullptr;
    }
    template <int pixels, class Access>
    __device__ void each(int at, int step, const Access& access) const {
      if constexpr (width != 0) {
        each_of<width, pixels>(at, step, access);
      } else {
        switch (texel_bytes) {
          case 4:
            return each_of<1, pixels>(at, step, access);
          case 8:
            return each_of<2, pixels>(at, step, access);
          default:
            return each_of<4, pixels>(at, step, access);
        }
      }
    }
    template <int floats, int pixels, class Access>
    __device__ void each_of(int at, int step, const Access& access) const {
#pragma unroll
      for (int i = 0; i < pixels; ++i) {
        const int column = at + i * step - left;
        if (static_cast<unsigned>(column) < columns)
          access(std::integral_constant<int, floats>(),
                 first + static_cast<std::ptrdiff_t>(column) * floats, i);
      }
    }
  };
  __device__ Row row(int y) const { return row(y, covered); }
  __device__ Row row(int y, const Rect& part) const {
    const bool inside = y >= part.y && y < part.y + part.height;
    return {reinterpret_cast<float*>(rows.texel(part.x, y)), part.x,
            inside ? static_cast<unsigned>(part.width) : 0u, rows.texel_bytes, in_fours};
  }
};

/// Unconverted floats, stored into an array.
struct FloatArray {
  static constexpr bool is_array = true;
  ArrayMemory memory;
  Rect region;
  int channels;  ///< 1, 2 or 4.

  struct Row {
    const FloatArray& target;
    Rect part;
    int y;

    template <int pixels>
    __device__ void store(int at, int step, const TexelTables&, const float (*v)[4]) const {
      store<pixels>(at, step, v);
    }
    template <int pixels>
    __device__ void store(int at, int step, const float (*v)[4]) const {
      if (y >= part.y + part.height) return;
#pragma unroll
      for (int i = 0; i < pixels; ++i)
        if (at + i * step < part.x + part.width) target.store(at + i * step, y, v[i]);
    }
  };
  /// @param part of the target that is written.
  __device__ Row row(int y, const Rect& part) const { return {*this, part, y}; }

 private:
  __device__ void store(int x, int y, const float* v) const {
    const int column = x - region.x, row = y - region.y;
    if (channels == 4)
      memory.store(16 * column, row, make_float4(v[0], v[1], v[2], v[3]));
    else if (channels == 2)
      memory.store(8 * column, row, make_float2(v[0], v[1]));
    else
      memory.store(4 * column, row, v[0]);
  }
};

}  // namespace cuimg
