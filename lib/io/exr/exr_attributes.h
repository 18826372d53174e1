// SPDX-License-Identifier: Apache-2.0
// Converts between OpenEXR's header attributes and metadata.
#pragma once

#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfLineOrder.h>

#include <map>
#include <string>

#include "image/spec.h"

namespace cuimg {

/// Every attribute that describes the picture and not the file's structure; attributes of unknown
/// types become their bytes. Previews are left out: a new one is made from the pixels.
Metadata metadata_of(const Imf::Header& header);

/// The attributes that add_metadata() would write as another type if it knew only their value: a
/// rational is a list of two numbers, and a double may be a float.
std::map<std::string, StoredEntry> stored_entries_of(const Imf::Header& header,
                                                     const Metadata& metadata);

/// Adds the entries that can be attributes. An entry whose value equals a stored one is written as
/// that again. Otherwise integers become int, and other numbers float if that is exact, else
/// double. Lists get the type that OpenEXR defines for the name, or one that suits their length.
void add_metadata(const Metadata& metadata, const std::map<std::string, StoredEntry>& stored,
                  Imf::Header& header);

/// The order of rows, or of rows of tiles, that the entry lineOrder requests: increasing,
/// decreasing or, only with tiles, random.
Imf::LineOrder exr_line_order(const Metadata& metadata, bool has_tiles);

/// See Capabilities::keeps.
bool exr_keeps(const std::string& name, const MetadataValue& value);

}  // namespace cuimg
