// SPDX-License-Identifier: Apache-2.0
// The sets of primaries that a user can name; primaries_named() also finds them.
#pragma once

#include <span>
#include <string_view>

#include "image/primaries.h"

namespace cuimg {

/// One line of the list.
struct NamedPrimaries {
  std::string_view name, help;
  std::string_view aliases;  ///< Separated by spaces.
  Chromaticities space;
};
std::span<const NamedPrimaries> named_primaries();

}  // namespace cuimg
