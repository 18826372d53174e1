// SPDX-License-Identifier: Apache-2.0
// The mip levels of a picture: the sides that are supported, and their computation on the CPU.
#pragma once

#include <string>
#include <vector>

#include "device/queue.h"
#include "kernels/texture/texture_unit.h"
#include "stages/resample/texture_view.h"

namespace cuimg {

/// For --filter trilinear. @param what names the picture, for the error. @throws Error if a side is
/// longer than a mipmapped texture allows.
void require_mip_sides(const std::string& what, int width, int height);

/// The picture and its halved versions, down to the last. @param picture float rows.
/// @throws Error if memory runs out.
std::vector<Frame> make_levels_on_cpu(const Queue& queue, const Frame& picture, int last_level);

/// A host frame of floats as a texture of N channels.
template <int N>
Texture2D<float, N> float_texture(const Frame& frame) {
  const TextureView2D all = texture_view(frame);
  return {all.data, all.pitch_bytes, all.width, all.height};
}

/// The frames as a mipmapped texture. They must outlive it.
template <int N>
class LevelViews {
 public:
  explicit LevelViews(const std::vector<Frame>& levels) {
    for (const Frame& level : levels) views_.push_back(float_texture<N>(level));
  }
  MipTexture2D<float, N> texture() const {
    return {views_.data(), static_cast<int>(views_.size())};
  }

 private:
  std::vector<Texture2D<float, N>> views_;
};

}  // namespace cuimg
