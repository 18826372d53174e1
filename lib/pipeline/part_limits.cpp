// SPDX-License-Identifier: Apache-2.0
#include "pipeline/part_limits.h"

#include <fmt/format.h>

#include "base/error.h"

namespace cuimg {

void check_pixels_of_parts(std::uint64_t pixels, const ByteSource& source, std::uint64_t limit) {
  const std::string advice =
      "raise it with --limit-pixels if the file is trusted, or choose one with --part";
  if (pixels / pixels_of_parts_in_limit > limit)
    throw Error(source.name(),
                fmt::format("its parts have more than {} times the limit of {} pixels",
                            pixels_of_parts_in_limit, limit),
                advice);
  const std::size_t bytes = source.bytes().size();
  if (pixels > limit && pixels / pixels_of_parts_in_byte > bytes)
    throw Error(
        source.name(),
        fmt::format("its parts have more than the limit of {} pixels, from {} bytes", limit, bytes),
        advice);
}

}  // namespace cuimg
