// SPDX-License-Identifier: Apache-2.0
// The help text of every stage that reads neighbouring pixels.
#pragma once

#include <string_view>

namespace cuimg {

inline constexpr std::string_view data_window_grows =
    "A data window grows by the stage's reach, within the display window.";

}  // namespace cuimg
