// SPDX-License-Identifier: Apache-2.0
// The grid on the CPU: rows through the software texture unit.
#include <cstring>

#include "kernels/texture/software_volume.h"
#include "stages/color/lut_texture.h"

namespace cuimg {

void lut_texture_on_cpu(const GridTexture& grid, const GridVolume& volume, const Frame& source,
                        const Frame& target) {
  const SoftwareVolume texels(volume.texels->data(), volume.size);
  const Rect& r = target.region();
  const auto width = static_cast<std::size_t>(r.width);
  const auto from = static_cast<std::size_t>(grid.from.channels);
  const auto to = static_cast<std::size_t>(grid.to.channels);
  for (int y = r.y; y < r.bottom(); ++y) {
    const float* in = source.pixel_as<float>(r.x, y);
    float* out = target.pixel_as<float>(r.x, y);
    for (std::size_t x = 0; x < width; ++x) {
      float pixel[4] = {}, made[4];
      std::memcpy(pixel, in + x * from, from * sizeof(float));
      grid(texels, pixel, made);
      std::memcpy(out + x * to, made, to * sizeof(float));
    }
  }
}

}  // namespace cuimg
