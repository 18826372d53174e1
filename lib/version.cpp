// SPDX-License-Identifier: Apache-2.0
// The library's own version.
#include "version.h"

#include "build_config.h"

namespace cuimg {
const char* version() { return build::version; }
}  // namespace cuimg
