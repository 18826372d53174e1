// SPDX-License-Identifier: Apache-2.0
// What an output says of its picture: --metadata and --set.
#pragma once

#include <string>
#include <vector>

#include "io/codec.h"
#include "pipeline/options.h"

namespace cuimg {

/// Metadata without what --metadata leaves out.
/// @param warnings gets what had to go whole because it cannot be taken apart.
Metadata kept_metadata(const Metadata& metadata, MetadataPolicy policy,
                       std::vector<std::string>& warnings);

/// Changes the entries of --set: "exif:FNumber" and "iptc:Headline" are those of the blocks, other
/// keys are entries of their own. An entry keeps its type, unless it is one to which OpenEXR gives
/// a type; a new one is a text where the format has only texts under that key, else a number where
/// it reads as one. An EXR's pixelAspectRatio is the pixels' shape.
/// @throws Error for a key that the format cannot hold, or a value that does not fit.
void change_metadata(Spec& spec, const MetadataChanges& changes, const Codec& codec);

}  // namespace cuimg
