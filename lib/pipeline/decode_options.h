// SPDX-License-Identifier: Apache-2.0
// The decoding options that the common options set.
#pragma once

#include "io/codec.h"
#include "pipeline/options.h"

namespace cuimg {

/// @param notify gets the reader's notes; may be empty.
DecodeOptions decode_options(const CommonOptions& common, Notify notify = {});

}  // namespace cuimg
