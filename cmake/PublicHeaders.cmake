# SPDX-License-Identifier: Apache-2.0
# The library's public headers as its users include them, cuimg/..., in ${PROJECT_BINARY_DIR}/include.
# Users of the build (add_subdirectory) read them there; the install copies them.
# Headers that include those of no other library; the others are how a room works inside.
set(patterns
  kernels/*/*.h
  lib/cuimg.h lib/version.h lib/base/error.h lib/base/row_progress.h lib/base/memory_budget.h
  lib/base/mapped_pages.h lib/base/trace.h lib/base/environment.h lib/pipeline/run/work_places.h
  lib/base/exact_m*.h lib/image/*.h
  lib/options/*.h lib/options/value_types.inc
  lib/io/codec.h lib/io/decode_options.h lib/io/density_range.h lib/io/byte_sink.h lib/io/byte_source.h
  lib/io/lost_pages.h lib/io/output_file.h lib/io/signals.h lib/io/stored_sum.h
  lib/device/queue.h lib/device/frame.h lib/device/device_error.h lib/device/card_session.h
  lib/device/cpu/texture_rows.h
  lib/stages/stage.h lib/stages/description.h lib/stages/run_cache.h
  lib/stages/registry.h lib/stages/resample/resample*.h lib/stages/geometry/resize.h lib/stages/warp/remap.h
  lib/stages/warp/coordinates.h lib/stages/warp/read_filter.h
  lib/pipeline/grammar.h lib/pipeline/bound_stage.h lib/pipeline/options.h lib/pipeline/frames.h
  lib/pipeline/output_spec.h lib/pipeline/plan.h
  lib/pipeline/execute/execute.h lib/pipeline/execute/block_flow.h
  lib/pipeline/run/apply.h lib/pipeline/run/halved_levels.h lib/pipeline/run/parse_chain.h
  lib/pipeline/run/run.h
  lib/compare/compare.h lib/compare/compared_content.h lib/compare/comparison.h lib/compare/limits.h lib/compare/gtest_matcher.h
  lib/compare/metrics/measures.h lib/compare/metrics/metric_options.h lib/compare/decoded_pair.h
  lib/compare/report/html_report.h lib/compare/report/layer_script.h
  lib/compare/report/add_to_report.h lib/compare/report/stored_report.h
  lib/compare/report/history_plot.h
  lib/pipeline/run/run_report.h lib/pipeline/run/card_choice.h lib/pipeline/run/card_shares.h
  lib/pipeline/run/shared_parts.h)
set(headers)
foreach(pattern IN LISTS patterns)
  file(GLOB found RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${pattern})
  if(NOT found)
    message(FATAL_ERROR "cmake/PublicHeaders.cmake names ${pattern}, which is not there")
  endif()
  list(APPEND headers ${found})
endforeach()
list(JOIN headers "\n" lines)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/public_headers CONTENT "${lines}\n" @ONLY)
list(TRANSFORM headers PREPEND ${PROJECT_SOURCE_DIR}/)
set(stamp ${PROJECT_BINARY_DIR}/generated/public_headers.stamp)
set(script ${PROJECT_SOURCE_DIR}/cmake/WriteHeaders.cmake)
add_custom_command(OUTPUT ${stamp}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DDESTINATION=${PROJECT_BINARY_DIR}/include
          -DLIST=${PROJECT_BINARY_DIR}/generated/public_headers -P ${script}
  COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
  DEPENDS ${headers} ${script} ${PROJECT_BINARY_DIR}/generated/public_headers
  COMMENT "Writing the public headers" VERBATIM)
add_custom_target(cuimg_headers DEPENDS ${stamp})
add_dependencies(cuimg cuimg_headers)
