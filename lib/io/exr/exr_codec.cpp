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
  return {
      .name = "exr",
      .description = "OpenEXR",
      .extensions = {"exr", "sxr", "mxr"},
      .sniff = is_exr,
      .capabilities = {.types = {PixelType::half, PixelType::f32, PixelType::u32},
                       .alpha = true,
                       .grey = true,
                       .layers = true,
                       .windows = true,
                       .primaries = true,
                       .keeps = exr_keeps,
                       .pixel_aspect = true,
                       .levels = true,
                       .exif_thumbnail = true,
                       .preview = true,
                       .lossy = {"dwaa", "dwab"},
                       .rounding = exr_rounding_compressions(),
                       .integer_encoding = {Curve::linear, 1.0f, true, {}}},
      .compressions = exr_compressions(),
      .open_file = open_exr,
      .open_encoder = open_exr_encoder,
  };
}

}  // namespace cuimg
