# SPDX-License-Identifier: Apache-2.0
# Golden-image tests for projects that find_package(cuimg), or build it with CUIMG_APPS=ON:
#
#   cuimg_add_golden_test(NAME teapot GOLDEN ${CMAKE_CURRENT_SOURCE_DIR}/goldens/teapot.exr
#                         RESULT ${CMAKE_CURRENT_BINARY_DIR}/teapot.exr
#                         COMMAND render --scene teapot -o teapot.exr
#                         LIMITS --fail 0.002 --fail-percent 0.1)
#
# COMMAND makes the result and is left out where something else does; a result of an earlier run is
# removed before it, so that a command which writes nothing is noticed. GOLDEN and RESULT may both be
# folders; that of RESULT is removed with all that is in it. LIMITS are options of `cuimg compare`. WORKING_DIRECTORY and TIMEOUT are as for add_test.
function(cuimg_add_golden_test)
  cmake_parse_arguments(PARSE_ARGV 0 golden "" "NAME;GOLDEN;RESULT;WORKING_DIRECTORY;TIMEOUT"
                        "COMMAND;LIMITS")
  foreach(word NAME GOLDEN RESULT)
    if(NOT golden_${word})
      message(FATAL_ERROR "cuimg_add_golden_test: ${word} is missing")
    endif()
  endforeach()
  if(golden_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cuimg_add_golden_test: ${golden_UNPARSED_ARGUMENTS} is not known")
  endif()
  if(NOT golden_WORKING_DIRECTORY)
    set(golden_WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  if(NOT CUIMG_PROGRAM AND TARGET cuimg_program)
    set(CUIMG_PROGRAM cuimg_program)
  endif()
  if(NOT CUIMG_PROGRAM)
    message(FATAL_ERROR "cuimg_add_golden_test: CUIMG_PROGRAM does not name the program cuimg")
  endif()
  add_test(NAME ${golden_NAME} WORKING_DIRECTORY ${golden_WORKING_DIRECTORY}
           COMMAND ${CUIMG_PROGRAM} compare ${golden_LIMITS} ${golden_GOLDEN} ${golden_RESULT})
  if(golden_TIMEOUT)
    set_tests_properties(${golden_NAME} PROPERTIES TIMEOUT ${golden_TIMEOUT})
  endif()
  if(NOT golden_COMMAND)
    return()
  endif()
  cmake_path(ABSOLUTE_PATH golden_RESULT BASE_DIRECTORY ${golden_WORKING_DIRECTORY}
             OUTPUT_VARIABLE removed)
  foreach(kept ${golden_GOLDEN} ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR})
    cmake_path(ABSOLUTE_PATH kept BASE_DIRECTORY ${golden_WORKING_DIRECTORY})
    cmake_path(IS_PREFIX removed ${kept} NORMALIZE would_remove)
    if(would_remove)
      message(FATAL_ERROR "cuimg_add_golden_test: RESULT ${golden_RESULT} is removed before each "
                          "run, and ${kept} lies in it")
    endif()
  endforeach()
  if(golden_RESULT MATCHES "##|%0?[0-9]*d")
    message(FATAL_ERROR "cuimg_add_golden_test: RESULT ${golden_RESULT} is a sequence, whose frames of "
                        "an earlier run would not be removed: give the folders")
  endif()
  add_test(NAME ${golden_NAME}.clean WORKING_DIRECTORY ${golden_WORKING_DIRECTORY}
           COMMAND ${CMAKE_COMMAND} -E rm -rf ${golden_RESULT})
  add_test(NAME ${golden_NAME}.render WORKING_DIRECTORY ${golden_WORKING_DIRECTORY}
           COMMAND ${golden_COMMAND})
  set_tests_properties(${golden_NAME}.clean PROPERTIES FIXTURES_SETUP ${golden_NAME}_cleaned)
  set_tests_properties(${golden_NAME}.render PROPERTIES FIXTURES_REQUIRED ${golden_NAME}_cleaned
                       FIXTURES_SETUP ${golden_NAME}_rendered)
  set_tests_properties(${golden_NAME} PROPERTIES FIXTURES_REQUIRED ${golden_NAME}_rendered)
  if(golden_TIMEOUT)
    set_tests_properties(${golden_NAME}.render PROPERTIES TIMEOUT ${golden_TIMEOUT})
  endif()
endfunction()
