# SPDX-License-Identifier: Apache-2.0
# Files that become part of the library, so that the program needs no path to them.
include(WriteChanged)

# cuimg_embed(FILE): makes ${PROJECT_BINARY_DIR}/generated/NAME.inc, FILE's bytes as numbers between
# the braces of an array.
function(cuimg_embed file)
  get_filename_component(name ${file} NAME_WE)
  set(made ${PROJECT_BINARY_DIR}/generated/${name}.inc)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  if(${file} IS_NEWER_THAN ${made})
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    file(WRITE ${made} "${bytes}\n")
  endif()
endfunction()

# cuimg_embed_joined(NAME FILE...): makes ${PROJECT_BINARY_DIR}/generated/NAME.inc, the bytes of all
# files one after another, as cuimg_embed has them.
function(cuimg_embed_joined name)
  set(made ${PROJECT_BINARY_DIR}/generated/${name}.inc)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  set(all)
  foreach(file IN LISTS ARGN)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND all "${bytes}\n")
  endforeach()
  cuimg_write_changed(${made} "${all}")
endfunction()
