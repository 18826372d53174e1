// SPDX-License-Identifier: Apache-2.0
// The writing half of the JPEG codec.
#pragma once

#include "io/codec.h"

namespace cuimg {

/// Writes u8 Y or RGB: ISLOW DCT, JFIF density from metadata "xDensity" (pixels an inch) and the
/// pixel aspect ratio, and EXIF of the texts of text_tags(). See Codec::write.
void encode_jpeg(const Image& image, const EncodeOptions& options, RowProgress& ready,
                 ByteSink& sink);

}  // namespace cuimg
