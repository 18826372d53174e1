// SPDX-License-Identifier: Apache-2.0
// What help says of every option that takes a value for each channel.
#pragma once

#include <string_view>

namespace cuimg {

inline constexpr std::string_view values_of_channels =
    "With as many values as channels the last is alpha's.";

}  // namespace cuimg
