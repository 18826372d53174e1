// SPDX-License-Identifier: Apache-2.0
// The positions of OpenCV 5.0.0's initUndistortRectifyMap for 64x48 pixels with fx 50, fy 45, cx
// 32.5, cy 22 (its pixel centres are at integers) and (k1, k2, p1, p2, k3) = (-0.25, 0.08, 0.003,
// -0.005, 0.01).
#pragma once

#include <string>

namespace cuimg::test {

inline const std::string opencv_lens =
    "--k1 -0.25 --k2 0.08 --k3 0.01 --p1 0.003 --p2 -0.005 --focal 50,45 --center 33,22.5";

struct OpenCvPoint {
  int x, y;
  double from_x, from_y;
};
inline constexpr OpenCvPoint opencv_points[] = {{0, 0, 3.861656665802002, 2.8152968883514404},
                                                {63, 0, 58.892822265625, 2.9348552227020264},
                                                {31, 20, 31.000308990478516, 20.001758575439453},
                                                {10, 40, 11.545938491821289, 38.73968505859375},
                                                {63, 47, 58.781707763671875, 43.773780822753906}};

}  // namespace cuimg::test
