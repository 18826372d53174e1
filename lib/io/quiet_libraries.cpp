// SPDX-License-Identifier: Apache-2.0
#include "io/quiet_libraries.h"

#include <tiffio.h>

namespace cuimg {

void quieten_libtiff() {
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(nullptr);
}

}  // namespace cuimg
