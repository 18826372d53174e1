// SPDX-License-Identifier: Apache-2.0
#include "io/tags/exif_thumbnail.h"

#include <utility>

#include "io/tags/exif_block.h"
#include "io/tags/thumbnail_jpeg.h"

namespace cuimg {

ThumbnailSize exif_thumbnail_size(const Spec& spec) { return thumbnail_size(spec, {160, 120}); }

std::size_t exif_thumbnail_room(const Spec& spec) {
  // Tables and headers, and four bits a pixel.
  constexpr std::size_t headers = 1024;
  const auto [width, height] = exif_thumbnail_size(spec);
  return headers + static_cast<std::size_t>(width * height) / 2;
}

ExifThumbnail::ExifThumbnail(Blob block, const Spec& spec, std::optional<ThumbnailSize> size)
    : block_(std::move(block)) {
  if (!block_.empty() && ExifBlock(block_).has_thumbnail())
    thumbnail_.emplace(spec, size.value_or(exif_thumbnail_size(spec)));
}

void ExifThumbnail::finish() {
  if (!thumbnail_) return;
  ExifBlock block(std::move(block_));
  block.put_thumbnail(thumbnail_jpeg(*thumbnail_, block.thumbnail().size()));
  block_ = block.bytes();
}

}  // namespace cuimg
