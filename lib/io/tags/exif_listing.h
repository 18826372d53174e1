// SPDX-License-Identifier: Apache-2.0
// EXIF entries by the names of the standard: lists them for people and programs, and sets them by
// name.
#pragma once

#include <cstdint>
#include <string>

#include "image/spec.h"
#include "io/tags/exif_block.h"

namespace cuimg {

/// An entry's name; "0x9999" for an entry without a name.
std::string exif_name(ExifDirectory directory, std::uint16_t tag);

/// Every entry under its name, such as "FNumber"; an entry without a name under "0x9999". Positions
/// are in degrees, negative in the south and west; heights are negative below sea level; an
/// unreadable value is replaced by its number of bytes. Texts that metadata has under separate keys
/// are left out.
Metadata exif_listing(const ExifBlock& block);

/// The value in photographers' notation: "1/250 s", "f/2.8"; empty if there is none.
std::string exif_words(const std::string& name, const MetadataValue& value);

/// Sets the entry of that name, or removes it if the text is empty.
/// @returns the reason if this is not possible, otherwise nothing.
std::string set_exif(ExifBlock& block, const std::string& name, const std::string& text);

/// Whether EXIF has an entry of that name and public_exif() keeps it.
bool is_public_exif_name(const std::string& name);

/// The block without position, serial numbers, names of people, free text, maker notes and entries
/// without names; laid out again, so that no bytes of these remain.
Blob public_exif(const ExifBlock& block);

}  // namespace cuimg
