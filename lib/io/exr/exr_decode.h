// SPDX-License-Identifier: Apache-2.0
// Reading one part of an OpenEXR file.
#pragma once

#include <memory>

#include "io/exr/exr_file.h"

namespace cuimg {

/// @throws Error naming the file, for deep parts too.
std::unique_ptr<Decoder> open_exr_part(std::shared_ptr<ExrFile> file, int part);

}  // namespace cuimg
