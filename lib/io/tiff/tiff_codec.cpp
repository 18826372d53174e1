// SPDX-License-Identifier: Apache-2.0
// TIFF: how it is recognised, and what it can store.
#include "io/tiff/tiff_codec.h"

#include <tiffio.h>

#include "base/bytes.h"
#include "base/contains.h"
#include "io/codecs.h"
#include "io/tags/icc.h"
#include "io/tiff/tiff_metadata.h"

namespace cuimg {
namespace {

bool is_tiff(std::span<const std::byte> head) {
  if (head.size() < 8) return false;
  const std::string_view magics[] = {{"II*\0", 4}, {"MM\0*", 4}, {"II+\0", 4}, {"MM\0+", 4}};
  return contains(magics, text_of_bytes(head.first(4)));
}

}  // namespace

Codec tiff_codec() {
  Codec codec{
      .name = "tiff",
      .description = "TIFF",
      .extensions = {"tif", "tiff"},
      .sniff = is_tiff,
      .capabilities = {.types = {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32},
                       .alpha = true,
                       .grey = true,
                       .primaries = true,
                       .describes = icc_describes,
                       .keeps = tiff_keeps,
                       .densities = tiff_densities,
                       .loses = tiff_loses,
                       .pixel_aspect = true},
      .compressions = {"deflate", "none", "lzw", "packbits"},
      .open_file = open_tiff,
      .open_encoder = open_tiff_encoder,
  };
  if (TIFFIsCODECConfigured(COMPRESSION_ZSTD)) codec.compressions.push_back("zstd");
  return codec;
}

}  // namespace cuimg
