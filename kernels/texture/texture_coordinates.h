// SPDX-License-Identifier: Apache-2.0
// The position of a coordinate in texels, the one or two texels that it reads along an axis, and
// its distance between them. Every step in double is exact.
#pragma once

#include "kernels/math/platform.h"
#include "kernels/texture/texture.h"

namespace cuimg {

/// The index for the border colour.
inline constexpr int outside = -1;

/// Up to this size a float represents 1/256 of a texel beyond both edges, and a card supports
/// textures of rows.
inline constexpr int longest_side_in_float = 65000;

/// The texels of a linear read along one axis. With fraction 0 the far texel is not part of the
/// read, so `far` repeats `near`: its value, even a NaN, must have no effect.
struct AxisTaps {
  int near, far;
  int fraction;  ///< share of `far`, in units of 1/256
};

/// floor, which compiles to one instruction if the target has one.
CUIMG_HD inline double exact_floor(double value) { return __builtin_floor(value); }

/// Without normalised coordinates the unit only supports clamp and border.
CUIMG_HD constexpr Address effective_address(Address address, bool normalized) {
  const bool periodic = address == Address::wrap || address == Address::mirror;
  return periodic && !normalized ? Address::clamp : address;
}

/// Fraction bits that a normalised coordinate keeps in a texture whose longer side is `size`.
CUIMG_HD constexpr int coordinate_bits(int size) {
  return size <= 8192 ? 21 : size <= 65536 ? 22 : 23;
}

/// The same for a level of a mipmapped texture with this longer side.
CUIMG_HD constexpr int level_coordinate_bits(int longer_side) {
  return longer_side <= 8192 ? 21 : longer_side <= 16384 ? 22 : 23;
}

/// The coordinate as the unit interprets it: NaN counts as 0, and so does a denormal of either
/// sign.
CUIMG_HD inline double coordinate_value(float coordinate) {
  const float magnitude = coordinate < 0 ? -coordinate : coordinate;
  return magnitude >= 0x1p-126f ? coordinate : 0.0f;
}

/// Position of a normalised coordinate on an axis whose coordinates keep `1 / step` parts:
/// wrap leaves [0, size), mirror [0, 2 size); otherwise positions too far out to
/// matter are moved closer.
template <Address address>
CUIMG_HD inline double normalized_position(float coordinate, double parts, double step_texels) {
  double u = coordinate_value(coordinate);
  if constexpr (address == Address::wrap || address == Address::mirror) {
    u = u - u == 0.0 ? u : 0.0;  // infinities too
    const double period = address == Address::wrap ? parts : 2 * parts;
    const double part = exact_floor(u * parts);
    return (part - period * exact_floor(part * (1 / period))) * step_texels;
  } else {
    u = u < -4.0 ? -4.0 : u;
    u = u > 4.0 ? 4.0 : u;
    return exact_floor(u * parts) * step_texels;
  }
}

/// Position of an unnormalised coordinate on an axis of `size` texels, limited in the same way.
CUIMG_HD inline double texel_position(float coordinate, int size) {
  double x = coordinate_value(coordinate);
  x = x < -4.0 ? -4.0 : x;
  const double beyond = size + 4.0;
  return x > beyond ? beyond : x;
}

/// A prepared axis: values that depend only on the size and the sampler.
template <Address address, bool normalized>
struct Axis {
  int size;
  double parts = 0, step_texels = 0;

  CUIMG_HD explicit Axis(int axis_size) : Axis(axis_size, coordinate_bits(axis_size)) {}
  /// @param bits the fraction bits of a normalised coordinate.
  CUIMG_HD Axis(int axis_size, int bits) : size(axis_size) {
    if constexpr (normalized) {
      parts = static_cast<double>(1 << bits);
      step_texels = size * (1 / parts);
    }
  }

  CUIMG_HD double position(float coordinate) const {
    if constexpr (normalized) return normalized_position<address>(coordinate, parts, step_texels);
    return texel_position(coordinate, size);
  }

  /// Applies the addressing mode to a texel index that is at most one period away.
  CUIMG_HD int resolve(int index) const {
    if constexpr (address == Address::wrap) {
      index = index < 0 ? index + size : index;
      return index >= size ? index - size : index;
    } else if constexpr (address == Address::mirror) {
      const int period = 2 * size;
      index = index < 0 ? index + period : index;
      index = index >= period ? index - period : index;
      return index < size ? index : period - 1 - index;
    } else if constexpr (address == Address::clamp) {
      index = index < 0 ? 0 : index;
      return index >= size ? size - 1 : index;
    } else {
      return index < 0 || index >= size ? outside : index;
    }
  }

  CUIMG_HD int point(float coordinate) const {
    return resolve(static_cast<int>(exact_floor(position(coordinate))));
  }

  /// The unit rounds a position to 1/256 texel before anything else.
  CUIMG_HD AxisTaps linear(float coordinate) const {
    int fixed = static_cast<int>(exact_floor(position(coordinate) * 256.0 - 127.5));
    if constexpr (address == Address::clamp) {
      // In 2D this equals clamping the texels; with slices the rounding of the weights differs.
      const int last = (size - 1) * 256;
      fixed = fixed < 0 ? 0 : fixed;
      fixed = fixed > last ? last : fixed;
    }
    const int index = fixed >> 8;
    const int fraction = fixed & 255;
    const int near = resolve(index);
    const int far = resolve(index + 1);
    return {near, fraction == 0 ? near : far, fraction};
  }
};

/// A side of a texture. Both sides of a 2D texture use the bits of the longer one.
struct TextureSide {
  int texels, longer;

  // NOLINTNEXTLINE: a texture of one side
  CUIMG_HD constexpr TextureSide(int size) : texels(size), longer(size) {}
  CUIMG_HD constexpr TextureSide(int size, int other)
      : texels(size), longer(size > other ? size : other) {}
};

/// Calls `use` with the Axis for `address` and `normalized`, which are known at run time.
template <class Use>
CUIMG_HD inline auto with_axis(Address address, bool normalized, TextureSide side, const Use& use) {
  const int size = side.texels;
  if (normalized) {
    const int bits = coordinate_bits(side.longer);
    switch (address) {
      case Address::wrap:
        return use(Axis<Address::wrap, true>(size, bits));
      case Address::clamp:
        return use(Axis<Address::clamp, true>(size, bits));
      case Address::mirror:
        return use(Axis<Address::mirror, true>(size, bits));
      case Address::border:
        break;
    }
    return use(Axis<Address::border, true>(size, bits));
  }
  if (effective_address(address, false) == Address::clamp)
    return use(Axis<Address::clamp, false>(size));
  return use(Axis<Address::border, false>(size));
}

CUIMG_HD inline int point_tap(const Sampler& sampler, int axis, TextureSide side,
                              float coordinate) {
  return with_axis(sampler.address[axis], sampler.normalized, side,
                   [=](const auto& resolved) { return resolved.point(coordinate); });
}

CUIMG_HD inline AxisTaps linear_taps(const Sampler& sampler, int axis, TextureSide side,
                                     float coordinate) {
  return with_axis(sampler.address[axis], sampler.normalized, side,
                   [=](const auto& resolved) { return resolved.linear(coordinate); });
}

/// An axis of a level of a mipmapped texture, whose coordinates are always normalised.
CUIMG_HD inline AxisTaps level_axis_taps(Address address, int size, int longer_side,
                                         float coordinate) {
  const int bits = level_coordinate_bits(longer_side);
  switch (address) {
    case Address::wrap:
      return Axis<Address::wrap, true>(size, bits).linear(coordinate);
    case Address::mirror:
      return Axis<Address::mirror, true>(size, bits).linear(coordinate);
    case Address::border:
      return Axis<Address::border, true>(size, bits).linear(coordinate);
    case Address::clamp:
      break;
  }
  return Axis<Address::clamp, true>(size, bits).linear(coordinate);
}

/// The taps of one level.
struct LevelTaps {
  AxisTaps x, y;
};
CUIMG_HD inline LevelTaps level_texel_taps(const Sampler& sampler, int width, int height, float x,
                                           float y) {
  const int longer = width > height ? width : height;
  return {level_axis_taps(sampler.address[0], width, longer, x),
          level_axis_taps(sampler.address[1], height, longer, y)};
}

/// The mip levels around a level of detail: `fraction` / 256 is the far one's share.
CUIMG_HD inline AxisTaps level_taps(float level_of_detail, int level_count) {
  const float last = static_cast<float>(level_count - 1);
  float lod = level_of_detail > 0.0f ? level_of_detail : 0.0f;
  lod = lod < last ? lod : last;
  const int fixed = static_cast<int>(lod * 256.0f);
  const int near = fixed >> 8;
  const int fraction = fixed & 255;
  const int far = near + 1 < level_count ? near + 1 : near;
  return {near, fraction == 0 ? near : far, fraction};
}

}  // namespace cuimg
