# SPDX-License-Identifier: Apache-2.0
# What the checks of the installed package do alike.

# Runs a command, which has to end well; its output is in ${text}.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nexit ${result}\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

# Writes FILE, one translation unit that includes every public header in the folder INCLUDE, but for
# those that are for nvcc.
function(include_every_header file include)
  file(GLOB_RECURSE headers RELATIVE ${include} ${include}/*.h)
  list(LENGTH headers count)
  if(count LESS 100)
    message(FATAL_ERROR "${include} holds ${count} headers")
  endif()
  list(FILTER headers EXCLUDE REGEX "texture/(texture_cuda|target)\\.h$")
  list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>\n")
  string(CONCAT text ${headers})
  file(WRITE ${file} "${text}")
endfunction()
