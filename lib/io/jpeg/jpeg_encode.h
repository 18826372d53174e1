// SPDX-License-Identifier: Apache-2.0
// The writing half of the JPEG codec.
#pragma once

#include "io/codec.h"

namespace cuimg {

/// Writes u8 Y or RGB: ISLOW DCT, JFIF density from metadata "xDensity" (pixels an inch) and the
/// pixel aspect ratio, and the segments of jpeg_metadata_segments(). See Codec::write.
void encode_jpeg(const Image& image, const EncodeOptions& options, RowProgress& ready,
                 ByteSink& sink);
/// See Codec::held_bytes: the coefficients of a progressive file, of which each scan writes a part.
std::uint64_t jpeg_held_bytes(const Spec& spec, const EncodeOptions& options);

/// The same in two steps, the pixels' way to coefficients left out. See Encoder. No blocks are
/// taken where the file is to have a thumbnail, which is made of pixels.
std::optional<DctLayout> jpeg_block_layout(const Spec& spec, const EncodeOptions& options);
void encode_jpeg_blocks(DctImage& image, const Spec& spec, const EncodeOptions& options,
                        ByteSink& sink);

/// JFIF's: unit 1 is pixels an inch; 0 none, the ratio alone.
struct JpegDensity {
  int unit = 0, x = 1, y = 1;
  bool says_something() const { return unit != 0 || x != y; }
};
JpegDensity jpeg_density(const Spec& spec);

}  // namespace cuimg
