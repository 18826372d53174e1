// SPDX-License-Identifier: Apache-2.0
// Names that other programs use for operations that have a different name here.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cuimg {

struct FamiliarName {
  std::string_view word;
  /// Stages and commands of this program, in the form in which an error ends: "use blur".
  std::string_view advice;
};

std::span<const FamiliarName> familiar_names();

/// The advice for a word that is neither a stage nor a command: for a familiar name the stage that
/// does the same, otherwise did_you_mean().
std::string advice_on_name(std::string_view word, std::span<const std::string> candidates,
                           const std::string& otherwise);

}  // namespace cuimg
