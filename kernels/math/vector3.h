// SPDX-License-Identifier: Apache-2.0
// Three floats: points, directions, light.
#pragma once

#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

struct Vector3 {
  float x, y, z;
};

CUIMG_HD constexpr Vector3 operator+(Vector3 a, Vector3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
CUIMG_HD constexpr Vector3 operator-(Vector3 a, Vector3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
/// Channel by channel, for light and reflectance.
CUIMG_HD constexpr Vector3 operator*(Vector3 a, Vector3 b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
CUIMG_HD constexpr Vector3 operator*(float s, Vector3 a) { return {s * a.x, s * a.y, s * a.z}; }
CUIMG_HD constexpr float dot(Vector3 a, Vector3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
CUIMG_HD constexpr Vector3 cross(Vector3 a, Vector3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// Scaled to length 1. @param a not the zero vector.
CUIMG_HD inline Vector3 normalized(Vector3 a) { return (1.0f / sqrt(dot(a, a))) * a; }

}  // namespace cuimg
