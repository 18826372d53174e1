// SPDX-License-Identifier: Apache-2.0
// The thumbnail in an EXIF block. The block comes before the pixels in a file, so it is first
// written with room for the thumbnail, and again when all pixels have passed.
#pragma once

#include <cstddef>
#include <optional>

#include "image/image.h"
#include "io/tags/thumbnail.h"

namespace cuimg {

/// The size of EXIF's thumbnails: the size that DCF prescribes for cameras, or the largest with the
/// picture's aspect that fits into it.
ThumbnailSize exif_thumbnail_size(const Spec& spec);
/// The room that is reserved for a thumbnail; most fit at the best quality.
std::size_t exif_thumbnail_room(const Spec& spec);

/// A baseline JPEG without application markers, as EXIF requires, over black.
/// @returns the best one with at most `most` bytes; empty if none is that small.
Blob thumbnail_jpeg(const Thumbnail& thumbnail, std::size_t most);

class ExifThumbnail {
 public:
  /// @param block made by exif_to_write(), with or without room for a thumbnail.
  /// @param spec of the images whose rows are added. @param size absent: exif_thumbnail_size(spec).
  ExifThumbnail(Blob block, const Spec& spec, std::optional<ThumbnailSize> size = std::nullopt);

  /// Whether there is room for a thumbnail; otherwise there is nothing to do.
  bool is_wanted() const { return thumbnail_.has_value(); }
  const Blob& block() const { return block_; }
  /// See Thumbnail::add().
  void add(const Image& image, int first, int last) {
    if (thumbnail_) thumbnail_->add(image, first, last);
  }
  /// Puts the thumbnail into the block after all rows have been added. The block's length does not
  /// change.
  void finish();

 private:
  Blob block_;
  std::optional<Thumbnail> thumbnail_;
};

}  // namespace cuimg
