// SPDX-License-Identifier: Apache-2.0
// The writing half of the TIFF codec.
#pragma once

#include "io/codec.h"

namespace cuimg {

/// Writes u8, u16, half and float; Y, YA, RGB, RGBA in strips, little-endian, without a date.
/// BigTIFF from 4 GiB of pixels on. See Codec::encode.
void encode_tiff(const Image& image, const EncodeOptions& options, RowProgress& ready,
                 ByteSink& sink);

}  // namespace cuimg
