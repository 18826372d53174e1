# SPDX-License-Identifier: Apache-2.0
# `cmake --install build --prefix DIR` installs all of it, --component NAME a part:
#   runtime        the program, its man page and its completions
#   development    the library, its headers, and what find_package(cuimg) and pkg-config read
#   documentation  licences and README
include(CMakePackageConfigHelpers)

if(CUIMG_APPS)
  install(TARGETS cuimg_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
  if(CUIMG_DERIVED)
    set(completions ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${CUIMG_DERIVED}/cuimg.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
            COMPONENT runtime)
    install(FILES ${CUIMG_DERIVED}/cuimg.bash DESTINATION ${completions} RENAME cuimg
            COMPONENT runtime)
    install(FILES ${CUIMG_DERIVED}/_cuimg DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
            COMPONENT runtime)
    install(FILES ${CUIMG_DERIVED}/cuimg.fish
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT runtime)
  endif()
endif()

# The library holds the font, whose licence goes where it goes.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE
        ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/lib/text/DejaVuSans.LICENSE
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/cuimg)
install(TARGETS cuimg cuimg_exactness EXPORT cuimgTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/cuimg DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development)
install(EXPORT cuimgTargets NAMESPACE cuimg:: DESTINATION ${package} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cuimgConfig.cmake.in
  ${PROJECT_BINARY_DIR}/generated/cuimgConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/cuimgConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/cuimgConfig.cmake
              ${PROJECT_BINARY_DIR}/generated/cuimgConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/CuimgGoldenTest.cmake
        DESTINATION ${package} COMPONENT development)
include(PkgConfigFile)
