# SPDX-License-Identifier: Apache-2.0
# CUDA is an optional language: without nvcc the .cu files are left out and every command runs on the CPU.

set(CUIMG_WITH_CUDA FALSE)
if(NOT CUIMG_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  if(NOT CMAKE_CUDA_COMPILER AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
  # "native" fails to configure without a card, so an absent card falls back to a portable pair.
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE capability ERROR_QUIET RESULT_VARIABLE no_card)
    if(no_card EQUAL 0 AND capability MATCHES "^([0-9]+)\\.([0-9])")
      set(CMAKE_CUDA_ARCHITECTURES "${CMAKE_MATCH_1}${CMAKE_MATCH_2}-real")
    else()
      set(CMAKE_CUDA_ARCHITECTURES "90-real;75-virtual")
    endif()
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    # CMake 3.25 does not know that nvcc does.
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
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
message(STATUS "cuimg: CUDA backend ${CUIMG_WITH_CUDA} (architectures ${CMAKE_CUDA_ARCHITECTURES})")
