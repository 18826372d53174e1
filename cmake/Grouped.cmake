# SPDX-License-Identifier: Apache-2.0
# Compiling several files as one, for builds from nothing: most of a small file's time goes into the
# headers that its neighbours include too. After an edit a group is compiled again where a file would
# do, so it is an option, which the scripts choose for their first build.
option(CUIMG_GROUPED "Compile files of a room as one: a first build takes half the time" OFF)
if(CUIMG_GROUPED)
  if(NOT Python3_FOUND)
    message(FATAL_ERROR "CUIMG_GROUPED=ON, but no python3 was found")
  endif()
  # GCC collects its garbage from 128 MB on; a group of files passes that several times. A first
  # build takes 4 to 8 % less if it waits for 512 MB.
  set(heap --param=ggc-min-heapsize=524288)
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${heap}>")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${heap}>")
  endif()
  # The compiler takes the files of a group for headers, whose unnamed namespaces would be a mistake,
  # and warns of a local name that another file of the group has for itself.
  target_compile_options(cuimg_warnings INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wno-subobject-linkage,-Wno-shadow>")
endif()

# cuimg_group(LIST NAME MOST): replaces the sources in the variable LIST by groups of at most MOST,
# ${PROJECT_BINARY_DIR}/grouped/NAME_1.cpp and so on, and by those that belong to no group. A source
# that the build makes is written SOURCE=MADE. Without CUIMG_GROUPED the list stays as it is.
function(cuimg_group list name most)
  if(NOT CUIMG_GROUPED)
    list(TRANSFORM ${list} REPLACE ".*=" "")
    set(${list} ${${list}} PARENT_SCOPE)
    return()
  endif()
  # Which files fit together depends on the names in them, so an edit is a reason to look again.
  set(read ${${list}})
  list(TRANSFORM read REPLACE "=.*" "")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${read}
               ${PROJECT_SOURCE_DIR}/cmake/group_sources.py)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/group_sources.py
            ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/grouped/${name} ${most} ${${list}}
    OUTPUT_VARIABLE sources COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" sources "${sources}")
  set(${list} ${sources} PARENT_SCOPE)
endfunction()

# cuimg_precompile(TARGET OWNER HEADERS...): TARGET's C++ files find the headers parsed already, which
# is done for OWNER, the first target of this name, and serves those that are compiled like it. Not
# with ccache, which would keep none of these files.
function(cuimg_precompile target owner)
  if(NOT CUIMG_GROUPED OR CUIMG_CCACHE)
    return()
  endif()
  # GCC no longer knows what comes from a system's header, of which it would not warn: an overflow in
  # std::string that cannot be (GCC bug 105329), and the if and else of googletest's macros.
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow;-Wno-dangling-else>")
  if(NOT target STREQUAL owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "(.+)" "<\\1>")
  target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()

# cuimg_optimize_less(FILES...): compiles these with -O1, others with -O3. GCC 12 accepts precompiled
# headers made with -O3 for both; GCC 13 and later do not.
function(cuimg_optimize_less)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
