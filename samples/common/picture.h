// SPDX-License-Identifier: Apache-2.0
// Pictures through the library's codecs: the file's extension says which.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cuimg::samples {

/// R, G, B, A of 8 bits, sRGB, top row first. @throws Error.
void write_rgba8(const std::string& path, int width, int height,
                 const std::vector<std::uint8_t>& rgba);

/// Linear R, G, B, for EXR, HDR or PFM. @throws Error.
void write_rgb_float(const std::string& path, int width, int height, const std::vector<float>& rgb);

}  // namespace cuimg::samples
