// SPDX-License-Identifier: Apache-2.0
// The writing half of the JPEG codec.
#pragma once

#include "io/codec.h"

namespace cuimg {

/// Writes u8 Y or RGB: ISLOW DCT, JFIF density from metadata "xDensity" (pixels per inch) and the
/// pixel aspect ratio, and the segments of jpeg_metadata_segments(). See Codec::write.
void encode_jpeg(const Image& image, const EncodeOptions& options, RowProgress& ready,
                 ByteSink& sink);
/// See Codec::held_bytes: the coefficients of a progressive file, since each scan writes a part of
/// all of them.
std::uint64_t jpeg_held_bytes(const Spec& spec, const EncodeOptions& options);

/// The same in two steps that start from coefficients instead of pixels. See Encoder. Blocks are
/// not accepted if the file gets a thumbnail, which is made from pixels.
std::optional<DctLayout> jpeg_block_layout(const Spec& spec, const EncodeOptions& options);
void encode_jpeg_blocks(DctImage& image, const Spec& spec, const EncodeOptions& options,
                        ByteSink& sink);

/// JFIF's values: unit 1 is pixels per inch; 0 is no unit, only the ratio.
struct JpegDensity {
  int unit = 0, x = 1, y = 1;
  bool says_something() const { return unit != 0 || x != y; }
};
JpegDensity jpeg_density(const Spec& spec);

}  // namespace cuimg
