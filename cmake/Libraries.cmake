# SPDX-License-Identifier: Apache-2.0
# Every library that cuimg links, in one place. scripts/packages names the Debian packages; users of
# the installed library find them through cuimgConfig.cmake.in or cuimg.pc.in.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenEXR CONFIG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
find_package(TIFF REQUIRED)
find_package(GIF 5 REQUIRED)
find_package(TBB CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
# Those that only pkg-config finds.
set(CUIMG_PKG_CONFIG_MODULES lcms2 libdeflate libexif libturbojpeg)
foreach(module IN LISTS CUIMG_PKG_CONFIG_MODULES)
  pkg_check_modules(CUIMG_${module} REQUIRED IMPORTED_TARGET ${module})
endforeach()
# Headers alone.
find_path(CUIMG_HWY_INCLUDE hwy/highway.h REQUIRED)  # SIMD in lib/stages
find_path(CUIMG_CXXOPTS_INCLUDE cxxopts.hpp REQUIRED)
find_path(CUIMG_STB_INCLUDE stb/stb_image.h REQUIRED)
