# SPDX-License-Identifier: Apache-2.0
# A build for 64-bit ARM on another processor, whose programs start under qemu. CUIMG_AARCH64_ROOT is a
# folder with Debian's arm64 libraries, as scripts/aarch64 makes it.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

set(CUIMG_AARCH64_ROOT "" CACHE PATH "A folder with the arm64 libraries that cuimg links")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUIMG_AARCH64_ROOT)
set(CMAKE_SYSROOT ${CUIMG_AARCH64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR}
    ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${CMAKE_SYSROOT})
