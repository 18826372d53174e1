// SPDX-License-Identifier: Apache-2.0
// Pictures of decreasing size, coordinates at which to read them, and the software unit's results.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "kernels/texture/texture_unit.h"

namespace cuimg::samples {

/// A sequence of random words, the same on every machine: SplitMix64 (Steele, Lea and Flood 2014).
class Words {
 public:
  explicit Words(std::uint64_t seed) : state_(seed) {}
  std::uint32_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>(z >> 32);
  }
  int below(int count) {
    return static_cast<int>(std::uint64_t{next()} * static_cast<unsigned>(count) >> 32);
  }
  /// From 0 to 1.
  float part() { return static_cast<float>(next() >> 8) * 0x1p-24f; }

 private:
  std::uint64_t state_;
};

/// The texels' values: numbers of similar magnitude, numbers over 60 binades, or also infinities,
/// NaN and denormals.
enum class Contents { even, uneven, special };

struct Place {
  float x, y, level;
};

/// Levels in one block, the largest first, without gaps between rows. Each is half as large as the
/// one before.
template <class T>
struct Chain {
  struct Level {
    int width, height;
    std::size_t first;  ///< Among the texels.
  };
  std::vector<Level> levels;
  std::vector<Texel<T, 4>> texels;

  Chain(int width, int height, Contents contents, std::uint64_t seed) {
    Words words(seed);
    for (bool is_last = false; !is_last; width = std::max(1, width / 2)) {
      levels.push_back({width, height, texels.size()});
      is_last = width == 1 && height == 1;
      for (int i = 0; i < width * height; ++i) {
        Texel<T, 4> texel;
        for (T& value : texel.v) value = stored(random_value(words, contents));
        texels.push_back(texel);
      }
      height = std::max(1, height / 2);
    }
  }

  Pixel<4> read(const Sampler& sampler, const Place& at) const {
    std::vector<Texture2D<T, 4>> views;
    for (const Level& level : levels)
      views.push_back({texels.data() + level.first,
                       static_cast<std::size_t>(level.width) * sizeof(Texel<T, 4>), level.width,
                       level.height});
    return sample_level(MipTexture2D<T, 4>{views.data(), static_cast<int>(views.size())}, sampler,
                        at.x, at.y, at.level);
  }

 private:
  static float random_value(Words& words, Contents contents) {
    const std::uint32_t word = words.next();
    constexpr bool is_half = sizeof(T) == 2;
    if (contents == Contents::special && words.below(24) == 0) {
      constexpr float infinity = std::numeric_limits<float>::infinity();
      constexpr float special[] = {0.0f,
                                   -0.0f,
                                   infinity,
                                   -infinity,
                                   is_half ? 0x1p-20f : 0x1p-140f,
                                   std::numeric_limits<float>::quiet_NaN()};
      return special[words.below(6)];
    }
    const int binades = contents == Contents::even ? 4 : is_half ? 29 : 60;
    const int exponent = (is_half ? -14 : -30) + words.below(binades);
    const int shift = contents == Contents::even ? (is_half ? 14 : 30) : 0;
    return std::ldexp(std::bit_cast<float>((word & 0x807fffffu) | 0x3f800000u), exponent + shift);
  }
  static float stored(float value, float) { return value; }
  static Half stored(float value, Half) { return float_to_half(value); }
  static T stored(float value) { return stored(value, T{}); }
};

/// Coordinates at which errors are most likely: close to the beginning of a texel or of a level,
/// far outside, and infinities and NaN.
inline std::vector<Place> places(int width, int height, int levels, int count, std::uint64_t seed) {
  Words words(seed);
  const auto nudged = [&](float value) {
    for (int step = words.below(5) - 2; step != 0; step += step < 0 ? 1 : -1)
      value = std::nextafter(value, step < 0 ? -2.0f : 1e9f);
    return value;
  };
  const auto coordinate = [&](int size) {
    switch (words.below(4)) {
      case 0:
        return words.part() * 2.5f - 0.75f;
      case 1: {  // 1/256 texel of some level
        const int texels = std::max(1, size >> words.below(levels));
        const int steps = words.below(512 * texels) - 128 * texels;
        return nudged(static_cast<float>((steps + 0.5) / (256.0 * texels)));
      }
      case 2:  // multiples of the precision of a coordinate
        return nudged(static_cast<float>(words.below(1 << 24)) * 0x1p-23f - 0.5f);
      default:
        return words.part();
    }
  };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> strange = {std::numeric_limits<float>::quiet_NaN(),
                                      infinity,
                                      -infinity,
                                      1e30f,
                                      -1e30f,
                                      -1e-30f,
                                      1e-42f,
                                      70000.25f,
                                      -3.75f};
  const auto any_of = [&] {
    return strange[static_cast<std::size_t>(words.below(static_cast<int>(strange.size())))];
  };
  std::vector<Place> result;
  for (int i = 0; i < count; ++i) {
    Place place = {coordinate(width), coordinate(height), 0};
    const float most = static_cast<float>(levels + 1);
    place.level = words.part() * most - 1.0f;
    if (words.below(4) == 0)
      place.level = nudged(static_cast<float>(words.below(levels * 256)) / 256);
    if (words.below(8) == 0) place.level = static_cast<float>(words.below(levels));
    if (words.below(100) == 0) place.level = any_of();
    if (words.below(50) == 0) place.x = any_of();
    if (words.below(50) == 0) place.y = any_of();
    result.push_back(place);
  }
  return result;
}

/// Compares bits, so that NaN equals NaN.
inline bool same_bits(const Pixel<4>& a, const Pixel<4>& b) {
  for (int c = 0; c < 4; ++c)
    if (std::bit_cast<std::uint32_t>(a.v[c]) != std::bit_cast<std::uint32_t>(b.v[c])) return false;
  return true;
}

}  // namespace cuimg::samples
