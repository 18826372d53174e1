// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_codec.h"

#include "base/bytes.h"
#include "io/codecs.h"
#include "io/exr/exr_attributes.h"
#include "io/exr/exr_support.h"

namespace cuimg {
namespace {

bool is_exr(std::span<const std::byte> head) {
  return head.size() >= 8 && begins_with(head, "\x76\x2f\x31\x01");
}

}  // namespace

Codec exr_codec() {
  Codec codec{"exr",   "OpenEXR", {"exr", "sxr", "mxr"}, is_exr,
              nullptr, {},        exr_compressions(),    nullptr};
  codec.open_file = open_exr;
  codec.open_encoder = open_exr_encoder;
  codec.capabilities.types = {PixelType::half, PixelType::f32, PixelType::u32};
  codec.capabilities.alpha = true;
  codec.capabilities.grey = true;
  codec.capabilities.layers = true;
  codec.capabilities.windows = true;
  codec.capabilities.primaries = true;
  codec.capabilities.levels = true;
  codec.capabilities.keeps = exr_keeps;
  codec.capabilities.exif_thumbnail = true;
  codec.capabilities.preview = true;
  codec.capabilities.lossy = {"dwaa", "dwab"};
  codec.capabilities.rounding = exr_rounding_compressions();
  codec.capabilities.integer_encoding = {Curve::linear, 1.0f, true, {}};
  return codec;
}

}  // namespace cuimg
