# SPDX-License-Identifier: Apache-2.0
# CUDA is an optional language: without nvcc the .cu files are left out and every command runs on the CPU.

# Packagers' tools write booleans in other words.
string(TOUPPER "${CUIMG_CUDA}" cuda_wanted)
if(cuda_wanted MATCHES "^(OFF|FALSE|NO|N|0)$")
  set(CUIMG_CUDA OFF)
elseif(cuda_wanted MATCHES "^(ON|TRUE|YES|Y|1)$")
  set(CUIMG_CUDA ON)
elseif(cuda_wanted STREQUAL "AUTO")
  set(CUIMG_CUDA AUTO)
else()
  message(FATAL_ERROR "CUIMG_CUDA=${CUIMG_CUDA}: use AUTO, ON or OFF")
endif()

option(CUIMG_ONE_PASS "Without a card here, compile kernels once: a first build takes a fifth less" OFF)
set(CUIMG_WITH_CUDA FALSE)
if(NOT CUIMG_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  if(NOT CMAKE_CUDA_COMPILER AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
  # Every card that is here, and PTX of the oldest for the cards that are not.
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE capabilities ERROR_QUIET RESULT_VARIABLE no_card)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]" cards "${capabilities}")
    if(no_card EQUAL 0 AND cards)
      list(TRANSFORM cards REPLACE "\\." "")
      list(REMOVE_DUPLICATES cards)
      list(SORT cards COMPARE NATURAL)
      list(POP_FRONT cards oldest)
      list(TRANSFORM cards APPEND "-real")
      # Without a suffix it is both, from one pass of the compiler.
      set(CMAKE_CUDA_ARCHITECTURES ${oldest} ${cards})
    elseif(CUIMG_ONE_PASS)
      # 75's PTX for every card and, from the same PTX, Hopper's code, which then lacks what came
      # after 75: asynchronous copies and pairs of halves.
      set(CMAKE_CUDA_ARCHITECTURES OFF)
      set(CUIMG_KERNEL_CODE "--generate-code=arch=compute_75,code=[compute_75,sm_90]")
      set(CUIMG_TEST_ARCHITECTURES 90)
    else()
      # What is built here runs elsewhere, if on a card at all: Hopper's own code, since 75's PTX
      # lacks asynchronous copies, and that PTX for the others.
      set(CMAKE_CUDA_ARCHITECTURES "90-real;75-virtual")
      set(CUIMG_TEST_ARCHITECTURES 90)
    endif()
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    if(CUIMG_COMPRESS)
      if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.8)
        add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>)
      else()
        add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-Xfatbin=-compress-all>)
      endif()
    endif()
    # CMake 3.25 does not know that nvcc does.
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    # nvcc's own -O is of what surrounds the kernels, which only starts them.
    string(REPLACE "-O3" "-O1" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
    # For those that require 3.25, that version's module sets a property of nvToolsExt, which CUDA 13
    # no longer has.
    set(minimum ${CMAKE_MINIMUM_REQUIRED_VERSION})
    set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
    find_package(CUDAToolkit REQUIRED)
    set(CMAKE_MINIMUM_REQUIRED_VERSION ${minimum})
    set(CUIMG_WITH_CUDA TRUE)
  elseif(CUIMG_CUDA STREQUAL "ON")
    message(FATAL_ERROR "CUIMG_CUDA=ON, but no nvcc was found")
  endif()
endif()
if(NOT CUIMG_TEST_ARCHITECTURES)  # of samples and tests
  set(CUIMG_TEST_ARCHITECTURES ${CMAKE_CUDA_ARCHITECTURES})
endif()
message(STATUS "cuimg: CUDA backend ${CUIMG_WITH_CUDA} (architectures ${CMAKE_CUDA_ARCHITECTURES} ${CUIMG_KERNEL_CODE})")
