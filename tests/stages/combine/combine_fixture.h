// SPDX-License-Identifier: Apache-2.0
// A picture of one or more pixels, and the file of a second image.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {

// A picture, and the file of a second image.
class Combine : public testing::Test {
 protected:
  std::string write(const std::string& name, const Image& image) const {
    write_image(folder_ / name, image, *codec_named(name.ends_with(".png") ? "png" : "exr"));
    return folder_ / name;
  }
  static Image pixel(std::vector<float> values) {
    const Spec spec = spec_of({0, 0, 1, 1}, PixelType::f32, static_cast<int>(values.size()));
    return image_of(spec,
                    [&](int, int, int, int c) { return values[static_cast<std::size_t>(c)]; });
  }
  static std::vector<float> at(const Image& image, int x, int y) {
    std::vector<float> values;
    for (int c = 0; c < image.spec().layers[0].channel_count(); ++c)
      values.push_back(value_at(image, x, y, c));
    return values;
  }
  // The result of `words --with SECOND` for two pixels.
  std::vector<float> combined(const std::string& words, const std::vector<float>& first,
                              const std::vector<float>& second) const {
    return at(run_chain(words + " --with " + write("second.exr", pixel(second)), pixel(first)), 0,
              0);
  }
  const TempDir folder_;
};

using Values = std::vector<float>;

}  // namespace cuimg::test
