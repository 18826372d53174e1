// SPDX-License-Identifier: Apache-2.0
#include "compare/metrics/light_range.h"

#include <algorithm>

#include "device/on_device.h"
#include "kernels/compare/flip_color.h"

namespace cuimg {
namespace {

float median_of(std::vector<float>& light) {
  const auto middle = light.begin() + static_cast<std::ptrdiff_t>(light.size() / 2);
  std::nth_element(light.begin(), middle, light.end());
  return *middle;
}

LightRange light_range(const FloatBuffer& rgb) {
  std::vector<float> light;
  light.reserve(rgb.size() / 3);
  for (std::size_t i = 0; i + 2 < rgb.size(); i += 3)
    light.push_back(flip::luminance({rgb[i], rgb[i + 1], rgb[i + 2]}));
  if (light.empty()) return {};
  LightRange range = {*std::ranges::max_element(light), median_of(light)};
  if (range.brightest > 0 && !(range.median > 0)) {
    light.erase(std::remove_if(light.begin(), light.end(), [](float v) { return !(v > 0); }),
                light.end());
    range.median = median_of(light);
  }
  return range;
}

}  // namespace

LightRange light_range_of_golden(const DisplayPair& shown, const Queue& queue) {
  return on_device(
      queue, [&] { return light_range(shown.golden.rgb); },
      [&] { return light_range_on_cuda(queue, shown.golden_on_card); });
}

}  // namespace cuimg
