// SPDX-License-Identifier: Apache-2.0
// Cryptomatte: layers whose floats are ids and coverages, by turns (Friedman and Jones 2015). The
// metadata names them: "cryptomatte/ID/name" is what their names begin with, then come digits, and
// perhaps a view.
#pragma once

#include <string>
#include <vector>

#include "image/spec.h"

namespace cuimg {

/// Sets LayerSpec::is_matte of the float layers that the metadata names, and clears it of others.
/// @param part what layers without a name are called: the file's part they are in.
void mark_mattes(const Metadata& metadata, std::vector<LayerSpec>& layers,
                 const std::string& part = "");

/// What Cryptomatte calls an image's layers: those without a name as the part they are in.
std::vector<std::string> matte_layer_names(const Spec& spec);

/// Takes the entries of each Cryptomatte out that has no layer among those: its manifest names
/// things of the scene, and is of no use without the ids. @returns whether there were any.
bool leave_out_unused_mattes(Metadata& metadata, const std::vector<std::string>& layers);

}  // namespace cuimg
