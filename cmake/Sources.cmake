# SPDX-License-Identifier: Apache-2.0
# Sorting a library's sources by how they are compiled.

# cuimg_take(TAKEN FROM PATTERNS...): moves the files of the list FROM that a pattern matches to the
# list TAKEN. Patterns are those of file(GLOB_RECURSE): median.cu is in any folder below this one.
function(cuimg_take taken from)
  file(GLOB_RECURSE matching CONFIGURE_DEPENDS ${ARGN})
  set(left ${${from}})
  set(found)
  foreach(file IN LISTS left)
    if(file IN_LIST matching)
      list(APPEND found ${file})
    endif()
  endforeach()
  if(found)
    list(REMOVE_ITEM left ${found})
  endif()
  set(${taken} ${found} PARENT_SCOPE)
  set(${from} ${left} PARENT_SCOPE)
endfunction()
