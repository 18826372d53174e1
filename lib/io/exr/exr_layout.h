// SPDX-License-Identifier: Apache-2.0
// The content of an EXR part and the destination of each of its channels, determined from the
// header only.
#pragma once

#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfPixelType.h>

#include <string>
#include <vector>

#include "image/spec.h"
#include "io/codec.h"

namespace cuimg {

/// The destination of one of the file's channels.
struct ExrChannel {
  std::string name;  ///< As in the file.
  int layer = 0;
  int index = 0;  ///< Within the layer.
  Imf::PixelType type = Imf::HALF;
  int x_sampling = 1, y_sampling = 1;
};

struct ExrLayout {
  Spec spec;
  std::vector<ExrChannel> channels;
  /// Y, RY and BY become the half layer with this index (exr_luminance_chroma.h); -1: it is none of
  /// these.
  int luminance_chroma_layer = -1;
};

Rect rect_of(const Imath::Box2i& box);
Imath::Box2i box_of(const Rect& rect);

/// Windows, layers, colour and metadata of a part at full resolution.
/// @param first the header of the file's first part.
/// @throws Error if the sizes exceed the limits.
ExrLayout exr_layout(const ByteSource& source, const Imf::Header& header, const Imf::Header& first,
                     const DecodeOptions& options);

/// Checks the attributes of every header, because OpenEXR allocates the stated sizes before it
/// reads. @returns the position where the headers end and the tables of chunks begin.
/// @throws Error if an attribute passes the file's end, or if a data window or a tile is larger
/// than limit_side.
std::size_t check_attributes(const ByteSource& source, const DecodeOptions& options);

/// Refuses sizes that the file's length cannot hold and tiles that would need unlimited memory,
/// before anything is allocated for them. @throws Error.
void check_plausible(const ByteSource& source, const Imf::Header& header);

/// Follows the tables of chunks to each part's last one, which a truncated file lacks even if the
/// requested mip level or part is complete.
/// @param only_count the chunks of a file of one part, which need not state their number.
/// @param at the position of the tables. @throws Error.
void check_chunks(const ByteSource& source, const Imf::MultiPartInputFile& file,
                  std::uint64_t only_count, std::size_t at);

}  // namespace cuimg
