// SPDX-License-Identifier: Apache-2.0
// A volume of four floats read by the software texture unit.
#pragma once

#include "kernels/texture/texture_unit.h"

namespace cuimg {

/// The software version of CudaTexture3D; the texels may be on the host or on a card.
struct SoftwareVolume {
  Texture3D<float, 4> texture;

  CUIMG_HD explicit SoftwareVolume(const float* texels, int size)
      : texture{texels,
                16 * static_cast<std::size_t>(size),
                16 * static_cast<std::size_t>(size) * static_cast<std::size_t>(size),
                size,
                size,
                size} {}
  CUIMG_HD Pixel<4> operator()(float x, float y, float z) const {
    return sample(texture, Sampler{}, x, y, z);
  }
};

}  // namespace cuimg
