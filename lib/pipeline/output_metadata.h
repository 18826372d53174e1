// SPDX-License-Identifier: Apache-2.0
// The metadata of an output: --metadata and --set.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/codec.h"
#include "pipeline/options.h"

namespace cuimg {

/// Metadata without what --metadata leaves out.
/// @param warnings gets what had to go whole because it cannot be taken apart.
Metadata kept_metadata(const Metadata& metadata, MetadataPolicy policy,
                       std::vector<std::string>& warnings);

/// Leaves out a description by which programs find the pictures of a file, OME-XML, tifffile's or
/// ImageJ's, where it is of others. @param is_of_one_form whether size and type are the input's.
/// @param read, written how many pictures the input's file has, and the output's. @param warnings
/// gets a line where it says more than the pictures' shape.
void leave_out_stale_description(Metadata& metadata, bool is_of_one_form, int read, int written,
                                 std::vector<std::string>& warnings);

/// Leaves out what is not true of the colours that are written: colorInteropID where they are
/// others than the input's, adoptedNeutral where the white is another, acesImageContainerFlag where
/// the file is no container by SMPTE ST 2065-4.
/// @param read the input's colours. @param changes whether the written ones are others.
/// @param compression of the file; empty: the format's default. @param notes gets a line for each
/// that is left out.
void leave_out_stale_color(Spec& written, const ColorEncoding& read, bool changes,
                           std::string_view compression, std::vector<std::string>& notes);

/// Changes the entries of --set: "exif:FNumber" and "iptc:Headline" are those of the blocks, other
/// keys are entries of their own. An entry keeps its type, unless it is one to which OpenEXR gives
/// a type; a new one is a text where the format has only texts under that key, else a number where
/// it reads as one. An EXR's pixelAspectRatio is the pixels' shape.
/// @throws Error for a key that the format cannot hold, or a value that does not fit.
void change_metadata(Spec& spec, const MetadataChanges& changes, const Codec& codec);

}  // namespace cuimg
