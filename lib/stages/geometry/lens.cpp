// SPDX-License-Identifier: Apache-2.0
// undistort and distort: a lens's barrel, pincushion and shear taken out or put in.
#include <cmath>
#include <optional>
#include <string>

#include "base/error.h"
#include "stages/description.h"
#include "stages/geometry/affine.h"
#include "stages/geometry/radial_lens.h"
#include "stages/warp/warp.h"

namespace cuimg {
namespace {

struct Lens : WarpOptions {
  double k1 = 0, k2 = 0, k3 = 0, p1 = 0, p2 = 0;
  std::vector<double> focal, center;
};

// Where radii stop growing: the first zero of the derivative of r (1 + k1 r^2 + k2 r^4 + k3 r^6).
double fold_r2(const Lens& p, double farthest_r2) {
  const auto grows = [&](double r2) {
    return 1 + r2 * (3 * p.k1 + r2 * (5 * p.k2 + r2 * (7 * p.k3))) > 0;
  };
  constexpr int steps = 4096, halvings = 60;
  for (int i = 1; i <= steps; ++i) {
    double high = farthest_r2 * i / steps, low = farthest_r2 * (i - 1) / steps;
    if (grows(high)) continue;
    for (int k = 0; k < halvings; ++k) {
      const double middle = (low + high) / 2;
      (grows(middle) ? low : high) = middle;
    }
    return low;
  }
  return 1e300;
}

std::unique_ptr<Operation> through_lens(const std::string& place, const Lens& p, const Spec& input,
                                        bool adds, bool raw) {
  const Rect& display = input.display_window;
  const double width = display.width, height = display.height;
  if (p.focal.size() > 2)
    throw Error(place, "--focal has " + std::to_string(p.focal.size()) + " numbers",
                "use F or FX,FY");
  if (!p.center.empty() && p.center.size() != 2)
    throw Error(place, "--center has " + std::to_string(p.center.size()) + " numbers", "use X,Y");
  LensMap map{p.k1, p.k2, p.k3, p.p1, p.p2};
  const double half_diagonal = std::sqrt(width * width + height * height) / 2;
  map.focal_x = p.focal.empty() ? half_diagonal : p.focal.front();
  map.focal_y = p.focal.empty() ? half_diagonal : p.focal.back();
  map.center_x = (p.center.empty() ? width / 2 : p.center[0] - display.x) - 0.5;
  map.center_y = (p.center.empty() ? height / 2 : p.center[1] - display.y) - 0.5;
  map.left = display.x;
  map.top = display.y;
  map.adds = adds;
  const bool bends = p.k1 != 0 || p.k2 != 0 || p.k3 != 0 || p.p1 != 0 || p.p2 != 0;
  if (!bends) return make_affine(place, "--k1", p, input, display, {}, raw);
  // Twice as far as the corner that is farthest from the centre, for what lies beyond the frame.
  const double far_x = std::fmax(std::fabs(map.center_x), std::fabs(width - map.center_x));
  const double far_y = std::fmax(std::fabs(map.center_y), std::fabs(height - map.center_y));
  const double x = far_x / map.focal_x, y = far_y / map.focal_y;
  map.largest_r2 = fold_r2(p, 4 * (x * x + y * y));
  if (const std::optional<RadialMap> table = radial_map(map, display))
    return make_warp(p, input, display, *table, raw);
  return make_warp(p, input, display, map, raw);
}

// --border-color is seen where the model folds the picture over, whatever --border says.
StageDescription described(const std::string& name, std::string_view summary, std::string_view what,
                           bool adds) {
  return describe_warp<Lens>(
             describe<Lens>(name, summary, Kind::filter)
                 .param("k1", &Lens::k1, range(-1e3, 1e3), "radial, of r^2: below 0 is a barrel")
                 .param("k2", &Lens::k2, range(-1e3, 1e3), "radial, of r^4")
                 .param("k3", &Lens::k3, range(-1e3, 1e3), "radial, of r^6")
                 .param("p1", &Lens::p1, range(-1e3, 1e3), "tangential, along y")
                 .param("p2", &Lens::p2, range(-1e3, 1e3), "tangential, along x")
                 .param("focal", &Lens::focal, range(1e-3, 1e6), placeholder("F"),
                        "focal length, F or FX,FY; default half the picture's diagonal",
                        unit("pixels"))
                 .param("center", &Lens::center, range(-1e6, 1e6), placeholder("X,Y"),
                        "where the axis meets the picture; default the middle", unit("pixels")))
      .details(
          std::string(what) +
          " Brown's model (1966) in the terms of OpenCV: with x, y counted from the centre in "
          "focal lengths and r^2 = x^2 + y^2, a straight picture's point is seen at x (1 + k1 r^2 "
          "+ k2 r^4 + k3 r^6) + 2 p1 x y + p2 (r^2 + 2 x^2), y likewise with p1 (r^2 + 2 y^2) + 2 "
          "p2 x y. OpenCV's fx and fy are --focal; its cx and cy, which count pixel centres from "
          "0, are --center less 0.5. Without --focal, r is 1 in the corners, so coefficients serve "
          "every size. Where the model folds the picture over there is the border's colour. " +
          std::string(warp_details))
      .example("cuimg " + name + " --k1 -0.12 --k2 0.01 in.exr out.exr")
      .prepare([name, adds](const Lens& p, const Spec& input, const StageContext& context) {
        return through_lens(name, p, input, adds, context.raw);
      });
}

}  // namespace

StageDescription undistort_stage() {
  return described("undistort", "straighten what a lens bent",
                   "The input was seen through the lens, the output is straight.", false);
}

StageDescription distort_stage() {
  return described(
      "distort", "bend as a lens does",
      "The input is straight, the output is seen through the lens: undistort's inverse.", true);
}

}  // namespace cuimg
