// SPDX-License-Identifier: Apache-2.0
// Source positions of a warped picture's pixels: affine maps in exact fixed point, projective ones
// in double, lenses by tables or step by step, each with the distance to the next pixel's position.
// Matrices and tables are made on the host.
#pragma once

#include <cstdint>

#include "kernels/math/platform.h"
#include "kernels/warp/lens_map.h"
#include "kernels/warp/radial_map.h"
#include "kernels/warp/warp_position.h"

namespace cuimg {

/// Sums of integers: for pictures of any size, no pixel's error exceeds that of the matrix.
struct AffineMap {
  /// x = xx * u + xy * v + x0, in 2^-32 texel, modulo 2^64; (u, v) is relative to (left, top), the
  /// first pixel.
  std::int64_t xx, xy, x0, yx, yy, y0;
  int left, top;
  WarpDerivative slope;

  CUIMG_HD static std::int64_t sum(std::int64_t a, std::uint32_t u, std::int64_t b, std::uint32_t v,
                                   std::int64_t c) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * u +
                                     static_cast<std::uint64_t>(b) * v +
                                     static_cast<std::uint64_t>(c));
  }
  /// The same map with its target relative to (x, y).
  CUIMG_HD AffineMap from(int x, int y) const {
    AffineMap map = *this;
    map.left -= x;
    map.top -= y;
    return map;
  }
  /// @returns whether the pixel sees the source's plane: always true here.
  CUIMG_HD bool at(int x, int y, WarpPosition& position) const {
    const auto u = static_cast<std::uint32_t>(x - left), v = static_cast<std::uint32_t>(y - top);
    position = {sum(xx, u, xy, v, x0), sum(yx, u, yy, v, y0)};
    return true;
  }
  CUIMG_HD bool at(int x, int y, WarpPosition& position, WarpDerivative& derivative) const {
    derivative = slope;
    return at(x, y, position);
  }
};

/// From target to source: (X, Y, W) = h (u, v, 1), position (X / W, Y / W), visible if W > 0.
struct ProjectiveMap {
  double h[9];
  int left, top;

  CUIMG_HD bool at(int x, int y, WarpPosition& position) const {
    WarpDerivative unused;
    return at(x, y, position, unused);
  }
  CUIMG_HD bool at(int x, int y, WarpPosition& position, WarpDerivative& derivative) const {
    const double u = x - left, v = y - top;
    const double w = h[6] * u + (h[7] * v + h[8]);
    if (!(w > 0)) return false;
    const double per_w = 1 / w;
    const double s = (h[0] * u + (h[1] * v + h[2])) * per_w;
    const double t = (h[3] * u + (h[4] * v + h[5])) * per_w;
    position = {fixed_position(s), fixed_position(t)};
    derivative = {static_cast<float>((h[0] - s * h[6]) * per_w),
                  static_cast<float>((h[1] - s * h[7]) * per_w),
                  static_cast<float>((h[3] - t * h[6]) * per_w),
                  static_cast<float>((h[4] - t * h[7]) * per_w)};
    return true;
  }
};

/// One of the maps. A visitor receives a reference to it: a table is large, and a pixel reads
/// little of it.
class WarpMap {
 public:
  WarpMap() : kind_(Kind::affine), affine_{} {}
  WarpMap(const AffineMap& map) : kind_(Kind::affine), affine_(map) {}
  WarpMap(const ProjectiveMap& map) : kind_(Kind::projective), projective_(map) {}
  WarpMap(const RadialMap& map) : kind_(Kind::radial), radial_(map) {}
  WarpMap(const LensMap& map) : kind_(Kind::lens), lens_(map) {}

  bool is_affine() const { return kind_ == Kind::affine; }

  /// visitor(map) with the map's own type.
  CUIMG_CALLS_ANY template <class Visitor>
  CUIMG_HD void visit(const Visitor& visitor) const {
    switch (kind_) {
      case Kind::affine:
        return visitor(affine_);
      case Kind::projective:
        return visitor(projective_);
      case Kind::radial:
        return visitor(radial_);
      case Kind::lens:
        return visitor(lens_);
    }
  }

 private:
  enum class Kind : std::uint8_t { affine, projective, radial, lens };
  Kind kind_;
  union {
    AffineMap affine_;
    ProjectiveMap projective_;
    RadialMap radial_;
    LensMap lens_;
  };
};

}  // namespace cuimg
