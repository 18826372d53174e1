# SPDX-License-Identifier: Apache-2.0
# Python, which groups sources and translates kernels: the interpreter itself. A shim that chooses
# one, such as pyenv's, takes several times as long to start, here some hundred times.
if(NOT Python3_EXECUTABLE)
  find_program(CUIMG_PYTHON python3)
  if(CUIMG_PYTHON)
    execute_process(COMMAND ${CUIMG_PYTHON} -c "import sys; print(sys.executable)"
                    OUTPUT_VARIABLE interpreter OUTPUT_STRIP_TRAILING_WHITESPACE
                    RESULT_VARIABLE failed ERROR_QUIET)
    if(failed EQUAL 0 AND EXISTS "${interpreter}")
      set(Python3_EXECUTABLE ${interpreter})
    endif()
  endif()
endif()
find_package(Python3 COMPONENTS Interpreter)
