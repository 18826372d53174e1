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
  Codec codec{"png", "PNG", {"png"}, is_png, open_png, {}, png_compressions(), encode_png};
  codec.capabilities.types = {PixelType::u8, PixelType::u16};
  codec.capabilities.alpha = true;
  codec.capabilities.grey = true;
  codec.capabilities.describes = png_describes;
  codec.capabilities.keeps = png_keeps;
  codec.capabilities.exif_thumbnail = true;
  return codec;
}

}  // namespace cuimg
