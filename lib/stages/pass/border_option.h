// SPDX-License-Identifier: Apache-2.0
// --border and the colour that goes with it.
#pragma once

#include <string>

#include "base/error.h"
#include "options/values.h"

namespace cuimg {

/// @param place the stage. @param option the colour's. @throws Error for a colour that is given and
/// would not be seen.
inline void check_border_color(const std::string& place, Border border, const Color& color,
                               const std::string& option = "border-color") {
  if (border != Border::border && color != Color{})
    throw Error(place, "--" + option + " is what --border border shows",
                "give that too, or leave out --" + option);
}

}  // namespace cuimg
