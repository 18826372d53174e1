# SPDX-License-Identifier: Apache-2.0
# cuimg_write_changed(FILE TEXT): writes the file unless it holds the text already: an equal file keeps
# its time, so that what includes it is not compiled again.
function(cuimg_write_changed file text)
  set(old)
  if(EXISTS ${file})
    file(READ ${file} old)
  endif()
  if(NOT old STREQUAL text)
    file(WRITE ${file} "${text}")
  endif()
endfunction()
