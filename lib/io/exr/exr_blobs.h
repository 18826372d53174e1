// SPDX-License-Identifier: Apache-2.0
// Attributes as bytes. EXIF, XMP and IPTC have the names and layout of darktable and GIMP: "exif"
// and "iptc" have type "blob", a length and bytes, and "xmp" is text.
#pragma once

#include <OpenEXR/ImfHeader.h>

#include <memory>
#include <optional>
#include <string>

#include "image/spec.h"

namespace cuimg {

/// An attribute of type "blob"; nothing for other types.
std::optional<MetadataValue> exr_blob_of(const Imf::Attribute& attribute);
/// The value of that name in the form of other formats: XMP's text as bytes, EXIF from its TIFF
/// header on.
MetadataValue exr_named_value(const std::string& name, MetadataValue value);
void add_exr_blob(const std::string& name, const Blob& blob, Imf::Header& header);

/// An attribute as stored in a file, also of a type that the library does not know.
StoredEntry exr_stored(const Imf::Attribute& attribute);
/// @throws if the bytes are not a value of that type.
std::unique_ptr<Imf::Attribute> exr_attribute_of(const StoredEntry& entry);

/// The metadata with the EXIF and XMP that such an image must carry.
Metadata exr_metadata_to_write(const Spec& spec);

}  // namespace cuimg
