# SPDX-License-Identifier: Apache-2.0
# cuimg.pc, for builds that are not CMake's: `pkg-config --cflags --libs --static cuimg`.

# Folders of the install as the file says them: from where the file lies, so that the install can be
# moved, or given another prefix when it is made; absolute ones as they are, with spaces escaped, as
# pkg-config does in ${pcfiledir}.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  string(REPLACE " " "\\ " CUIMG_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" up ${up})
  set(CUIMG_PC_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(kind LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${kind}}")
    string(REPLACE " " "\\ " CUIMG_PC_${kind} "${CMAKE_INSTALL_${kind}}")
  else()
    set(CUIMG_PC_${kind} "\${prefix}/${CMAKE_INSTALL_${kind}}")
  endif()
endforeach()

# Those without a file of their own everywhere: giflib, and CUDA's static runtime.
set(flags ${CMAKE_THREAD_LIBS_INIT})
function(cuimg_add_library_flags path)
  cmake_path(GET path PARENT_PATH folder)
  cmake_path(GET path STEM name)
  string(REGEX REPLACE "^lib" "" name ${name})
  if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    string(REPLACE " " "\\ " folder "${folder}")
    list(APPEND flags "-L${folder}")
  endif()
  set(flags ${flags} -l${name} PARENT_SCOPE)
endfunction()
cuimg_add_library_flags("${GIF_LIBRARY}")
if(CUIMG_WITH_CUDA)
  cuimg_add_library_flags("${CUDA_cudart_static_LIBRARY}")
  list(APPEND flags -ldl -lrt)
endif()
list(JOIN flags " " CUIMG_PC_LIBS)
list(JOIN CUIMG_PKG_CONFIG_MODULES " " CUIMG_PC_MODULES)
configure_file(${PROJECT_SOURCE_DIR}/cmake/cuimg.pc.in ${PROJECT_BINARY_DIR}/generated/cuimg.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/cuimg.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
