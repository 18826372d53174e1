// SPDX-License-Identifier: Apache-2.0
// The metadata entries that --metadata private removes because of their names.
#pragma once

#include <string_view>

namespace cuimg {

/// Whether programs give that name to entries that tell of people, places, rights, or one camera or
/// file of many.
bool is_private_key(std::string_view key);

/// Whether a text of that name describes the camera, the program, a date or the colours. Others may
/// hold names of people and places in any words: titles, comments, what a picture was made of.
bool is_public_text(std::string_view key);

}  // namespace cuimg
