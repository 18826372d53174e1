// SPDX-License-Identifier: Apache-2.0
// Chains and windows for tests of stencils in parts: every stage that reads neighbours, every
// border, and data windows inside of the display window, equal to it and beyond it.
#pragma once

#include <string>
#include <vector>

#include "support/images.h"

namespace cuimg::test {

inline constexpr Rect stencil_display = {0, 0, 110, 90};
inline constexpr Rect stencil_windows[] = {
    {9, 11, 83, 60},      // inside
    stencil_display,      //
    {-13, -9, 140, 120},  // overscan on all sides,
    {20, -9, 120, 60},    // overscan on some sides
};

/// Small and large windows, also larger than the picture, and every way to combine them.
inline std::vector<std::string> stencil_chains() {
  std::vector<std::string> chains;
  for (const char* stage :
       {"box --radius 2", "box --radius 9,3", "box --radius 0,12", "box --radius 40",
        "box --radius 150,1", "blur --sigma 1.5", "blur --sigma 7,3", "blur --sigma 30",
        "blur --sigma 26,2", "unsharp --sigma 9.5", "bilateral --radius 3", "sobel", "laplacian",
        "median --size 3", "median --size 5", "median --size 11",
        "convolve --kernel '1,2,1;2,4,2;1,2,1'", "convolve --kernel '1,0,2,0,0,3;0,4,0,0,5,0'",
        "convolve --kernel '1,2,3,4,5,6,7,8,9'"})
    for (const char* border : {"clamp", "wrap", "mirror", "border"})
      chains.push_back(std::string(stage) + " --border " + border);
  for (const char* chain :
       {"erode --radius 3", "dilate --radius 20,1", "open --radius 4", "close --radius 9",
        "open --radius 3 --shape disk", "dilate --radius 11 --shape disk",
        "box --radius 3 --border mirror + unsharp --sigma 2 --border mirror",
        "median --size 3 --border mirror + blur --sigma 12 --border mirror"})
    chains.emplace_back(chain);
  return chains;
}

inline Image stencil_picture(const Rect& window, PixelType type, int channels) {
  Spec spec = spec_of(window, type, channels);
  spec.display_window = stencil_display;
  return noise(spec);
}

}  // namespace cuimg::test
