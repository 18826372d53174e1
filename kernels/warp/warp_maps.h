// SPDX-License-Identifier: Apache-2.0
// Where a warped picture's pixels come from: affine maps in exact fixed point, projective ones and
// lenses in double, each with how fast the source passes by. Matrices are made on the host.
#pragma once

#include <cstdint>

#include "kernels/math/platform.h"
#include "kernels/math/variant.h"

namespace cuimg {

/// In 2^-32 texel from the centre of the source's first texel, within 2^30 texels of it.
struct WarpPosition {
  std::int64_t x, y;
};

/// Source texels for each target pixel: xy is how the source's x changes with the target's y.
struct WarpDerivative {
  float xx, xy, yx, yy;
};

inline constexpr double farthest_texel = 0x1p30;

/// Texels as fixed point; what lies too far out is brought nearer, NaN too.
CUIMG_HD inline std::int64_t fixed_position(double texels) {
  double t = texels > -farthest_texel ? texels : -farthest_texel;
  t = t < farthest_texel ? t : farthest_texel;
  return static_cast<std::int64_t>(t * 0x1p32);
}

/// Sums of integers: no pixel of however large a picture is off by more than the matrix.
struct AffineMap {
  /// x = xx * u + xy * v + x0, in 2^-32 texel, modulo 2^64; (u, v) counted from (left, top), which
  /// no pixel lies before.
  std::int64_t xx, xy, x0, yx, yy, y0;
  int left, top;
  WarpDerivative slope;

  CUIMG_HD static std::int64_t sum(std::int64_t a, std::uint32_t u, std::int64_t b, std::uint32_t v,
                                   std::int64_t c) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * u +
                                     static_cast<std::uint64_t>(b) * v +
                                     static_cast<std::uint64_t>(c));
  }
  /// The same map, its target counted from (x, y).
  CUIMG_HD AffineMap from(int x, int y) const {
    AffineMap map = *this;
    map.left -= x;
    map.top -= y;
    return map;
  }
  /// @returns whether the pixel sees the source's plane at all: always.
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

/// From target to source: (X, Y, W) = h (u, v, 1), position (X / W, Y / W), seen where W > 0.
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

/// A lens by Brown, "Decentering Distortion of Lenses", 1966, in OpenCV's terms: on the plane at
/// distance 1, with r2 = x*x + y*y, a straight picture's point (x, y) is seen at
///   x (1 + k1 r2 + k2 r2^2 + k3 r2^3) + 2 p1 x y + p2 (r2 + 2 x x), and likewise
///   y (1 + k1 r2 + k2 r2^2 + k3 r2^3) + p1 (r2 + 2 y y) + 2 p2 x y.
struct LensMap {
  double k1, k2, k3, p1, p2;
  double focal_x, focal_y, center_x, center_y;  ///< In texels, the centre as positions count.
  double largest_r2;  ///< Beyond it the model folds the picture over: nothing is seen there.
  int left, top;
  bool adds;  ///< The target is the distorted picture, else the straight one.

  struct Point {
    double x, y;
  };
  /// The distorted point and its derivatives, of which yx is xy.
  struct Bent {
    double x, y, xx, xy, yy;
    CUIMG_HD double determinant() const { return xx * yy - xy * xy; }
  };
  CUIMG_HD Bent bend(const Point& p) const {
    const double x2 = p.x * p.x, y2 = p.y * p.y, xy = p.x * p.y, r2 = x2 + y2;
    const double radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3));
    const double slope = 2 * (k1 + r2 * (2 * k2 + r2 * (3 * k3)));
    return {p.x * radial + (2 * p1 * xy + p2 * (r2 + 2 * x2)),
            p.y * radial + (p1 * (r2 + 2 * y2) + 2 * p2 * xy),
            radial + x2 * slope + (2 * p1 * p.y + 6 * p2 * p.x),
            xy * slope + (2 * p1 * p.x + 2 * p2 * p.y),
            radial + y2 * slope + (6 * p1 * p.y + 2 * p2 * p.x)};
  }
  /// Newton's steps towards the point that bends to `seen`. @returns whether they arrived.
  CUIMG_HD bool straighten(const Point& seen, Point& p, Bent& bent) const {
    constexpr int steps = 12;
    constexpr double close = 1e-18;  // squared: far below 1/256 texel
    p = seen;
    for (int i = 0; i < steps; ++i) {
      bent = bend(p);
      const double dx = seen.x - bent.x, dy = seen.y - bent.y;
      const double per = 1 / bent.determinant();
      p.x = p.x + (bent.yy * dx - bent.xy * dy) * per;
      p.y = p.y + (bent.xx * dy - bent.xy * dx) * per;
    }
    bent = bend(p);
    const double dx = seen.x - bent.x, dy = seen.y - bent.y;
    return dx * dx + dy * dy < close;
  }

  CUIMG_HD bool at(int x, int y, WarpPosition& position) const {
    WarpDerivative unused;
    return at(x, y, position, unused);
  }
  CUIMG_HD bool at(int x, int y, WarpPosition& position, WarpDerivative& derivative) const {
    const Point target = {(x - left - center_x) / focal_x, (y - top - center_y) / focal_y};
    Point straight = target;
    Bent bent;
    if (adds) {
      if (!straighten(target, straight, bent)) return false;
    } else {
      bent = bend(straight);
    }
    const double determinant = bent.determinant();
    const double r2 = straight.x * straight.x + straight.y * straight.y;
    if (!(determinant > 0) || !(r2 < largest_r2)) return false;
    const double aspect = focal_x / focal_y;
    if (adds) {
      position = {fixed_position(straight.x * focal_x + center_x),
                  fixed_position(straight.y * focal_y + center_y)};
      const double per = 1 / determinant;
      derivative = {static_cast<float>(bent.yy * per), static_cast<float>(-bent.xy * aspect * per),
                    static_cast<float>(-bent.xy / aspect * per), static_cast<float>(bent.xx * per)};
    } else {
      position = {fixed_position(bent.x * focal_x + center_x),
                  fixed_position(bent.y * focal_y + center_y)};
      derivative = {static_cast<float>(bent.xx), static_cast<float>(bent.xy * aspect),
                    static_cast<float>(bent.xy / aspect), static_cast<float>(bent.yy)};
    }
    return true;
  }
};

using WarpMap = Variant<AffineMap, ProjectiveMap, LensMap>;

}  // namespace cuimg
