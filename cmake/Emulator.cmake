# SPDX-License-Identifier: Apache-2.0
# How a program of this build starts on this machine: CUIMG_EMULATOR goes before its name, in a shell
# and in CMake's scripts. It is empty unless the program is built for another processor.
set(CUIMG_EMULATOR)
foreach(word IN LISTS CMAKE_CROSSCOMPILING_EMULATOR)
  string(APPEND CUIMG_EMULATOR "\"${word}\" ")
endforeach()
