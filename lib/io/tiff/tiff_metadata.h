// SPDX-License-Identifier: Apache-2.0
// EXIF's directories, XMP and IPTC in TIFF files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "image/spec.h"
#include "io/tiff/tiff_handle.h"

namespace cuimg {

/// Fills in "exif", where there is more of it than texts, "xmp" and "iptc".
/// @param directory where in the file the picture's directory is.
/// @param lost gets what is left out, since it holds for the file's own pixels alone.
/// @returns what a user may want to know of them.
std::vector<std::string> read_tiff_metadata(std::span<const std::byte> file,
                                            std::uint64_t directory, Metadata& metadata,
                                            std::vector<std::string>& lost);

/// Sets what belongs into the picture's own directory.
void set_tiff_metadata(TIFF* tiff, const Spec& spec);
/// Whether the file is to be big-endian, as EXIF is that holds a maker note.
bool tiff_is_big_endian(const Spec& spec);
/// Writes a maker note where it was, if the file has nothing there yet. Called before a page's
/// strips. @returns whether it did.
bool write_tiff_note(TiffHandle& tiff, const Spec& spec);
/// Appends EXIF's directories to the file and points at them. Called when every strip is written.
void write_tiff_exif(TiffHandle& tiff, const Spec& spec, bool has_note);

/// See Capabilities::keeps.
bool tiff_keeps(const std::string& key, const MetadataValue& value);
/// See Capabilities::loses.
std::vector<std::string> tiff_loses(const Spec& spec);

}  // namespace cuimg
