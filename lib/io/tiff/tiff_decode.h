// SPDX-License-Identifier: Apache-2.0
// The reading half of the TIFF codec.
#pragma once

#include <memory>

#include "io/codec.h"

namespace cuimg {

/// See Codec::open.
std::unique_ptr<Decoder> open_tiff(std::shared_ptr<const ByteSource> source,
                                   const DecodeOptions& options);

}  // namespace cuimg
