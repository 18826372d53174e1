// SPDX-License-Identifier: Apache-2.0
// The small pictures in an EXR's headers: a part's preview, and its EXIF block's thumbnail. Headers
// are written before the pixels, with room for them, and the pictures into it in the end.
#pragma once

#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>

#include <optional>
#include <vector>

#include "image/image.h"
#include "io/tags/exif_thumbnail.h"
#include "io/tags/thumbnail.h"

namespace cuimg {

/// Of the preview in place of the input's: as long as that one; nothing where it had none.
std::optional<ThumbnailSize> exr_preview_size(const Spec& spec);

/// The bytes that they have in a part's header; empty: it has none.
struct ExrSmallBytes {
  Blob preview;  ///< R, G, B and A of each pixel.
  Blob exif;     ///< The block.
};

/// Those of one part, while its rows are written.
class ExrSmallPictures {
 public:
  /// @param header of a part with that spec, as exr_header() has made it.
  ExrSmallPictures(const Spec& spec, const Imf::Header& header);
  /// See Thumbnail::add().
  void add(const Image& image, int first, int last);
  /// Once every row has come.
  ExrSmallBytes finished();

 private:
  std::optional<Thumbnail> preview_;
  ExifThumbnail exif_;
};

/// Puts them into a file's headers; the position stays.
/// @param output a file that begins with those headers. @param bytes of each header.
void write_exr_small_pictures(const std::vector<Imf::Header>& headers,
                              const std::vector<ExrSmallBytes>& bytes, Imf::OStream& output);

}  // namespace cuimg
