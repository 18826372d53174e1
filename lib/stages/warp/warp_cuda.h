// SPDX-License-Identifier: Apache-2.0
// Code that the parts of a warp on a card share.
#pragma once

#include "device/cuda/cuda_queue.h"
#include "kernels/texture/texture_coordinates.h"
#include "stages/warp/warp.h"

namespace cuimg {

/// Whether the texture unit's float coordinates can represent every position.
inline bool fits_a_float(const Frame& source) {
  const Rect& r = source.region();
  return r.width <= longest_side_in_float && r.height <= longest_side_in_float;
}

/// The position in the texture of the source's first texel. It is not (0, 0) if the source is a
/// part of the texture; then texels are read in software, which addresses the whole texture.
struct PartOfTexture {
  int left, top;
  bool is_all;
};
inline PartOfTexture part_of_texture(const WarpPlan& plan, const Frame& source) {
  const Rect &all = plan.texture, &part = source.region();
  return {part.x - all.x, part.y - all.y, part == all};
}

/// Float texels, averaged over their footprint where the picture shrinks. @throws DeviceError.
void warp_filtered_on_cuda(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                           const Frame& source, const Frame& target);

/// Address::wrap and mirror by the texture unit, for sides up to longest_normalized_side.
/// @param source the whole texture. @param hidden the value of pixels that see nothing.
/// @throws DeviceError.
template <int N>
void warp_periodic_on_cuda(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                           const Frame& source, const Pixel<N>& hidden, const Frame& target);

/// WarpMethod::texture_unit from FormKind::srgb8 in rows to the same form, with a border whose
/// values are neither tiny nor huge (LayerPlan::maps_srgb8_codes). @throws DeviceError.
void warp_codes_on_cuda(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                        const Frame& source, const Frame& target);

/// For WarpMethod::levels. @param source the whole texture, in rows. @throws DeviceError.
void warp_levels_on_cuda(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                         const Frame& source, const Frame& target);

}  // namespace cuimg
