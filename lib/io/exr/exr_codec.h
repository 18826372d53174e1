// SPDX-License-Identifier: Apache-2.0
// The two halves of the OpenEXR codec, which exr_codec.cpp puts into the table.
#pragma once

#include <memory>

#include "io/codec.h"

namespace cuimg {

std::unique_ptr<Decoder> open_exr(std::shared_ptr<const ByteSource> source,
                                  const DecodeOptions& options);
void encode_exr(const Image& image, const EncodeOptions& options, RowProgress& ready,
                ByteSink& sink);

}  // namespace cuimg
