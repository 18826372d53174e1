// SPDX-License-Identifier: Apache-2.0
#include "stages/resample/texture_view.h"

#include "base/error.h"

namespace cuimg {

TexelType texel_type(PixelType type) {
  if (type == PixelType::u32)
    throw Error("texture", "u32 ids cannot be filtered", "use --filter point");
  return type == PixelType::u8     ? TexelType::u8
         : type == PixelType::u16  ? TexelType::u16
         : type == PixelType::half ? TexelType::half
                                   : TexelType::f32;
}

Address address_of(Border border) {
  return border == Border::wrap     ? Address::wrap
         : border == Border::mirror ? Address::mirror
         : border == Border::border ? Address::border
                                    : Address::clamp;
}

BorderRule border_rule(Border border) {
  return border == Border::wrap     ? BorderRule::wrap
         : border == Border::mirror ? BorderRule::mirror
         : border == Border::border ? BorderRule::zero
                                    : BorderRule::clamp;
}

TextureView2D texture_view(const Frame& frame) {
  const Rect& r = frame.region();
  return {frame.pixel(r.x, r.y),
          static_cast<std::size_t>(frame.pitch()),
          r.width,
          r.height,
          texel_type(frame.format().type),
          frame.format().channels};
}

}  // namespace cuimg
