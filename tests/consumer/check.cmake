# SPDX-License-Identifier: Apache-2.0
# Installs a build into a folder of its own, builds the consumer against it, and compares what the
# consumer writes with what the installed program writes. Run by ctest:
#   cmake -DBUILD=... -DSOURCE=... -DCXX=... -DGENERATOR=... -P check.cmake
set(work ${BUILD}/consumer)
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nexit ${result}\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
foreach(file bin/cuimg share/man/man1/cuimg.1 share/bash-completion/completions/cuimg
             share/zsh/site-functions/_cuimg share/fish/vendor_completions.d/cuimg.fish)
  file(SIZE ${prefix}/${file} bytes)
  if(bytes EQUAL 0)
    message(FATAL_ERROR "${file} is empty")
  endif()
endforeach()

# Every installed header in one translation unit, but for those that are for nvcc.
file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/*.h)
list(FILTER headers EXCLUDE REGEX "texture/(texture_cuda|target)\\.h$")
list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>\n")
string(CONCAT text ${headers})
file(COPY ${SOURCE}/tests/consumer/ DESTINATION ${work}/source)
file(WRITE ${work}/source/every_header.cpp "${text}")

run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${work}/source -B ${work}/build -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=Debug)
run(${CMAKE_COMMAND} --build ${work}/build)

set(image ${SOURCE}/samples/images/spheres.exr)
run(${work}/build/thumbnail ${image} ${work}/by_library.png)
run(${prefix}/bin/cuimg resize --size 64x0 --filter mitchell ${image} ${work}/by_program.png)
file(SHA256 ${work}/by_library.png by_library)
file(SHA256 ${work}/by_program.png by_program)
if(NOT by_library STREQUAL by_program)
  message(FATAL_ERROR "the library's picture is not the program's")
endif()
