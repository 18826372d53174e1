// SPDX-License-Identifier: Apache-2.0
// The metadata entries that --metadata private removes because of their names.
#pragma once

#include <string_view>

namespace cuimg {

/// Whether programs use that name for entries about people, places, rights, or one particular
/// camera or file.
bool is_private_key(std::string_view key);

/// Whether a text of that name describes the camera, the program, a date or the colours. Other
/// texts may contain names of people and places in any words: titles, comments, sources of a
/// picture.
bool is_public_text(std::string_view key);

}  // namespace cuimg
