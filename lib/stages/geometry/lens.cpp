// SPDX-License-Identifier: Apache-2.0
// undistort and distort: remove or add a lens's barrel, pincushion and tangential distortion.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "base/message_text.h"
#include "stages/description.h"
#include "stages/geometry/affine.h"
#include "stages/geometry/lens_bounds.h"
#include "stages/geometry/radial_lens.h"
#include "stages/warp/warp.h"

namespace cuimg {
namespace {

struct Lens : WarpOptions {
  double k1 = 0, k2 = 0, k3 = 0, p1 = 0, p2 = 0;
  std::vector<double> focal, center;
  bool expand = false;
};

// The radius where radii stop growing: the first zero of the derivative of r (1 + k1 r^2 + k2 r^4 +
// k3 r^6).
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

// Searched up to `times` the distance of the window's farthest corner from the centre.
double fold_beyond(const Lens& p, const LensMap& map, const Rect& window, double times) {
  const auto along = [](double first, int count, double center) {
    return std::fmax(std::fabs(first - center), std::fabs(first + count - center));
  };
  const double x = along(window.x - map.left, window.width, map.center_x) / map.focal_x;
  const double y = along(window.y - map.top, window.height, map.center_y) / map.focal_y;
  return fold_r2(p, times * times * (x * x + y * y));
}

struct Margins {
  int left, top, right, bottom;
};

// The number of pixels by which a picture must grow so that nothing is cut off.
Margins margins(const std::string& place, const LensMap& map, int width, int height) {
  const std::optional<LensBounds> bounds = lens_bounds(map, width, height);
  if (!bounds)
    throw Error(place,
                "--expand cannot hold the whole picture: the lens folds it over before its edge",
                "use smaller coefficients, or leave out --expand");
  constexpr double most = 4;
  const auto beyond = [](double texels) { return std::max(0.0, std::ceil(texels)); };
  const double left = beyond(-0.5 - bounds->left), right = beyond(bounds->right + 0.5 - width);
  const double top = beyond(-0.5 - bounds->top), bottom = beyond(bounds->bottom + 0.5 - height);
  const double made_width = width + left + right, made_height = height + top + bottom;
  // Small pictures may grow by a few pixels more.
  constexpr double few = 16;
  const bool fits = made_width <= std::min<double>(most * width + few, largest_side) &&
                    made_height <= std::min<double>(most * height + few, largest_side);
  if (!fits)
    throw Error(place,
                fmt::format("--expand makes {:.0f}x{:.0f} of {}x{}", made_width, made_height, width,
                            height),
                fmt::format("use smaller coefficients, or leave it out: a side may grow to {} "
                            "times the picture's, and to {}",
                            most, largest_side));
  return {static_cast<int>(left), static_cast<int>(top), static_cast<int>(right),
          static_cast<int>(bottom)};
}

std::unique_ptr<Operation> through_lens(const std::string& place, const Lens& p, const Spec& input,
                                        bool adds, bool raw) {
  const Rect& display = input.display_window;
  const double width = display.width, height = display.height;
  if (p.focal.size() > 2)
    throw Error(place, "--focal has " + std::to_string(p.focal.size()) + " numbers",
                "use F or FX,FY");
  if (!p.center.empty() && p.center.size() != 2)
    throw Error(place, "--center has " + counted(std::ssize(p.center), "number"), "use X,Y");
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
  if (!bends) return make_affine({place, "--k1"}, p, input, display, {}, raw);
  Rect window = display;
  if (p.expand) {
    // A straight picture may be larger, but not this much.
    map.largest_r2 = fold_beyond(p, map, display, adds ? 2 : 8);
    const Margins more = margins(place, map, display.width, display.height);
    window.width += more.left + more.right;
    window.height += more.top + more.bottom;
    map.left += more.left;
    map.top += more.top;
  }
  // Twice as far, to include pixels beyond the frame.
  map.largest_r2 = fold_beyond(p, map, window, 2);
  if (const std::optional<RadialMap> table = radial_map(map, window))
    return make_warp(p, input, window, *table, raw);
  return make_warp(p, input, window, map, raw);
}

// --border-color is visible where the model folds the picture over, whatever --border says.
StageDescription described(const std::string& name, std::string_view summary, std::string_view what,
                           bool adds) {
  return describe_warp<Lens>(
             describe<Lens>(name, summary, Kind::filter)
                 .param("k1", &Lens::k1, range(-1e3, 1e3),
                        "radial coefficient of r^2; below 0 is barrel distortion")
                 .param("k2", &Lens::k2, range(-1e3, 1e3), "radial coefficient of r^4")
                 .param("k3", &Lens::k3, range(-1e3, 1e3), "radial coefficient of r^6")
                 .param("p1", &Lens::p1, range(-1e3, 1e3), "tangential coefficient along y")
                 .param("p2", &Lens::p2, range(-1e3, 1e3), "tangential coefficient along x")
                 .param("focal", &Lens::focal, range(1e-3, 1e6), placeholder("F"),
                        "focal length, F or FX,FY; default half the picture's diagonal",
                        unit("pixels"))
                 .param("center", &Lens::center, range(-1e6, 1e6), placeholder("X,Y"),
                        "where the optical axis meets the picture; default the middle",
                        unit("pixels"))
                 .param("expand", &Lens::expand,
                        "enlarge the display window to hold the whole picture"))
      .details(std::string(what) +
               " Brown's model (1966) in OpenCV's terms: with x, y measured from the centre in "
               "focal lengths and r^2 = x^2 + y^2, a point of the straight picture is seen at x (1 "
               "+ k1 r^2 + k2 r^4 + k3 r^6) + 2 p1 x y + p2 (r^2 + 2 x^2), and correspondingly in "
               "y with p1 (r^2 + 2 y^2) + 2 p2 x y. OpenCV's fx and fy are --focal; its cx and cy, "
               "which count pixel centres from 0, are --center minus 0.5. Without --focal, r is 1 "
               "in the corners, so the same coefficients work for every size. Where the model "
               "folds the picture over, the border's colour shows.\n\nWith --expand the window "
               "grows by whole pixels on the sides where something would be cut off, and never "
               "shrinks. Its corner keeps its coordinates, and the picture moves in it, as with "
               "rotate. Without --focal, r is 1 in the input's corners. To undo " +
               name +
               " --expand give both stages the same --focal. If the axis is in the middle it stays "
               "there, and cut --size WxH cuts the picture out again. A lens that folds the "
               "picture over before its edge is refused, and so are windows with a side of more "
               "than four times the picture's.\n\n" +
               std::string(warp_details))
      .example("cuimg " + name + " --k1 -0.12 --k2 0.01 in.exr out.exr")
      .example("cuimg " + name + " --k1 -0.12 --focal 2200 --expand in.exr out.exr")
      .prepare([name, adds](const Lens& p, const Spec& input, const StageContext& context) {
        return through_lens(name, p, input, adds, context.raw);
      });
}

}  // namespace

StageDescription undistort_stage() {
  return described("undistort", "remove a lens's distortion",
                   "The input was seen through the lens, the output is straight.", false);
}

StageDescription distort_stage() {
  return described("distort", "add a lens's distortion",
                   "The input is straight, and the output is seen through the lens. This is the "
                   "inverse of undistort.",
                   true);
}

}  // namespace cuimg
