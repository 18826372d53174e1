// SPDX-License-Identifier: Apache-2.0
// Which entries of metadata --metadata private leaves out for their names.
#pragma once

#include <string_view>

namespace cuimg {

/// Whether programs give that name to entries that tell of people, places, rights, or one camera or
/// file of many.
bool is_private_key(std::string_view key);

}  // namespace cuimg
