// SPDX-License-Identifier: Apache-2.0
// Matrices between colour spaces, in double.
#include "image/primaries.h"

#include <cmath>

#include "base/error.h"

namespace cuimg {
namespace {

Matrix3 diagonal(const Xyz& d) { return {{{d.v[0], 0, 0}, {0, d.v[1], 0}, {0, 0, d.v[2]}}}; }

Xyz white_xyz(const Chromaticities& space) {
  const double x = space.wx, y = space.wy;
  if (!(y > 0.0))
    throw Error("primaries", "the white point's y is not above 0", "give the white as CIE x, y");
  return {{x / y, 1.0, (1.0 - x - y) / y}};
}

constexpr Matrix3 bradford{
    {{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}};

}  // namespace

bool spans_colors(const Chromaticities& space) {
  for (const float v :
       {space.rx, space.ry, space.gx, space.gy, space.bx, space.by, space.wx, space.wy})
    if (!(std::abs(v) < 100.0f)) return false;
  try {
    inverse(rgb_to_xyz(space));
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool near(const Chromaticities& a, const Chromaticities& b, float tolerance) {
  const auto same = [&](float u, float v) { return std::abs(u - v) <= tolerance; };
  return same(a.rx, b.rx) && same(a.ry, b.ry) && same(a.gx, b.gx) && same(a.gy, b.gy) &&
         same(a.bx, b.bx) && same(a.by, b.by) && same(a.wx, b.wx) && same(a.wy, b.wy);
}

Xyz operator*(const Matrix3& a, const Xyz& b) {
  Xyz result{};
  for (int row = 0; row < 3; ++row)
    result.v[row] = a.m[row][0] * b.v[0] + a.m[row][1] * b.v[1] + a.m[row][2] * b.v[2];
  return result;
}

Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
  Matrix3 result;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      result.m[row][column] = a.m[row][0] * b.m[0][column] + a.m[row][1] * b.m[1][column] +
                              a.m[row][2] * b.m[2][column];
  return result;
}

Matrix3 inverse(const Matrix3& matrix) {
  const auto& m = matrix.m;
  Matrix3 cofactors;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) {
      // Cyclic indices give the sign.
      const int r1 = (row + 1) % 3, r2 = (row + 2) % 3;
      const int c1 = (column + 1) % 3, c2 = (column + 2) % 3;
      cofactors.m[column][row] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
    }
  const double determinant =
      m[0][0] * cofactors.m[0][0] + m[0][1] * cofactors.m[1][0] + m[0][2] * cofactors.m[2][0];
  if (!(determinant > 1e-9 || determinant < -1e-9))
    throw Error("primaries", "the matrix has no inverse", "give primaries that span a triangle");
  for (auto& row : cofactors.m)
    for (double& value : row) value /= determinant;
  return cofactors;
}

Matrix3 rgb_to_xyz(const Chromaticities& space) {
  const double rx = space.rx, ry = space.ry, gx = space.gx, gy = space.gy;
  const double bx = space.bx, by = space.by;
  const Matrix3 directions{
      {{rx, gx, bx}, {ry, gy, by}, {1.0 - rx - ry, 1.0 - gx - gy, 1.0 - bx - by}}};
  return directions * diagonal(inverse(directions) * white_xyz(space));
}

Matrix3 adaptation(const Xyz& from_white, const Xyz& to_white) {
  const Xyz source = bradford * from_white, target = bradford * to_white;
  const Xyz gains{
      {target.v[0] / source.v[0], target.v[1] / source.v[1], target.v[2] / source.v[2]}};
  return inverse(bradford) * diagonal(gains) * bradford;
}

Matrix3 rgb_to_rgb(const Chromaticities& from, const Chromaticities& to) {
  if (from == to) return {};
  Matrix3 xyz = rgb_to_xyz(from);
  if (from.wx != to.wx || from.wy != to.wy) xyz = adaptation(white_xyz(from), white_xyz(to)) * xyz;
  return inverse(rgb_to_xyz(to)) * xyz;
}

}  // namespace cuimg
