# SPDX-License-Identifier: Apache-2.0
# cuimg as a part of another project, by add_subdirectory() and by FetchContent: public headers are
# found as <cuimg/...> and no others, the libraries that cuimg links are known, and nothing is built or
# installed that was not asked for. Run by ctest:
#   cmake -DWORK=... -DSOURCE=... -DCXX=... -DGENERATOR=... -P subproject_check.cmake
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

function(check folder)
  set(build ${WORK}/${folder})
  set(every_header ${build}/every_header.cpp)
  file(WRITE ${every_header} "")
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE}/tests/consumer/subproject -B ${build}
      -DCMAKE_CXX_COMPILER=${CXX} -DCUIMG_SOURCE=${SOURCE} -DEVERY_HEADER=${every_header}
      -DCUIMG_CUDA=OFF ${ARGN})
  run(${CMAKE_COMMAND} --build ${build} --target cuimg_headers)
  include_every_header(${every_header} ${build}/${folder}/include)
  # Makefiles would build the whole library before a file that uses it.
  if(GENERATOR STREQUAL "Ninja")
    run(${CMAKE_COMMAND} --build ${build} --target objects)
  endif()
  run(${CMAKE_COMMAND} --build ${build} --target help)
  set(targets "${text}" PARENT_SCOPE)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${build} -N)
  set(tests "${text}" PARENT_SCOPE)
  run(${CMAKE_COMMAND} --install ${build} --prefix ${build}/prefix)
  file(GLOB_RECURSE installed ${build}/prefix/*)
  if(installed)
    message(FATAL_ERROR "the project's install has ${installed}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
check(cuimg)
if(targets MATCHES "cuimg_program|_tests|sample_")
  message(FATAL_ERROR "more than the library is built:\n${targets}")
endif()
check(_deps/cuimg-build -DFETCH=ON -DCUIMG_APPS=ON)
if(NOT targets MATCHES "cuimg_program" OR NOT tests MATCHES "Total Tests: 1\n")
  message(FATAL_ERROR "CUIMG_APPS=ON gives no program or no golden test:\n${targets}\n${tests}")
endif()
