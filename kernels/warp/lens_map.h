// SPDX-License-Identifier: Apache-2.0
// Source positions of a lens's picture, computed step by step in double: for lenses that RadialMap
// cannot represent.
#pragma once

#include "kernels/math/platform.h"
#include "kernels/warp/warp_position.h"

namespace cuimg {

/// A lens by Brown, "Decentering Distortion of Lenses", 1966, in OpenCV's terms: on the plane at
/// distance 1, with r2 = x*x + y*y, a straight picture's point (x, y) appears at
///   x (1 + k1 r2 + k2 r2^2 + k3 r2^3) + 2 p1 x y + p2 (r2 + 2 x x), and
///   y (1 + k1 r2 + k2 r2^2 + k3 r2^3) + p1 (r2 + 2 y y) + 2 p2 x y.
struct LensMap {
  double k1, k2, k3, p1, p2;
  /// In texels; the centre is in the coordinates of positions.
  double focal_x, focal_y, center_x, center_y;
  double largest_r2;  ///< Beyond it the model folds the picture over, and nothing is visible.
  int left, top;
  bool adds;  ///< Whether the target is the distorted picture, instead of the straight one.

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
  /// Newton's method for the point that is distorted to `seen`. @returns whether it converged.
  CUIMG_HD bool straighten(const Point& seen, Point& p, Bent& bent) const {
    constexpr int steps = 12;
    constexpr double close = 1e-18;  // squared: far below 1/256 texel
    bool arrives = false;
    p = seen;
    for (int i = 0; i < steps && !arrives; ++i) {
      bent = bend(p);
      const double dx = seen.x - bent.x, dy = seen.y - bent.y;
      // The next step doubles the number of correct digits, which is all that a double has.
      arrives = dx * dx + dy * dy < close;
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

}  // namespace cuimg
