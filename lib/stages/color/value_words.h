// SPDX-License-Identifier: Apache-2.0
// What help says of stages that take values as a file has them, and of options that take a value
// for each channel.
#pragma once

#include <string_view>

namespace cuimg {

inline constexpr std::string_view on_file_values =
    "Works on values as the input's file encodes them (sRGB's in most formats, light in EXR), "
    "alpha divided out; with --raw on the stored values, of integers code / 255 or code / 65535.";

inline constexpr std::string_view values_of_channels =
    "With as many values as channels the last is alpha's.";

}  // namespace cuimg
