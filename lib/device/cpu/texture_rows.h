// SPDX-License-Identifier: Apache-2.0
// The texture unit on the host: a row of reads at a time, for formats that are known at run time.
#pragma once

#include <cstddef>

#include "kernels/texture/texture.h"

namespace cuimg {

/// Texels in host memory: rows of `width` texels of one to four interleaved channels. The memory is
/// aligned for its channel type; a card would store three channels as four, with equal values.
struct TextureView2D {
  const void* data = nullptr;
  std::size_t pitch_bytes = 0;
  int width = 0, height = 0;
  TexelType type = TexelType::f32;
  int channels = 4;
};

/// Reads the points (x[i], y[i]), i < count, as the texture unit does
/// (kernels/texture/texture_unit.h defines it). Coordinates are in texels or, with
/// `sampler.normalized`, fractions of the size. The machine affects only the instructions, not the
/// result.
/// @param out count * texture.channels floats, interleaved.
/// Throws Error if the view is empty or does not have 1 to 4 channels.
void sample_row(const TextureView2D& texture, const Sampler& sampler, const float* x,
                const float* y, std::ptrdiff_t count, float* out);

}  // namespace cuimg
