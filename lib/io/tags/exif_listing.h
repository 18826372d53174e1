// SPDX-License-Identifier: Apache-2.0
// EXIF by the names of its standard: listed for people and programs, and set by name.
#pragma once

#include <cstdint>
#include <string>

#include "image/spec.h"
#include "io/tags/exif_block.h"

namespace cuimg {

/// An entry's name; "0x9999" for one without.
std::string exif_name(ExifDirectory directory, std::uint16_t tag);

/// Every entry under its name, such as "FNumber"; one without a name under "0x9999". Positions are
/// degrees, negative in the south and west, heights negative below the sea; what has no readable
/// value is its number of bytes. Texts that metadata has under keys of its own are left out.
Metadata exif_listing(const ExifBlock& block);

/// The value in the words of photographers: "1/250 s", "f/2.8"; empty where there are none.
std::string exif_words(const std::string& name, const MetadataValue& value);

/// Sets the entry of that name, or removes it where the text is empty.
/// @returns why that cannot be, or nothing.
std::string set_exif(ExifBlock& block, const std::string& name, const std::string& text);

/// Whether EXIF has an entry of that name that public_exif() keeps.
bool is_public_exif_name(const std::string& name);

/// The block without position, serial numbers, names of people, free text, maker notes and all that
/// has no name; laid out anew, so that nothing of those is left between.
Blob public_exif(const ExifBlock& block);

}  // namespace cuimg
