// SPDX-License-Identifier: Apache-2.0
#include "stages/resample/texture_view.h"

#include "base/error.h"

namespace cuimg {

TexelType texel_type(PixelType type) {
  switch (type) {
    case PixelType::u8:
      return TexelType::u8;
    case PixelType::u16:
      return TexelType::u16;
    case PixelType::half:
      return TexelType::half;
    case PixelType::f32:
      return TexelType::f32;
    case PixelType::u32:
      break;
  }
  throw Error("texture", "u32 ids cannot be filtered", "use --filter point");
}

Address address_of(Border border) {
  switch (border) {
    case Border::clamp:
      return Address::clamp;
    case Border::wrap:
      return Address::wrap;
    case Border::mirror:
      return Address::mirror;
    case Border::border:
      return Address::border;
  }
  return Address::clamp;
}

BorderRule border_rule(Border border) {
  switch (border) {
    case Border::clamp:
      return BorderRule::clamp;
    case Border::wrap:
      return BorderRule::wrap;
    case Border::mirror:
      return BorderRule::mirror;
    case Border::border:
      return BorderRule::zero;
  }
  return BorderRule::zero;
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
