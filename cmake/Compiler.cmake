# SPDX-License-Identifier: Apache-2.0
# How every file is compiled. The exactness target is the promise's compiler half: no contraction
# on either device, IEEE division and square root, no fast-math. Consumers of the library inherit it.

add_library(cuimg_exactness INTERFACE)
target_compile_options(cuimg_exactness INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off -fno-fast-math>
  "$<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;--prec-div=true;--prec-sqrt=true;--ftz=false;-Xcompiler=-ffp-contract=off>")
add_library(cuimg::exactness ALIAS cuimg_exactness)
set_target_properties(cuimg_exactness PROPERTIES EXPORT_NAME exactness)

add_library(cuimg_warnings INTERFACE)
target_compile_options(cuimg_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers>
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra;--expt-relaxed-constexpr>")
# GCC 12 warns of an overlap in "text" + std::string that cannot be (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(cuimg_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  # Later ones, where a function returns a reference into one argument, warn of another that is temporary.
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    target_compile_options(cuimg_warnings INTERFACE
      $<$<COMPILE_LANGUAGE:CXX>:-Wno-dangling-reference>)
  endif()
  # Here it notes that GCC 9 passed a std::pair differently.
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    target_compile_options(cuimg_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-psabi>)
  endif()
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Pragmas name warnings that GCC alone has, and & of two bools is meant: it needs no branch.
  target_compile_options(cuimg_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-unknown-warning-option -Wno-bitwise-instead-of-logical>)
endif()

if(CUIMG_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${CUIMG_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
  add_link_options(-fsanitize=${CUIMG_SANITIZE})
endif()

# -DCUIMG_CCACHE=OFF for none, as where the environment says CCACHE_DISABLE when it is first
# configured: a first build without a cache then has what it is built with, parsed headers
# (cmake/Grouped.cmake). Launchers that are given stay.
if(DEFINED ENV{CCACHE_DISABLE} AND NOT DEFINED CUIMG_CCACHE)
  set(CUIMG_CCACHE OFF CACHE FILEPATH "The compiler's cache, or OFF")
endif()
find_program(CUIMG_CCACHE ccache)
foreach(language CXX CUDA)
  if(CUIMG_CCACHE AND NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
    set(CMAKE_${language}_COMPILER_LAUNCHER ${CUIMG_CCACHE})
  endif()
endforeach()
