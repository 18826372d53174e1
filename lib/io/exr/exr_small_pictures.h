// SPDX-License-Identifier: Apache-2.0
// The small pictures in an EXR's headers: a part's preview, and its EXIF block's thumbnail. Headers
// are written before the pixels, with room for the pictures, which are filled in at the end.
#pragma once

#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>

#include <optional>
#include <vector>

#include "image/image.h"
#include "io/tags/exif_thumbnail.h"
#include "io/tags/thumbnail.h"

namespace cuimg {

/// The size of the preview that replaces the input's, with the same longest side; nothing if the
/// input had none.
std::optional<ThumbnailSize> exr_preview_size(const Spec& spec);

/// The bytes of the small pictures in a part's header; empty if it has none.
struct ExrSmallBytes {
  Blob preview;  ///< R, G, B and A of each pixel.
  Blob exif;     ///< The EXIF block.
};

/// Collects the small pictures of one part while its rows are written.
class ExrSmallPictures {
 public:
  /// @param header of a part with that spec, made by exr_header().
  ExrSmallPictures(const Spec& spec, const Imf::Header& header);
  /// See Thumbnail::add().
  void add(const Image& image, int first, int last);
  /// Called after all rows have been added.
  ExrSmallBytes finished();

 private:
  std::optional<Thumbnail> preview_;
  ExifThumbnail exif_;
};

/// Writes them into a file's headers; the file position does not change.
/// @param output a file that begins with those headers. @param bytes of each header.
void write_exr_small_pictures(const std::vector<Imf::Header>& headers,
                              const std::vector<ExrSmallBytes>& bytes, Imf::OStream& output);

}  // namespace cuimg
