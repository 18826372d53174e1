# SPDX-License-Identifier: Apache-2.0
# `cmake --install build --prefix DIR`: the program with its man page and completions, the library,
# its public headers as cuimg/..., and what find_package(cuimg) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS cuimg_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS cuimg cuimg_exactness EXPORT cuimgTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

# The library holds the font, whose licence goes where it goes.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
        ${PROJECT_SOURCE_DIR}/lib/text/DejaVuSans.LICENSE
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Headers that include headers of no library but fmt; the others are how a room works inside.
set(CUIMG_PUBLIC_HEADERS
  kernels/*/*.h
  lib/cuimg.h lib/version.h lib/base/error.h lib/base/row_progress.h lib/base/memory_budget.h
  lib/base/mapped_pages.h lib/base/trace.h lib/base/environment.h lib/pipeline/run/work_places.h
  lib/base/exact_m*.h lib/image/*.h
  lib/options/*.h lib/options/value_types.inc
  lib/io/codec.h lib/io/decode_options.h lib/io/byte_sink.h lib/io/byte_source.h
  lib/io/lost_pages.h lib/io/output_file.h lib/io/signals.h
  lib/device/queue.h lib/device/frame.h lib/device/device_error.h lib/device/card_session.h
  lib/device/cpu/texture_rows.h
  lib/stages/stage.h lib/stages/description.h lib/stages/run_cache.h
  lib/stages/registry.h lib/stages/resample/resample*.h lib/stages/geometry/resize.h lib/stages/warp/remap.h
  lib/stages/warp/read_filter.h
  lib/pipeline/grammar.h lib/pipeline/bound_stage.h lib/pipeline/options.h lib/pipeline/frames.h
  lib/pipeline/output_spec.h lib/pipeline/plan.h
  lib/pipeline/execute/execute.h lib/pipeline/execute/block_flow.h
  lib/pipeline/run/apply.h lib/pipeline/run/parse_chain.h lib/pipeline/run/run.h
  lib/compare/compare.h lib/compare/comparison.h lib/compare/limits.h lib/compare/gtest_matcher.h
  lib/compare/metrics/measures.h lib/compare/metrics/metric_options.h lib/compare/decoded_pair.h
  lib/compare/report/html_report.h lib/compare/report/layer_script.h
  lib/compare/report/add_to_report.h lib/compare/report/stored_report.h
  lib/compare/report/history_plot.h
  lib/pipeline/run/run_report.h lib/pipeline/run/card_choice.h lib/pipeline/run/card_shares.h)
install(CODE "set(source \"${PROJECT_SOURCE_DIR}\")
set(headers \"${CUIMG_PUBLIC_HEADERS}\")
set(destination \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/cuimg\")")
install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/InstallHeaders.cmake)

install(EXPORT cuimgTargets NAMESPACE cuimg::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cuimg)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cuimgConfig.cmake.in
  ${PROJECT_BINARY_DIR}/generated/cuimgConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cuimg)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/cuimgConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/cuimgConfig.cmake
              ${PROJECT_BINARY_DIR}/generated/cuimgConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/CuimgGoldenTest.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cuimg)

# The program describes itself: its man page and completions come from the tables of its options.
set(derived ${PROJECT_BINARY_DIR}/derived)
file(MAKE_DIRECTORY ${derived})
foreach(entry "cuimg.1:man" "cuimg.bash:completions;bash" "_cuimg:completions;zsh"
              "cuimg.fish:completions;fish")
  string(REGEX REPLACE ":.*" "" file "${entry}")
  string(REGEX REPLACE "^[^:]*:" "" words "${entry}")
  string(REPLACE ";" " " words "${words}")
  install(CODE "execute_process(COMMAND ${CUIMG_EMULATOR}\"$<TARGET_FILE:cuimg_program>\" ${words}
    OUTPUT_FILE \"${derived}/${file}\" COMMAND_ERROR_IS_FATAL ANY)")
endforeach()
install(FILES ${derived}/cuimg.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${derived}/cuimg.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME cuimg)
install(FILES ${derived}/_cuimg DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${derived}/cuimg.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
