// SPDX-License-Identifier: Apache-2.0
// Help texts for stages that process values as a file encodes them, and for options with a value
// for each channel.
#pragma once

#include <string_view>

namespace cuimg {

inline constexpr std::string_view on_file_values =
    "Works on values as the input's file encodes them (sRGB in most formats, light in EXR), with "
    "alpha divided out; with --raw on the stored values, for integers code / 255 or code / 65535.";

inline constexpr std::string_view least_of_powers =
    "In powers, values and results closer to 0 than 2^-126 count as 0.";

inline constexpr std::string_view values_of_channels =
    "With as many values as channels the last one is for alpha.";

}  // namespace cuimg
