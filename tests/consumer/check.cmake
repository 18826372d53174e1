# SPDX-License-Identifier: Apache-2.0
# Installs a build into a folder of its own, builds the consumer against it, and compares what the
# consumer writes with what the installed program writes. Run by ctest:
#   cmake -DBUILD=... -DSOURCE=... -DCXX=... -DGENERATOR=... -P check.cmake
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)
set(work ${BUILD}/consumer)
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${work})

# Files and folders of headers are for everybody, whatever the umask.
run(sh -c "umask 077 && exec \"$@\"" sh ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(find ${prefix} -type f ! -perm -a+r)
set(closed "${text}")
run(find ${prefix}/include/cuimg -type d ! -perm -a+rx)
if(closed OR text)
  message(FATAL_ERROR "not everybody can read\n${closed}${text}")
endif()
foreach(file bin/cuimg share/man/man1/cuimg.1 share/bash-completion/completions/cuimg
             share/zsh/site-functions/_cuimg share/fish/vendor_completions.d/cuimg.fish)
  file(SIZE ${prefix}/${file} bytes)
  if(bytes EQUAL 0)
    message(FATAL_ERROR "${file} is empty")
  endif()
endforeach()

# The manifest, from which packagers uninstall, names every file.
file(STRINGS ${BUILD}/install_manifest.txt manifest)
file(GLOB_RECURSE installed ${prefix}/*)
list(SORT manifest)
list(SORT installed)
if(NOT manifest STREQUAL installed)
  message(FATAL_ERROR "install_manifest.txt has\n${manifest}\nand installed is\n${installed}")
endif()

# Every file belongs to one component.
foreach(component runtime development documentation)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/${component} --component ${component})
  file(GLOB_RECURSE part RELATIVE ${work}/${component} ${work}/${component}/*)
  if(NOT part)
    message(FATAL_ERROR "the component ${component} is empty")
  endif()
  list(APPEND parts ${part})
endforeach()
list(TRANSFORM parts PREPEND ${prefix}/)
list(SORT parts)
if(NOT parts STREQUAL installed)
  message(FATAL_ERROR "the components have\n${parts}\nand all together is\n${installed}")
endif()

file(COPY ${SOURCE}/tests/consumer/ DESTINATION ${work}/source)
include_every_header(${work}/source/every_header.cpp ${prefix}/include)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${work}/source -B ${work}/build -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=Debug)
run(${CMAKE_COMMAND} --build ${work}/build)

# The same by pkg-config, where headers are no system's and the compiler warns of them.
file(GLOB_RECURSE pc ${prefix}/cuimg.pc)
cmake_path(GET pc PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} ${folder}:$ENV{PKG_CONFIG_PATH})
run(pkg-config --cflags --libs --static cuimg)
separate_arguments(flags UNIX_COMMAND "${text}")
set(strict -std=c++20 -Wall -Wextra -Wpedantic -Werror)
run(${CXX} ${strict} ${work}/source/thumbnail.cpp ${work}/source/every_header.cpp ${flags}
    -o ${work}/thumbnail)
find_program(CLANG clang++)
if(CLANG)
  run(pkg-config --cflags cuimg)
  separate_arguments(flags UNIX_COMMAND "${text}")
  run(${CLANG} ${strict} -fsyntax-only ${work}/source/every_header.cpp ${flags})
endif()

set(image ${SOURCE}/samples/images/spheres.exr)
run(${prefix}/bin/cuimg resize --size 64x0 --filter mitchell ${image} ${work}/by_program.png)
file(SHA256 ${work}/by_program.png by_program)
foreach(thumbnail build/thumbnail thumbnail)
  run(${work}/${thumbnail} ${image} ${work}/by_library.png)
  file(SHA256 ${work}/by_library.png by_library)
  if(NOT by_library STREQUAL by_program)
    message(FATAL_ERROR "the picture of ${thumbnail} is not the program's")
  endif()
endforeach()
