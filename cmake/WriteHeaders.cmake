# SPDX-License-Identifier: Apache-2.0
# Run by the build: writes the public headers that the file LIST names to DESTINATION/cuimg. Inside the
# project a header says "image/image.h"; there it says "cuimg/image/image.h", so that it cannot meet
# a user's own.
#   cmake -DSOURCE=... -DLIST=... -DDESTINATION=... -P WriteHeaders.cmake
file(GLOB_RECURSE stale ${DESTINATION}/*)
file(STRINGS ${LIST} headers)
foreach(header IN LISTS headers)
  file(READ ${SOURCE}/${header} text)
  string(REGEX REPLACE "#include \"([a-z_]+(/[a-z_0-9]+)*\\.(h|inc))\"" "#include \"cuimg/\\1\""
         text "${text}")
  string(REGEX REPLACE "^lib/" "" name ${header})
  set(target ${DESTINATION}/cuimg/${name})
  set(old)
  if(EXISTS ${target})
    file(READ ${target} old)
  endif()
  # An equal file keeps its time, so that what includes it is not built again.
  if(NOT old STREQUAL text)
    file(WRITE ${target} "${text}")
  endif()
  list(REMOVE_ITEM stale ${target})
endforeach()
if(stale)
  file(REMOVE ${stale})
endif()
