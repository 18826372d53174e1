// SPDX-License-Identifier: Apache-2.0
// Environment variables, behind a function so that tests can supply their own.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace cuimg {

/// The value of a variable, or nothing.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
/// The variables of this process.
Environment process_environment();

}  // namespace cuimg
