// SPDX-License-Identifier: Apache-2.0
// Computes checksums of pixels.
#include "image/checksum.h"

#include <bit>

#include "base/digest/sha256.h"
#include "image/require_memory.h"

namespace cuimg {

static_assert(std::endian::native == std::endian::little, "rows are hashed as they lie in memory");

std::string pixel_checksum(const Image& image) {
  require_memory(image, "checksum");
  const Spec& spec = image.spec();
  Sha256 hash;
  const auto text = [&](std::string_view word) {
    std::string bytes(word);
    bytes += '\0';
    hash.update(bytes);
  };
  const std::uint32_t size[2] = {static_cast<std::uint32_t>(spec.data_window.width),
                                 static_cast<std::uint32_t>(spec.data_window.height)};
  hash.update(std::as_bytes(std::span(size)));
  for (int layer = 0; layer < spec.layer_count(); ++layer) {
    const LayerSpec& about = spec.layer(layer);
    text(name_of(about.type));
    for (int c = 0; c < about.channel_count(); ++c) text(about.full_name(c));
    for (int y = spec.data_window.y; y < spec.data_window.bottom(); ++y)
      hash.update({image.row(layer, y), image.row_bytes(layer)});
  }
  return hash.finish();
}

}  // namespace cuimg
