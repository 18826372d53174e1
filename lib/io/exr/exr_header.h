// SPDX-License-Identifier: Apache-2.0
// What scanline and tiled files that are written have in common.
#pragma once

#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>

#include "io/codec.h"

namespace cuimg {

/// All but the channels. @throws Error for an unknown compression.
Imf::Header exr_header(const Spec& spec, const EncodeOptions& options);
/// Adds the layers' channels. @throws Error for names that EXR cannot hold.
void add_exr_channels(const Spec& spec, Imf::Header& header);
/// The image's rows as those channels.
Imf::FrameBuffer exr_frame_buffer(const Image& image);

/// Tiles at every level that options.next_level makes.
void write_exr_levels(Imf::OStream& output, const Image& image, Imf::Header header,
                      const EncodeOptions& options, RowProgress& ready);

}  // namespace cuimg
