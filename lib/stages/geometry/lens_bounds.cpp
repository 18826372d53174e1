// SPDX-License-Identifier: Apache-2.0
// Computed in double, with operations that IEEE 754 rounds. Rounding errors are far below the
// margin.
#include "stages/geometry/lens_bounds.h"

#include <algorithm>
#include <cmath>

namespace cuimg {
namespace {

using Point = LensMap::Point;

double length(const Point& p) { return std::sqrt(p.x * p.x + p.y * p.y); }

// The length of the shortest vector that the derivative makes of a unit vector; below 0 where it
// mirrors the picture. The derivative is a symmetric matrix, so this is its smaller eigenvalue.
double least_stretch(const LensMap::Bent& bent) {
  const double half_apart = (bent.xx - bent.yy) / 2;
  return (bent.xx + bent.yy) / 2 - std::sqrt(half_apart * half_apart + bent.xy * bent.xy);
}

// A bound of the norm of the second derivative for radii up to r. With g(s) = k1 s + k2 s^2 + k3
// s^3, s = r^2, the radial part p (1 + g(s)) has |D^2| <= 6 r |g'| + 4 r^3 |g''|. The tangential
// part is quadratic and has at most 6 (|p1| + |p2|).
double largest_bend(const LensMap& lens, double r) {
  const double k1 = std::fabs(lens.k1), k2 = std::fabs(lens.k2), k3 = std::fabs(lens.k3);
  const double s = r * r;
  const double first = k1 + s * (2 * k2 + s * (3 * k3)), second = 2 * k2 + s * (6 * k3);
  return 6 * r * first + 4 * r * s * second + 6 * (std::fabs(lens.p1) + std::fabs(lens.p2));
}

// Follows straight lines of the source through the lens.
class LensWalk {
 public:
  // @param margin how far a curve may deviate within a step, in focal lengths.
  LensWalk(const LensMap& lens, double margin) : lens_(lens), margin_(margin) {}

  // Continues from the end of the last line, initially from the centre. @returns false if the lens
  // folds.
  bool follow(const Point& to) {
    const Point from = source_;
    const double all = length({to.x - from.x, to.y - from.y});
    for (double done = 0; done < all;) {
      const double step = longest_step();
      if (!(step > 0) || ++steps_ > most_steps) return false;
      done = std::min(all, done + step);
      const double part = done / all;
      source_ = {from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
      if (!reach_source()) return false;
    }
    return true;
  }
  // Starts to collect the bounds of the following targets.
  void begin_bounds() { low_ = high_ = target_; }
  const Point& low() const { return low_; }
  const Point& high() const { return high_; }

 private:
  static constexpr int most_steps = 1 << 20;

  // Within a ball of radius `reach` around the straight point, the second derivative is at most
  // `bend`.
  double longest_step() const {
    const double r = length(straight_);
    const double reach = (r + 0.1) / 4, bend = largest_bend(lens_, r + reach);
    // The straight line itself is mapped, to a curve with the second derivative `bend`.
    if (lens_.adds) return std::min(reach, std::sqrt(8 * margin_ / bend));
    // The inverse. If bend times the radius 2 s / stretch is at most stretch / 2, then within the
    // ball of that radius the derivative stretches at least half as much as here. So each point of
    // the step has exactly one straight point, Newton's method finds it (Kantorovich), and the
    // second derivative is at most bend (2 / stretch)^3.
    const double stretch = least_stretch(lens_.bend(straight_));
    if (!(stretch > 0)) return 0;
    return std::min({stretch * reach / 2, stretch * stretch / (4 * bend),
                     std::sqrt(margin_ * stretch * stretch * stretch / bend)});
  }

  bool reach_source() {
    if (lens_.adds) {
      straight_ = source_;
    } else {
      constexpr int newton_steps = 40;
      bool arrived = false;
      for (int i = 0; i < newton_steps && !arrived; ++i) {
        const LensMap::Bent bent = lens_.bend(straight_);
        const double dx = source_.x - bent.x, dy = source_.y - bent.y;
        arrived = std::fabs(dx) + std::fabs(dy) < 1e-13 * (1 + length(source_));
        const double per = 1 / bent.determinant();
        straight_.x += (bent.yy * dx - bent.xy * dy) * per;
        straight_.y += (bent.xx * dy - bent.xy * dx) * per;
      }
      if (!arrived) return false;
    }
    const LensMap::Bent bent = lens_.bend(straight_);
    const double r2 = straight_.x * straight_.x + straight_.y * straight_.y;
    if (!(r2 < lens_.largest_r2) || !(bent.determinant() > 0)) return false;
    target_ = lens_.adds ? Point{bent.x, bent.y} : straight_;
    low_ = {std::min(low_.x, target_.x), std::min(low_.y, target_.y)};
    high_ = {std::max(high_.x, target_.x), std::max(high_.y, target_.y)};
    return true;
  }

  const LensMap& lens_;
  double margin_;
  int steps_ = 0;
  // The lens does not move the centre.
  Point source_ = {0, 0}, straight_ = {0, 0}, target_ = {0, 0};
  Point low_ = {0, 0}, high_ = {0, 0};
};

}  // namespace

std::optional<LensBounds> lens_bounds(const LensMap& lens, int width, int height) {
  constexpr double margin_texels = 1.0 / 64;
  const double left = (-0.5 - lens.center_x) / lens.focal_x;
  const double top = (-0.5 - lens.center_y) / lens.focal_y;
  const double right = left + width / lens.focal_x, bottom = top + height / lens.focal_y;
  LensWalk walk(lens, margin_texels / std::max(lens.focal_x, lens.focal_y));
  if (!walk.follow({left, top})) return std::nullopt;
  walk.begin_bounds();
  for (const Point& corner :
       {Point{right, top}, Point{right, bottom}, Point{left, bottom}, Point{left, top}})
    if (!walk.follow(corner)) return std::nullopt;
  return LensBounds{walk.low().x * lens.focal_x + lens.center_x - margin_texels,
                    walk.low().y * lens.focal_y + lens.center_y - margin_texels,
                    walk.high().x * lens.focal_x + lens.center_x + margin_texels,
                    walk.high().y * lens.focal_y + lens.center_y + margin_texels};
}

}  // namespace cuimg
