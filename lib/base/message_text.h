// SPDX-License-Identifier: Apache-2.0
// Formats sizes, counts and lists for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cuimg {

/// "640x480".
std::string size_text(std::int64_t width, std::int64_t height);

/// "1 image", "2 images".
std::string counted(std::int64_t count, const std::string& noun);

/// Appends to a list, after a separator if the list is not empty: "R, G, B".
void add_item(std::string& list, std::string_view item, std::string_view separator = ", ");

}  // namespace cuimg
