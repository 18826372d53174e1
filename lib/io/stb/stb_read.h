// SPDX-License-Identifier: Apache-2.0
// Calls stb_image, which reports success for truncated files and allocates memory before it reads:
// callers check sizes first, and missing bytes are an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>

namespace cuimg {

struct StbPixels {
  std::unique_ptr<std::uint8_t, void (*)(void*)> rgba;  ///< 4 bytes a pixel, always.
  int width = 0, height = 0;
  int channels = 0;  ///< How many of them the file says.
};

/// Decodes the PSD or PIC that the pieces are, one behind the other.
/// @returns the pixels, or why there are none: "truncated", or what stb_image says.
std::variant<StbPixels, std::string> read_by_stb(
    std::span<const std::span<const std::byte>> pieces);

}  // namespace cuimg
