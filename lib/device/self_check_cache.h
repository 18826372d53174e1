// SPDX-License-Identifier: Apache-2.0
// Where the self-check's answers are remembered from run to run.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace cuimg {

using FormatNames = std::set<std::string, std::less<>>;

/// $XDG_CACHE_HOME/cuimg, else $HOME/.cache/cuimg, else empty: nothing is kept.
std::string cache_folder();

/// @param key names the card and its driver; fit for a file's name.
/// @param definition a digest of what the software unit returned.
/// @returns the formats that were found exact, or nothing when unknown, damaged or about another
/// definition.
std::optional<FormatNames> load_self_check(const std::string& key, std::uint64_t definition);
/// Replaced in one step. A folder that cannot be written is no error.
void store_self_check(const std::string& key, std::uint64_t definition, const FormatNames& exact);

}  // namespace cuimg
