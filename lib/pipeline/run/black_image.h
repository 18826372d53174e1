// SPDX-License-Identifier: Apache-2.0
// What takes the place of a frame that is missing.
#pragma once

#include <memory>

#include "io/codec.h"

namespace cuimg {

/// An image of that form whose values are all 0, alpha too.
std::unique_ptr<Decoder> black_image(Spec spec);

}  // namespace cuimg
