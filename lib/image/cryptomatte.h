// SPDX-License-Identifier: Apache-2.0
// Cryptomatte: layers whose floats are alternately ids and coverages (Friedman and Jones 2015). The
// metadata entry "cryptomatte/ID/name" contains the beginning of their names, which digits and
// possibly a view follow.
#pragma once

#include <string>
#include <vector>

#include "image/spec.h"

namespace cuimg {

/// Sets LayerSpec::is_matte for the float layers that the metadata names, and clears it for others.
/// @param part the name of the file's part, used for layers without a name.
void mark_mattes(const Metadata& metadata, std::vector<LayerSpec>& layers,
                 const std::string& part = "");

/// Cryptomatte's names for an image's layers: a layer without a name has the name of its part.
std::vector<std::string> matte_layer_names(const Spec& spec);

/// Removes the entries of each Cryptomatte with none of these layers: its manifest names objects of
/// the scene and is useless without the ids. @returns whether there were any.
bool leave_out_unused_mattes(Metadata& metadata, const std::vector<std::string>& layers);

}  // namespace cuimg
