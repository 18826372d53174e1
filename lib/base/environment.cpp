// SPDX-License-Identifier: Apache-2.0
#include "base/environment.h"

#include <cstdlib>

namespace cuimg {

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
}

}  // namespace cuimg
