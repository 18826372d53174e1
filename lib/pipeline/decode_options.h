// SPDX-License-Identifier: Apache-2.0
// What the common options say about reading a file.
#pragma once

#include "io/codec.h"
#include "pipeline/options.h"

namespace cuimg {

/// @param notify is told what was decided without being asked; may be empty.
DecodeOptions decode_options(const CommonOptions& common, Notify notify = {});

}  // namespace cuimg
