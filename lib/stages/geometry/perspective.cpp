// SPDX-License-Identifier: Apache-2.0
// perspective: the picture as a plane that is seen at an angle. Matrices are 3x3 and inverted once,
// in double.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/error.h"
#include "base/message_text.h"
#include "stages/description.h"
#include "stages/geometry/affine.h"
#include "stages/warp/warp.h"

namespace cuimg {
namespace {

struct Perspective : WarpOptions {
  std::vector<double> corners, matrix;
};

using Projection = std::array<double, 9>;  // (X, Y, W) = m (x, y, 1), row by row

Projection product(const Projection& a, const Projection& b) {
  Projection m{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      m[3 * i + j] = (a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j]) + a[3 * i + 2] * b[6 + j];
  return m;
}

Projection adjugate(const Projection& m) {
  return {m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
          m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
          m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
}

// Maps the unit square's corners to (x, y)[0..3], clockwise from the top left. Heckbert,
// "Fundamentals of Texture Mapping and Image Warping", 1989, section 2.2.3.
Projection square_to(const std::vector<double>& c) {
  const double x0 = c[0], y0 = c[1], x1 = c[2], y1 = c[3], x2 = c[4], y2 = c[5], x3 = c[6],
               y3 = c[7];
  const double dx1 = x1 - x2, dx2 = x3 - x2, sx = (x0 - x1) + (x2 - x3);
  const double dy1 = y1 - y2, dy2 = y3 - y2, sy = (y0 - y1) + (y2 - y3);
  const double area = dx1 * dy2 - dx2 * dy1;
  const double g = (sx * dy2 - dx2 * sy) / area, h = (dx1 * sy - sx * dy1) / area;
  return {x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h, 1};
}

// --border-color is visible behind the horizon, whatever --border says.
void check_numbers(const Perspective& p) {
  if (p.corners.empty() == p.matrix.empty())
    throw Error("perspective",
                p.corners.empty() ? "neither --corners nor --matrix is given"
                                  : "--corners and --matrix exclude each other",
                "give one");
  if (p.matrix.empty() && p.corners.size() != 8)
    throw Error("perspective", "--corners has " + counted(std::ssize(p.corners), "number"),
                "use eight: x,y of the top left, top right, bottom right and bottom left corner");
  if (p.corners.empty() && p.matrix.size() != 9)
    throw Error("perspective", "--matrix has " + counted(std::ssize(p.matrix), "number"),
                "use nine, row by row");
}

Projection from_corners(const Perspective& p, const Rect& display) {
  const Projection m = square_to(p.corners);
  // Everything lies in front of the eye: W is positive at each corner.
  const bool convex = 1 + m[6] > 0 && 1 + m[7] > 0 && 1 + m[6] + m[7] > 0;
  if (!convex)
    throw Error("perspective", "--corners is not a convex quadrilateral",
                "give the corners in order: top left, top right, bottom right, bottom left");
  const double w = display.width, h = display.height;
  return product(m, {1 / w, 0, -display.x / w, 0, 1 / h, -display.y / h, 0, 0, 1});
}

Projection from_matrix(const Perspective& p) {
  Projection m;
  std::copy(p.matrix.begin(), p.matrix.end(), m.begin());
  return m;
}

// The matrix for finding pixels: from the target's window to the source's texels, both relative to
// their corners. W is above 0 for points in front of the eye, such as the picture's middle unless
// it is on the horizon.
Projection inverse_between(Projection m, const Rect& source, const Rect& target) {
  const double middle_w =
      m[6] * (source.x + source.width / 2.0) + m[7] * (source.y + source.height / 2.0) + m[8];
  if (middle_w < 0)
    for (double& v : m) v = -v;
  Projection inverse = adjugate(m);
  const double determinant = (m[0] * inverse[0] + m[1] * inverse[3]) + m[2] * inverse[6];
  if (determinant == 0 || !std::isfinite(determinant))
    throw Error("perspective", "the picture is seen edge on", "give a matrix with an inverse");
  for (double& v : inverse) v /= determinant;
  const Projection to_absolute = {1, 0, target.x + 0.5, 0, 1, target.y + 0.5, 0, 0, 1};
  const Projection to_texels = {1, 0, -(source.x + 0.5), 0, 1, -(source.y + 0.5), 0, 0, 1};
  return product(to_texels, product(inverse, to_absolute));
}

std::unique_ptr<Operation> projected(const Perspective& p, const Spec& input,
                                     const StageContext& context) {
  const Rect& display = input.display_window;
  const Projection m = p.corners.empty() ? from_matrix(p) : from_corners(p, display);
  if (m[6] == 0 && m[7] == 0 && m[8] != 0)
    return make_affine(
        {"perspective", p.corners.empty() ? "--matrix" : "--corners"}, p, input, display,
        {m[0] / m[8], m[3] / m[8], m[1] / m[8], m[4] / m[8], m[2] / m[8], m[5] / m[8]},
        context.raw);
  const Projection inverse = inverse_between(m, display, display);
  ProjectiveMap map{{}, display.x, display.y};
  std::copy(inverse.begin(), inverse.end(), map.h);
  for (const double v : map.h)
    if (!std::isfinite(v))
      throw Error("perspective", "the picture is seen edge on", "give a matrix with an inverse");
  return make_warp(p, input, display, map, context.raw);
}

}  // namespace

StageDescription perspective_stage() {
  return describe_warp<Perspective>(
             describe<Perspective>("perspective", "warp the picture by a perspective", Kind::filter)
                 .param("corners", &Perspective::corners, placeholder("X,Y,X,Y,X,Y,X,Y"),
                        "where the corners move to, clockwise from the top left")
                 .param("matrix", &Perspective::matrix, placeholder("A,B,C,...,I"),
                        "instead of corners, A,B,...,I: x, y go to (A x + B y + C, D x + E y + F) "
                        "/ (G x + H y + I)"))
      .details(
          "Coordinates are absolute, with y down and pixel centres at halves; a picture's corners "
          "are those of its display window, which stays. The nine numbers are those of OpenCV's "
          "warpPerspective, except that OpenCV has pixel centres at whole numbers. Whatever lies "
          "behind the horizon gets the border's colour. " +
          std::string(warp_details))
      .example("cuimg perspective --corners 40,20,600,0,640,480,0,460 in.exr out.exr")
      .check(check_numbers)
      .prepare(projected);
}

}  // namespace cuimg
