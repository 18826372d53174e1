// SPDX-License-Identifier: Apache-2.0
#include "io/png/png_codec.h"

#include <cstring>

#include "io/codecs.h"
#include "io/png/png_metadata.h"

namespace cuimg {
namespace {

bool is_png(std::span<const std::byte> head) {
  constexpr unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  return head.size() >= 8 && std::memcmp(head.data(), signature, 8) == 0;
}

}  // namespace

Codec png_codec() {
  return {
      .name = "png",
      .description = "PNG",
      .extensions = {"png"},
      .sniff = is_png,
      .open = open_png,
      .capabilities = {.types = {PixelType::u8, PixelType::u16},
                       .alpha = true,
                       .grey = true,
                       .describes = png_describes,
                       .keeps = png_keeps,
                       .densities = densities_a_metre,
                       .pixel_aspect = true,
                       .exif_thumbnail = true},
      .compressions = png_compressions(),
      .write = encode_png,
  };
}

}  // namespace cuimg
