// SPDX-License-Identifier: Apache-2.0
// Stores the self-check's answers from run to run.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace cuimg {

using FormatNames = std::set<std::string, std::less<>>;

/// $XDG_CACHE_HOME/cuimg, otherwise $HOME/.cache/cuimg; if neither is set empty: then nothing is
/// stored.
std::string cache_folder();

/// @param key identifies the card and its driver; valid as a file name.
/// @param definition a digest of the software unit's results.
/// @returns the formats that were found exact, or nothing if the answer is unknown, damaged or
/// about another definition.
std::optional<FormatNames> load_self_check(const std::string& key, std::uint64_t definition);
/// The file is replaced in one step. A folder that cannot be written is not an error.
void store_self_check(const std::string& key, std::uint64_t definition, const FormatNames& exact);

}  // namespace cuimg
