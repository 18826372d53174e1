// SPDX-License-Identifier: Apache-2.0
// Stages that read neighbours, for pictures whose data window is smaller than the display window:
// the result is the same as for the same picture stored with the zeros around it.
#include <gtest/gtest.h>

#include "support/images.h"

namespace cuimg::test {
namespace {

// The image in this window, with zeros outside of its data window.
Image covering(const Image& image, const Rect& window) {
  Spec spec = image.spec();
  const Rect data = spec.data_window;
  spec.data_window = window;
  return image_of(spec, [&](int, int x, int y, int c) {
    return data.contains(Rect{x, y, 1, 1}) ? value_at(image, x, y, c) : 0.0f;
  });
}

TEST(StencilWindow, ZerosAroundTheDataWindowNeedNotBeStored) {
  const Rect windows[] = {{1, 0, 3, 9}, {4, 5, 6, 2}, {0, 0, 11, 4}, {-2, 3, 8, 2}, {5, 4, 1, 1}};
  for (const Rect& window : windows) {
    Spec spec = spec_of(window, PixelType::f32, 4);
    spec.display_window = {0, 0, 11, 9};
    const Image image = noise(spec);
    const Image stored = covering(image, bounding(window, spec.display_window));
    for (const char* stage :
         {"box --radius 2", "box --radius 1,7", "box --radius 0,4", "box --radius 3,0",
          "blur --sigma 1", "blur --sigma 30", "unsharp --sigma 2 --amount 3",
          "bilateral --radius 3", "sobel", "laplacian", "median --size 5",
          "convolve --kernel '1,2,1;2,4,2;1,2,1'"})
      for (const char* border : {"clamp", "wrap", "mirror", "border"}) {
        const std::string words = std::string(stage) + " --border " + border;
        const Image made = run_chain(words, image), expected = run_chain(words, stored);
        const Rect& all = expected.spec().data_window;
        EXPECT_TRUE(all.contains(made.spec().data_window)) << words;
        EXPECT_TRUE(same_pixels(covering(made, all), expected)) << words << " " << window.x;
      }
  }
}

}  // namespace
}  // namespace cuimg::test
