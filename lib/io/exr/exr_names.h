// SPDX-License-Identifier: Apache-2.0
// Channels that a file calls r, g, b and a, as Blender's Cryptomatte has them, or red, green, blue
// and alpha, as Nuke does. Stages use R, G, B and A; an output made from such a file gets its
// names.
#pragma once

#include <OpenEXR/ImfChannelList.h>

#include <string>

#include "image/spec.h"

namespace cuimg {

/// The name in the image of a file's channel: "diffuse.R" for "diffuse.r" or "diffuse.red", where
/// all three colours are so called.
std::string exr_image_name(const Imf::ChannelList& channels, const std::string& name);

/// Keeps a channel's name where it is that of a red which the file does not call R.
void keep_exr_name(const Imf::ChannelList& channels, const std::string& name, FileStorage& storage);

/// The name to write for a layer's channel.
std::string exr_file_name(const Spec& spec, const LayerSpec& layer, int channel);

/// The name by which a file with these channels has a layer's channel.
std::string exr_name_among(const Imf::ChannelList& channels, const LayerSpec& layer, int channel);

}  // namespace cuimg
