// SPDX-License-Identifier: Apache-2.0
// Encodes text and bytes for HTML pages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cuimg {

/// JSON that may be placed in a <script> element: `<`, `>` and `&`, which JSON only has in texts,
/// become \u003c and so on, so that no text ends the element.
std::string json_for_page(std::string_view json);

/// Text for XML, also within quotes. XML 1.0 cannot represent most control characters, and invalid
/// UTF-8 would make the file invalid: both become U+FFFD.
std::string xml_text(std::string_view text);

}  // namespace cuimg
