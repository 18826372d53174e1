// SPDX-License-Identifier: Apache-2.0
// Directions in layouts, compared with OpenEXR's own functions, and the accuracy of positions.
#include "kernels/warp/env_layout.h"

#include <OpenEXR/ImfEnvmap.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "stages/geometry/envmap.h"

namespace cuimg {
namespace {

double apart(const Vector3& a, const Imath::V3f& b) {
  const Imath::V3f unit = b.normalized();
  return std::max({std::fabs(a.x - unit.x), std::fabs(a.y - unit.y), std::fabs(a.z - unit.z)});
}

TEST(EnvLayout, OfLatlongIsOpenExrs) {
  const EnvLayout layout = env_layout(EnvmapLayout::latlong, true, 41, 21, "");
  const Imath::Box2i window({0, 0}, {40, 20});
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 41; ++x)
      EXPECT_LT(apart(layout.direction(0, x, y),
                      Imf::LatLongMap::direction(
                          window, Imath::V2f(static_cast<float>(x), static_cast<float>(y)))),
                1e-6);
}

TEST(EnvLayout, OfCubeFacesIsOpenExrs) {
  const EnvLayout layout = env_layout(EnvmapLayout::cube_faces, true, 9, 54, "");
  const Imath::Box2i window({0, 0}, {8, 53});
  for (int f = 0; f < 6; ++f)
    for (int j = 0; j < 9; ++j)
      for (int i = 0; i < 9; ++i) {
        const auto face = static_cast<Imf::CubeMapFace>(f);
        const Imath::V2f in_face(static_cast<float>(i), static_cast<float>(j));
        const Imath::V2f pixel = Imf::CubeMap::pixelPosition(face, window, in_face);
        const int x = static_cast<int>(pixel.x), y = static_cast<int>(pixel.y);
        ASSERT_EQ(layout.face_at(x, y), f);
        EXPECT_LT(apart(layout.direction(f, x, y - 9 * f),
                        Imf::CubeMap::direction(face, window, in_face)),
                  1e-6);
      }
}

struct Named {
  EnvmapLayout layout;
  int width, height;
};

// At a side of 32768 a texel is a hundredth of a degree.
TEST(EnvLayout, FindsEachPixelsDirectionWithinAHundredthOfATexelOfItsCentre) {
  const Named all[] = {{EnvmapLayout::latlong, 32768, 16384},
                       {EnvmapLayout::cube_faces, 8192, 49152},
                       {EnvmapLayout::cube_cross, 24576, 32768},
                       {EnvmapLayout::angular, 32768, 32768},
                       {EnvmapLayout::mirrorball, 32768, 32768}};
  std::mt19937 random(3);
  for (const Named& named : all)
    for (const bool edges : {false, true}) {
      const bool disc =
          named.layout == EnvmapLayout::angular || named.layout == EnvmapLayout::mirrorball;
      if (edges && disc) continue;
      const EnvLayout layout = env_layout(named.layout, edges, named.width, named.height, "");
      double worst = 0;
      for (int i = 0; i < 20000; ++i) {
        int x = static_cast<int>(random() % static_cast<unsigned>(named.width));
        int y = static_cast<int>(random() % static_cast<unsigned>(named.height));
        const int face = layout.face_at(x, y);
        if (face < 0) continue;
        x -= layout.faces[face].x, y -= layout.faces[face].y;
        // A position on an edge may be found on either side of it.
        const auto on_edge = [&](int at_pixel, int size) {
          return edges && (at_pixel == 0 || at_pixel == size - 1);
        };
        if (on_edge(x, layout.width) || on_edge(y, layout.height)) continue;
        // Near a pole or a rim, distant positions have almost the same direction.
        const Vector3 d = layout.direction(face, x, y);
        if (layout.projection == EnvProjection::latlong && std::fabs(d.y) > 0.99) continue;
        if (disc && std::fabs(d.z) > 0.99) continue;
        const EnvPosition at = layout.position(d);
        ASSERT_EQ(at.face, face);
        worst = std::max({worst, std::fabs(std::ldexp(static_cast<double>(at.x), -32) - x),
                          std::fabs(std::ldexp(static_cast<double>(at.y), -32) - y)});
      }
      EXPECT_LT(worst, 1.0 / 128) << static_cast<int>(named.layout);
    }
}

// The exact position of a direction, in double.
TEST(EnvLayout, FindsDirectionsOfLatlongWithinOneTwoHundredFiftySixthOfATexel) {
  constexpr double pi = 3.14159265358979323846;
  const EnvLayout layout = env_layout(EnvmapLayout::latlong, false, 32768, 16384, "");
  std::mt19937 random(4);
  std::uniform_real_distribution<float> any(-1, 1);
  double worst = 0;
  for (int i = 0; i < 50000; ++i) {
    const Vector3 d = normalized({any(random), any(random), any(random)});
    const EnvPosition at = layout.position(d);
    const double x = d.x, y = d.y, z = d.z;
    const double column = (0.5 - std::atan2(x, z) / (2 * pi)) * 32768 - 0.5;
    const double row = (0.5 - std::atan2(y, std::sqrt(x * x + z * z)) / pi) * 16384 - 0.5;
    worst = std::max({worst, std::fabs(std::ldexp(static_cast<double>(at.x), -32) - column),
                      std::fabs(std::ldexp(static_cast<double>(at.y), -32) - row)});
  }
  EXPECT_LT(worst, 1.0 / 256);
}

}  // namespace
}  // namespace cuimg
