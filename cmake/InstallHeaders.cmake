# SPDX-License-Identifier: Apache-2.0
# Run at install time: copies the public headers to ${destination}. Inside the project a header says
# "image/image.h"; installed it says "cuimg/image/image.h", so that it cannot meet a consumer's own.
foreach(pattern IN LISTS headers)
  file(GLOB found ${source}/${pattern})
  if(NOT found)
    message(FATAL_ERROR "cmake/Install.cmake names ${pattern}, which is not there")
  endif()
  foreach(header IN LISTS found)
    file(READ ${header} text)
    string(REGEX REPLACE "#include \"([a-z_]+(/[a-z_0-9]+)*\\.(h|inc))\"" "#include \"cuimg/\\1\""
           text "${text}")
    file(RELATIVE_PATH name ${source} ${header})
    string(REGEX REPLACE "^lib/" "" name ${name})
    set(target ${destination}/${name})
    set(old)
    if(EXISTS ${target})
      file(READ ${target} old)
    endif()
    # An equal file keeps its time, so that what includes it is not built again.
    if(NOT old STREQUAL text)
      message(STATUS "Installing: ${target}")
      file(WRITE ${target} "${text}")
    endif()
  endforeach()
endforeach()
