// SPDX-License-Identifier: Apache-2.0
// The two halves of the OpenEXR codec, which exr_codec.cpp adds to the table.
#pragma once

#include <memory>
#include <vector>

#include "io/codec.h"

namespace cuimg {

std::unique_ptr<ImageFile> open_exr(std::shared_ptr<const ByteSource> source,
                                    const DecodeOptions& options);
/// @throws Error for parts that one file cannot store together.
std::unique_ptr<Encoder> open_exr_encoder(std::vector<PartToWrite> parts, ByteSink& sink);

}  // namespace cuimg
