# SPDX-License-Identifier: Apache-2.0
# The package works where its folders are given as absolute paths, outside of the prefix too and with
# spaces. A second build is configured, without a build type and as for a machine whose programs do not
# run here, and takes what is compiled from the first. Run by ctest:
#   cmake -DBUILD=... -DSOURCE=... -DCUDA=... -DPROCESSOR=... -DCXX=... -DGENERATOR=...
#         -P layout_check.cmake
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)
# Not in the build's folder: CMake exports no headers of a folder that lies within the source's.
set(temporary /tmp)
if(DEFINED ENV{TMPDIR})
  set(temporary $ENV{TMPDIR})
endif()
string(SHA1 name "${BUILD}")
set(work ${temporary}/cuimg-layout-${name})
file(REMOVE_RECURSE ${work})
set(root "${work}/a path")
set(second "${root}/second build")
set(package ${root}/libraries/cmake/cuimg)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${second} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=${PROCESSOR} -DCMAKE_BUILD_TYPE=
    -DCUIMG_CUDA=${CUDA} -DCUIMG_TESTS=OFF -DCUIMG_SAMPLES=OFF
    -DCMAKE_INSTALL_PREFIX=${root}/prefix -DCMAKE_INSTALL_LIBDIR=${root}/libraries
    -DCMAKE_INSTALL_BINDIR=${root}/programs -DCMAKE_INSTALL_INCLUDEDIR=${root}/headers)
if(NOT text MATCHES "no man page and no completions")
  message(FATAL_ERROR "the program would be run where it cannot\n${text}")
endif()
file(STRINGS ${second}/CMakeCache.txt release REGEX "^CMAKE_BUILD_TYPE:STRING=Release$")
if(NOT release)
  message(FATAL_ERROR "the build type is not Release where none is given")
endif()
run(${CMAKE_COMMAND} --build ${second} --target cuimg_headers)
file(COPY ${BUILD}/lib/libcuimg.a DESTINATION ${second}/lib)
file(COPY ${BUILD}/bin/cuimg DESTINATION ${second}/bin)
run(${CMAKE_COMMAND} --install ${second})

file(COPY ${SOURCE}/tests/consumer/ DESTINATION ${root}/source)
include_every_header(${root}/source/every_header.cpp ${root}/headers)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${root}/source -B ${root}/build -DCMAKE_CXX_COMPILER=${CXX}
    -Dcuimg_DIR=${package} -DCMAKE_BUILD_TYPE=Debug)
run(${CMAKE_COMMAND} --build ${root}/build --target thumbnail)
file(STRINGS ${root}/build/CMakeCache.txt program REGEX "^CUIMG_PROGRAM:.*=${root}/programs/cuimg$")
if(NOT program)
  message(FATAL_ERROR "the package does not find its program")
endif()

set(ENV{PKG_CONFIG_PATH} ${root}/libraries/pkgconfig:$ENV{PKG_CONFIG_PATH})
run(pkg-config --cflags --libs --static cuimg)
separate_arguments(flags UNIX_COMMAND "${text}")
run(${CXX} -std=c++20 ${root}/source/thumbnail.cpp ${flags} -o ${root}/thumbnail)
file(REMOVE_RECURSE ${work})
