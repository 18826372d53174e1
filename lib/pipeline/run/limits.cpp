// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/limits.h"

#include <string>

#include "base/error.h"
#include "io/codec.h"

namespace cuimg {

void check_sizes(const Plan& plan, std::uint64_t limit) {
  for (const PlannedStep& step : plan.steps) {
    const Rect made = step.operation->output().data_window;
    const auto pixels = static_cast<std::uint64_t>(made.pixels());
    if (pixels > limit)
      throw Error(step.name,
                  "its " + std::to_string(made.width) + "x" + std::to_string(made.height) +
                      " are " + std::to_string(pixels) + " pixels, past the limit of " +
                      std::to_string(limit),
                  "raise it with --limit-pixels");
  }
}

void check_inflation(const std::string& stage, const Spec& input, std::size_t file_bytes,
                     std::uint64_t limit_pixels) {
  constexpr std::size_t harmless_bytes = std::size_t{1} << 30, most_per_file_byte = 4096;
  const std::size_t bytes = input.pixel_bytes();
  if (limit_pixels > DecodeOptions{}.limit_pixels || bytes <= harmless_bytes ||
      bytes / most_per_file_byte <= file_bytes)
    return;
  throw Error(stage,
              "it reads all over its input, whose " + std::to_string(input.data_window.width) +
                  "x" + std::to_string(input.data_window.height) + " pixels would take " +
                  std::to_string(bytes >> 20) + " MB, from a file of " +
                  std::to_string(file_bytes) + " bytes",
              "if that is right, raise --limit-pixels");
}

void check_inflation(const Plan& plan, std::size_t file_bytes, std::uint64_t limit_pixels) {
  const Spec* input = &plan.input;
  for (const PlannedStep& step : plan.steps) {
    if (step.wants_whole_input()) check_inflation(step.name, *input, file_bytes, limit_pixels);
    input = &step.operation->output();
  }
}

}  // namespace cuimg
