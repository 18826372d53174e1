# SPDX-License-Identifier: Apache-2.0
# Run by the build: writes the public headers that the file LIST names to DESTINATION/cuimg. Inside the
# project a header says "image/image.h"; there it says "cuimg/image/image.h", so that it cannot meet
# a user's own.
#   cmake -DSOURCE=... -DLIST=... -DDESTINATION=... -P WriteHeaders.cmake
include(${CMAKE_CURRENT_LIST_DIR}/WriteChanged.cmake)
file(GLOB_RECURSE stale ${DESTINATION}/*)
file(STRINGS ${LIST} headers)
foreach(header IN LISTS headers)
  file(READ ${SOURCE}/${header} text)
  string(REGEX REPLACE "#include \"([a-z_]+(/[a-z_0-9]+)*\\.(h|inc))\"" "#include \"cuimg/\\1\""
         text "${text}")
  string(REGEX REPLACE "^lib/" "" name ${header})
  set(target ${DESTINATION}/cuimg/${name})
  cuimg_write_changed(${target} "${text}")
  list(REMOVE_ITEM stale ${target})
endforeach()
if(stale)
  file(REMOVE ${stale})
endif()
