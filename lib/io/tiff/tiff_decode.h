// SPDX-License-Identifier: Apache-2.0
// The reading half of the TIFF codec.
#pragma once

#include <memory>

#include "io/codec.h"

namespace cuimg {

/// See Codec::open_file.
std::unique_ptr<ImageFile> open_tiff(std::shared_ptr<const ByteSource> source,
                                     const DecodeOptions& options);

}  // namespace cuimg
