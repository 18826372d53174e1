// SPDX-License-Identifier: Apache-2.0
// The lines of a Radiance header that do not describe the pixels' values: the view, the program,
// dates, the commands that made the picture, and comments. Each kind is an entry of metadata.
#pragma once

#include <string>

#include "image/spec.h"

namespace cuimg {

/// Takes a line of a header. VIEW= becomes the entry hdr:VIEW, likewise for a few other variables;
/// commands and comments become hdr:lines. An entry has one line for each of its kind.
/// @returns whether it was such a line.
bool take_hdr_line(const std::string& line, Metadata& metadata);

/// Whether a header can hold that entry.
bool hdr_keeps_lines(const std::string& key, const MetadataValue& value);

/// The header's lines for these entries, each with its end.
std::string hdr_lines(const Metadata& metadata);

}  // namespace cuimg
