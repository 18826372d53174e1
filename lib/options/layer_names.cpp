// SPDX-License-Identifier: Apache-2.0
#include "options/layer_names.h"

#include <algorithm>
#include <string>

#include "options/path_filter.h"

namespace cuimg {

bool names_layer(std::string_view wanted, std::string_view label) {
  if (wanted == label) return true;
  // In the pattern of a path `*` stops at '/', which in the name of a layer is as any character.
  const auto without_slashes = [](std::string_view text) {
    std::string made(text);
    std::ranges::replace(made, '/', '\x01');
    return made;
  };
  return matches_glob(without_slashes(wanted), without_slashes(label));
}

}  // namespace cuimg
