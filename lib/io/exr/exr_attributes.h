// SPDX-License-Identifier: Apache-2.0
// Header attributes of OpenEXR and metadata, each as the other.
#pragma once

#include <OpenEXR/ImfHeader.h>

#include <string>

#include "image/spec.h"

namespace cuimg {

/// Every attribute that describes the picture and not how the file is built. Previews are left out:
/// they would show another picture after any change.
Metadata metadata_of(const Imf::Header& header);

/// Adds what can be an attribute. Whole numbers become int, others float where that is exact and
/// double else; lists take the type that OpenEXR gives the name, else one by their length.
void add_metadata(const Metadata& metadata, Imf::Header& header);

/// See Capabilities::keeps.
bool exr_keeps(const std::string& name, const MetadataValue& value);

}  // namespace cuimg
