// SPDX-License-Identifier: Apache-2.0
// The metadata of an output: --metadata and --set.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/codec.h"
#include "pipeline/options.h"

namespace cuimg {

/// Metadata without the entries that --metadata excludes.
/// @param warnings gets the names of entries that were left out whole because they cannot be
/// divided.
Metadata kept_metadata(const Metadata& metadata, MetadataPolicy policy,
                       std::vector<std::string>& warnings);

/// Removes a description by which programs find the pictures of a file, OME-XML, tifffile's or
/// ImageJ's, if it describes other pictures. @param is_of_one_form whether size and type are the
/// input's.
/// @param read, written the numbers of pictures in the input's file and in the output. @param
/// warnings gets a line if it contains more than the pictures' shape.
void leave_out_stale_description(Metadata& metadata, bool is_of_one_form, int read, int written,
                                 std::vector<std::string>& warnings);

/// Removes entries that do not describe the written colours: colorInteropID if they differ from the
/// input's, adoptedNeutral if the white differs, acesImageContainerFlag if the file is not a
/// container by SMPTE ST 2065-4.
/// @param read the input's colours. @param changes whether the written ones differ.
/// @param compression of the file; empty: the format's default. @param notes gets a line for each
/// removed entry.
void leave_out_stale_color(Spec& written, const ColorEncoding& read, bool changes,
                           std::string_view compression, std::vector<std::string>& notes);

/// Removes PNG's mDCV and cLLI, on the light for which a picture was graded, if they may no longer
/// be true. @param keeps_colors whether all pixels have the values and the encoding of the input.
/// @param keeps_pixels whether, in addition, none has been added or cut off.
/// @param warnings gets a line if an entry is removed.
void leave_out_stale_light(Metadata& metadata, bool keeps_colors, bool keeps_pixels,
                           std::vector<std::string>& warnings);

/// Changes the entries of --set: "exif:FNumber" and "iptc:Headline" are in those blocks, other keys
/// are metadata entries. An entry keeps its type, unless OpenEXR defines one for it. A new one is a
/// text if the format only has texts under that key, otherwise a number if it can be read as one.
/// An EXR's pixelAspectRatio is the pixels' shape.
/// @throws Error for a key that the format cannot store, or for an unsuitable value.
void change_metadata(Spec& spec, const MetadataChanges& changes, const Codec& codec);

}  // namespace cuimg
