// SPDX-License-Identifier: Apache-2.0
// Names by which other programs and the field know what has another name here.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cuimg {

struct FamiliarName {
  std::string_view word;
  std::string_view advice;  ///< Stages and commands of this program, as an error ends: "use blur".
};

std::span<const FamiliarName> familiar_names();

/// What to say of a word that names no stage and no command: where it is a familiar name, what does
/// that here; else did_you_mean().
std::string advice_on_name(std::string_view word, std::span<const std::string> candidates,
                           const std::string& otherwise);

}  // namespace cuimg
