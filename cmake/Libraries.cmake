# SPDX-License-Identifier: Apache-2.0
# Every library that cuimg links, in one place. scripts/packages names the Debian packages.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenEXR CONFIG REQUIRED)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
find_package(TIFF REQUIRED)
find_package(GIF 5 REQUIRED)
find_package(TBB CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
pkg_check_modules(lcms2 REQUIRED IMPORTED_TARGET lcms2)
pkg_check_modules(libturbojpeg REQUIRED IMPORTED_TARGET libturbojpeg)
pkg_check_modules(libexif REQUIRED IMPORTED_TARGET libexif)
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET libdeflate)
find_path(HWY_INCLUDE hwy/highway.h REQUIRED)  # headers alone: SIMD in lib/stages
find_path(CXXOPTS_INCLUDE cxxopts.hpp REQUIRED)
find_path(STB_INCLUDE stb/stb_image.h REQUIRED)
