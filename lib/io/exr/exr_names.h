// SPDX-License-Identifier: Apache-2.0
// Channels that a file calls r, g, b and a, or red, green, blue and alpha (image/color_names.h). An
// output made from such a file gets the file's names.
#pragma once

#include <OpenEXR/ImfChannelList.h>

#include <string>

#include "image/spec.h"

namespace cuimg {

/// The name in the image for a file's channel: "diffuse.R" for "diffuse.r" or "diffuse.red", if all
/// three colours have names of this kind.
std::string exr_image_name(const Imf::ChannelList& channels, const std::string& name);

/// Keeps a channel's name if it is the red channel of a layer and the file does not call it R.
void keep_exr_name(const Imf::ChannelList& channels, const std::string& name, FileStorage& storage);

/// The name under which a layer's channel is written.
std::string exr_file_name(const Spec& spec, const LayerSpec& layer, int channel);

/// The name of a layer's channel in a file with these channels.
std::string exr_name_among(const Imf::ChannelList& channels, const LayerSpec& layer, int channel);

}  // namespace cuimg
