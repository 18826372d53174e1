# SPDX-License-Identifier: Apache-2.0
# find_package(cuimg QUIET) goes on where a library is missing that pkg-config finds. Run by ctest:
#   cmake -DWORK=... -DSOURCE=... -DPACKAGE=... -DCXX=... -DGENERATOR=... -P optional_check.cmake
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/no_libraries)
set(ENV{PKG_CONFIG_LIBDIR} ${WORK}/no_libraries)
set(ENV{PKG_CONFIG_PATH} "")
execute_process(COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE}/tests/consumer/optional
                        -B ${WORK}/build -DCMAKE_CXX_COMPILER=${CXX} -Dcuimg_DIR=${PACKAGE}
                RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT result EQUAL 0 OR NOT text MATCHES "found: (0|FALSE): pkg-config does not find lcms2")
  message(FATAL_ERROR "exit ${result}\n${text}")
endif()
