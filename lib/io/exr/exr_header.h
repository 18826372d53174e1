// SPDX-License-Identifier: Apache-2.0
// The header that scanline and tiled files share when they are written.
#pragma once

#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>

#include <vector>

#include "io/codec.h"
#include "io/exr/exr_halves.h"
#include "io/exr/exr_small_pictures.h"

namespace cuimg {

/// The headers of a file's parts, channels included. Several get names that differ, and what the
/// format demands that parts share: one display window that holds all of theirs, the first one's
/// pixel aspect and time code. @throws Error for primaries that differ, channels without a place.
std::vector<Imf::Header> exr_headers(const std::vector<PartToWrite>& parts);
/// All but the channels. @throws Error for an unknown compression.
Imf::Header exr_header(const Spec& spec, const EncodeOptions& options);
/// Adds the layers' channels. @throws Error for names that EXR cannot hold.
void add_exr_channels(const Spec& spec, Imf::Header& header);
/// The image's rows as the header's channels. @param halves of both.
Imf::FrameBuffer exr_frame_buffer(const Imf::Header& header, const Image& image,
                                  const ExrHalves& halves);

/// Tiles, as the header describes them, at every level that options.next_level makes.
/// @param small gets every row of the picture itself.
void write_exr_tiles(Imf::OStream& output, const Image& image, const Imf::Header& header,
                     const EncodeOptions& options, RowProgress& ready, ExrSmallPictures& small);

}  // namespace cuimg
