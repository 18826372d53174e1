// SPDX-License-Identifier: Apache-2.0
// The thumbnail in an EXIF block. Files have the block before the pixels that it shows, so it is
// written with room for it first, and once more when the pixels are through.
#pragma once

#include <cstddef>
#include <optional>

#include "image/image.h"
#include "io/tags/thumbnail.h"

namespace cuimg {

/// The size of EXIF's thumbnails: what DCF gives cameras, and what has the picture's aspect in it.
ThumbnailSize exif_thumbnail_size(const Spec& spec);
/// The room that is left for one; most fit at the best quality.
std::size_t exif_thumbnail_room(const Spec& spec);

/// A baseline JPEG without markers of applications, as EXIF demands, over black.
/// @returns the best one of no more than `most` bytes; empty where none has so few.
Blob thumbnail_jpeg(const Thumbnail& thumbnail, std::size_t most);

class ExifThumbnail {
 public:
  /// @param block what exif_to_write() has made, with room for a thumbnail or without.
  /// @param spec of the images whose rows come. @param size absent: exif_thumbnail_size(spec).
  ExifThumbnail(Blob block, const Spec& spec, std::optional<ThumbnailSize> size = std::nullopt);

  /// Without room nothing is to be done.
  bool is_wanted() const { return thumbnail_.has_value(); }
  const Blob& block() const { return block_; }
  /// See Thumbnail::add().
  void add(const Image& image, int first, int last) {
    if (thumbnail_) thumbnail_->add(image, first, last);
  }
  /// Puts the thumbnail into the block, whose length stays, once every row has come.
  void finish();

 private:
  Blob block_;
  std::optional<Thumbnail> thumbnail_;
};

}  // namespace cuimg
