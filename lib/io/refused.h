// SPDX-License-Identifier: Apache-2.0
// Formats that cuimg knows by sight and does not read, so that the error can name them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace cuimg {

/// @param head the file's beginning. @returns the format's name, "WebP", or "" when it is unknown.
std::string_view refused_format(std::span<const std::byte> head);

}  // namespace cuimg
