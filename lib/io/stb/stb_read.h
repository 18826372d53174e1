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
  std::unique_ptr<std::uint8_t, void (*)(void*)> rgba;  ///< Always 4 bytes per pixel.
  int width = 0, height = 0;
  int channels = 0;  ///< The number of channels in the file.
};

/// Decodes the PSD or PIC that consists of the pieces in order.
/// @returns the pixels, or the reason for failure: "truncated", or stb_image's message.
std::variant<StbPixels, std::string> read_by_stb(
    std::span<const std::span<const std::byte>> pieces);

}  // namespace cuimg
