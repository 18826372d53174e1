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

/// Fills in "exif", if it contains more than texts, "xmp" and "iptc".
/// @param directory the position of the picture's directory in the file.
/// @param lost gets the names of omissions that only apply to the file's own pixels.
/// @returns notes on them for the user.
std::vector<std::string> read_tiff_metadata(std::span<const std::byte> file,
                                            std::uint64_t directory, Metadata& metadata,
                                            std::vector<std::string>& lost);

/// Sets the fields that belong to the picture's own directory.
void set_tiff_metadata(TIFF* tiff, const Spec& spec);
/// Whether the file must be big-endian, because its EXIF is and contains a maker note.
bool tiff_is_big_endian(const Spec& spec);
/// Writes a maker note at its old position, if the file has nothing there yet. Called before a
/// page's strips. @returns whether it was written.
bool write_tiff_note(TiffHandle& tiff, const Spec& spec);
/// Appends EXIF's directories to the file and links them. Called after every strip was written.
void write_tiff_exif(TiffHandle& tiff, const Spec& spec, bool has_note);

/// See Capabilities::keeps.
bool tiff_keeps(const std::string& key, const MetadataValue& value);
/// See Capabilities::loses.
std::vector<std::string> tiff_loses(const Spec& spec);

}  // namespace cuimg
