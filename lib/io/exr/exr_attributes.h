// SPDX-License-Identifier: Apache-2.0
// Converts between OpenEXR's header attributes and metadata.
#pragma once

#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfLineOrder.h>

#include <map>
#include <string>

#include "image/spec.h"

namespace cuimg {

/// Every attribute that describes the picture and not how the file is built; its bytes where no
/// other value says what it is. Previews are left out: a new one is made of the pixels.
Metadata metadata_of(const Imf::Header& header);

/// Those of its attributes that add_metadata() would write as another type for their value alone: a
/// rational is a list of two numbers, a double may be a float.
std::map<std::string, StoredEntry> stored_entries_of(const Imf::Header& header,
                                                     const Metadata& metadata);

/// Adds what can be an attribute. An entry that has the value of a stored one becomes that again.
/// Else whole numbers become int, others float where that is exact and double else; lists take the
/// type that OpenEXR gives the name, else one by their length.
void add_metadata(const Metadata& metadata, const std::map<std::string, StoredEntry>& stored,
                  Imf::Header& header);

/// The order of rows, or of rows of tiles, that its entry lineOrder asks for: increasing,
/// decreasing or, with tiles alone, random.
Imf::LineOrder exr_line_order(const Metadata& metadata, bool has_tiles);

/// See Capabilities::keeps.
bool exr_keeps(const std::string& name, const MetadataValue& value);

}  // namespace cuimg
