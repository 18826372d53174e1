// SPDX-License-Identifier: Apache-2.0
// The headers of scanline and tiled files that are written.
#pragma once

#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>

#include <vector>

#include "io/codec.h"
#include "io/exr/exr_halves.h"
#include "io/exr/exr_small_pictures.h"

namespace cuimg {

/// The headers of a file's parts, including channels. Several parts get different names and the
/// entries that the format requires to be equal: one display window that contains all of theirs,
/// and the first part's pixel aspect and time code. @throws Error for different primaries and for
/// channels that cannot be stored.
std::vector<Imf::Header> exr_headers(const std::vector<PartToWrite>& parts);
/// Everything except the channels. @throws Error for an unknown compression.
Imf::Header exr_header(const Spec& spec, const EncodeOptions& options);
/// Adds the layers' channels. @throws Error for names that EXR cannot store.
void add_exr_channels(const Spec& spec, Imf::Header& header);
/// The image's rows as the header's channels. @param halves made from both.
Imf::FrameBuffer exr_frame_buffer(const Imf::Header& header, const Image& image,
                                  const ExrHalves& halves);

/// Writes tiles, as the header describes them, for every level that options.next_level makes.
/// @param small receives every row of the full-size picture.
void write_exr_tiles(Imf::OStream& output, const Image& image, const Imf::Header& header,
                     const EncodeOptions& options, RowProgress& ready, ExrSmallPictures& small);

}  // namespace cuimg
