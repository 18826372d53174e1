// SPDX-License-Identifier: Apache-2.0
// The library versions that `cuimg --version -v` prints: the loaded library's where it reports one.
#include <OpenEXR/OpenEXRConfig.h>
#include <fmt/format.h>
#include <gif_lib.h>
#include <hwy/highway.h>
#include <lcms2.h>
#include <libdeflate.h>
#include <png.h>
#include <tbb/version.h>
#include <tiffio.h>

#include <cstdio>
// After <cstdio>, which it needs and does not include.
#include <jpeglib.h>

#include "version.h"

#define CUIMG_TEXT_OF(x) #x
#define CUIMG_TEXT(x) CUIMG_TEXT_OF(x)

namespace cuimg {

std::vector<std::pair<std::string, std::string>> library_versions() {
  // "LIBTIFF, Version 4.5.0\nCopyright ..."
  const std::string tiff = TIFFGetVersion();
  const std::size_t number = tiff.find_first_of("0123456789");
  const std::string tiff_version =
      number == std::string::npos ? tiff : tiff.substr(number, tiff.find('\n') - number);
  const int lcms = cmsGetEncodedCMMversion();
  return {{"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                              FMT_VERSION % 100)},
          {"giflib", fmt::format("{}.{}.{}", GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE)},
          {"Highway", fmt::format("{}.{}.{}", HWY_MAJOR, HWY_MINOR, HWY_PATCH)},
          {"lcms2", fmt::format("{}.{}", lcms / 1000, lcms / 10 % 100)},
          {"libdeflate", LIBDEFLATE_VERSION_STRING},
          {"libjpeg-turbo", CUIMG_TEXT(LIBJPEG_TURBO_VERSION)},
          {"libpng", png_get_libpng_ver(nullptr)},
          {"libtiff", tiff_version},
          {"oneTBB", TBB_runtime_version()},
          {"OpenEXR", OPENEXR_VERSION_STRING}};
}

}  // namespace cuimg
