// SPDX-License-Identifier: Apache-2.0
// Formats that cuimg recognises but does not read, so that the error can name them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace cuimg {

/// @param head the file's beginning. @returns the format's name, such as "WebP", or "" if it is
/// unknown.
std::string_view refused_format(std::span<const std::byte> head);

/// Whether files with that extension (lower case, without the dot) are usually pictures of a format
/// that is not read.
bool is_refused_extension(std::string_view extension);

}  // namespace cuimg
