// SPDX-License-Identifier: Apache-2.0
// The two halves of the TIFF codec, which tiff_codec.cpp adds to the table.
#pragma once

#include <memory>
#include <vector>

#include "io/codec.h"

namespace cuimg {

/// See Codec::open_file.
std::unique_ptr<ImageFile> open_tiff(std::shared_ptr<const ByteSource> source,
                                     const DecodeOptions& options);
/// Writes u8, u16, half and float; Y, YA, RGB, RGBA in strips, little-endian, without a date.
/// BigTIFF for 4 GiB of pixels or more. Parts are pages. See Codec::open_encoder.
std::unique_ptr<Encoder> open_tiff_encoder(std::vector<PartToWrite> parts, ByteSink& sink);

}  // namespace cuimg
