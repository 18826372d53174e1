// SPDX-License-Identifier: Apache-2.0
#include "stages/description.h"

namespace cuimg {

std::string_view name_of(Kind kind) {
  constexpr std::string_view names[] = {"source", "filter", "sink", "reducer"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace cuimg
