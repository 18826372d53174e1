// SPDX-License-Identifier: Apache-2.0
// The light of 8-bit sRGB codes times alpha as keys of 16 bits, for medians: a key gives the light
// to within 2^-13, and the median of keys is the key of the median. This decides the code of
// nearly every median. The others are in doubt and computed from exact light.
#pragma once

#include <cstdint>

#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// Light is added to this before its bits become a key: the sum's exponent has 3 bits that vary, so
/// that 13 bits of the fraction fit into the key.
inline constexpr float key_offset = 0x1p-7f;

/// A float whose bits from key_shift on are the key. @param light the code's, divided by 255.
/// @param alpha the code.
CUIMG_HD inline std::uint32_t bits_of_key(float light, float alpha) {
  return bits_of(fma(light, alpha, key_offset));
}
inline constexpr int key_shift = 10;

/// The codes of light that was divided by alpha, for light within a few steps of a float.
struct NearCodes {
  /// An entry is for 2^16 floats of half of (light + key_offset), which is at least 2^-8.
  static constexpr std::uint32_t first = (0x3b800000u >> 16) - 1, count = 8 * 128 + 2;
  /// An entry is also valid for this many floats beyond its own.
  static constexpr std::uint32_t reach = 1u << 14;

  /// Added to 128 times a float's bits, this gives its code in the highest byte.
  std::uint32_t entries[count];
  /// The smallest light of each code; infinity after the last.
  float thresholds[257];
};

/// Computed on first use and kept. Safe to call from several threads.
const NearCodes& near_codes();

/// How a key's float is divided by alpha, halved and moved to what NearCodes expects.
struct AlphaScale {
  float factor, summand;

  /// @param reciprocal of alpha's code, within 2^-22; for alpha 0, all of whose light is 0, of 255.
  CUIMG_HD explicit AlphaScale(float reciprocal)
      : factor(reciprocal * 127.5f), summand(fma(factor, -key_offset, 0.5f * key_offset)) {}
  CUIMG_HD float operator()(std::uint32_t bits) const {
    const float scaled = fma(float_from_bits(bits), factor, summand);
#if defined(__CUDA_ARCH__)
    return __saturatef(scaled);
#else
    return clamp(scaled, 0.0f, 1.0f);
#endif
  }
};

/// The codes at both ends of a key's light, in the highest byte: no code is lower than `low` or, if
/// alpha is 0 or at least least_sure_alpha, higher than `high`, which is then `low` or the next.
struct CodesOfKey {
  std::uint32_t low, high;

  CUIMG_HD CodesOfKey(const std::uint32_t* entries, std::uint32_t key, const AlphaScale& scale) {
    // Keys, alpha, the definition's products and its division are rounded: 8 steps of a float
    // together, and at least one step is 2^-24 of the sum.
    constexpr std::uint32_t margin = 16, key_base = 0x3c000000u;
    const std::uint32_t begin = (key << key_shift) + (key_base - margin);
    const std::uint32_t end = begin + (1u << key_shift) + 2 * margin;
    const std::uint32_t low_bits = bits_of(scale(begin)), high_bits = bits_of(scale(end));
#if defined(__CUDA_ARCH__)
    // Not a shift, which the compiler would turn into one by 14 and a mask.
    const std::uint32_t entry = entries[__byte_perm(low_bits, 0, 0x4432) - NearCodes::first];
#else
    const std::uint32_t entry = entries[(low_bits >> 16) - NearCodes::first];
#endif
    low = low_bits * 128 + entry;
    high = high_bits * 128 + entry;
  }
  /// Zero in the highest byte if both codes are equal.
  CUIMG_HD std::uint32_t difference() const { return low ^ high; }
};

/// With a lower alpha, except 0, a key's ends can be further apart than NearCodes::reach.
inline constexpr std::uint32_t least_sure_alpha = 18;
CUIMG_HD inline bool is_sure_alpha(std::uint32_t alpha) {
  return alpha - 1 >= least_sure_alpha - 1;
}

}  // namespace cuimg
