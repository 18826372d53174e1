// SPDX-License-Identifier: Apache-2.0
// A user may have files with the same names as cuimg's internal ones: only <cuimg/...> is found.
#include <cuimg/cuimg.h>

#if __has_include("version.h") || __has_include("image/image.h") || __has_include("build_config.h")
#error "cuimg's own folders are on the path"
#endif
#if __has_include(<kernels/math/math.h>) || __has_include(<lib/cuimg.h>)
#error "cuimg's source folder is on the path"
#endif
