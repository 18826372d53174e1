# SPDX-License-Identifier: Apache-2.0
# Release where no build type is given: without one the compiler would optimise nothing. Packagers who
# pass their own flags give None. In another project the build type is that project's.
get_property(several_types GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(PROJECT_IS_TOP_LEVEL AND NOT several_types AND NOT CMAKE_BUILD_TYPE)
  message(STATUS "cuimg: CMAKE_BUILD_TYPE is Release, for none was given")
  set(CMAKE_BUILD_TYPE Release CACHE STRING
      "Release, RelWithDebInfo, Debug, MinSizeRel, or None for the flags given alone" FORCE)
endif()
