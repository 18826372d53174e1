# SPDX-License-Identifier: Apache-2.0
# cuimg_add_golden_test() with folders: passes in every run, not in the first alone, and fails where
# the command writes nothing. Run by ctest:
#   cmake -DWORK=... -DSOURCE=... -DPROGRAM=... -DGENERATOR=... -P golden_check.cmake
file(REMOVE_RECURSE ${WORK})
file(COPY ${SOURCE}/tests/consumer/golden/ DESTINATION ${WORK}/source)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(result "${result}" PARENT_SCOPE)
  set(text "${text}" PARENT_SCOPE)
endfunction()

function(check_done)
  run(${ARGV})
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nexit ${result}\n${text}")
  endif()
endfunction()

set(in ${WORK}/source/in)
file(MAKE_DIRECTORY ${in})
check_done(${PROGRAM} noise --size 8x8 ${in}/a.png)
check_done(${PROGRAM} flop ${in} -o ${WORK}/source/golden/)
set(configure ${CMAKE_COMMAND} -G ${GENERATOR} -S ${WORK}/source -B ${WORK}/build
    -DCUIMG_PROGRAM=${PROGRAM} -DMODULE=${SOURCE}/cmake/CuimgGoldenTest.cmake)
set(test ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build --output-on-failure)

check_done(${configure})
check_done(${test})
check_done(${test})

# The second picture of the golden folder is one that an earlier run alone made.
file(COPY_FILE ${in}/a.png ${in}/b.png)
check_done(${PROGRAM} flop ${in} -o ${WORK}/source/golden/)
check_done(${test})
file(REMOVE ${in}/b.png)
run(${test})
if(result EQUAL 0)
  message(FATAL_ERROR "the result of an earlier run was compared\n${text}")
endif()

run(${configure} -DREMOVES_GOLDEN=ON)
if(result EQUAL 0 OR NOT text MATCHES "removed[ \n]+before[ \n]+each")
  message(FATAL_ERROR "a RESULT that holds the GOLDEN is not refused\n${text}")
endif()

run(${configure} -DREMOVES_GOLDEN=OFF -DNAMES_SEQUENCE=ON)
if(result EQUAL 0 OR NOT text MATCHES "is[ \n]+a[ \n]+sequence")
  message(FATAL_ERROR "a RESULT whose frames would not be removed is not refused\n${text}")
endif()
