// SPDX-License-Identifier: Apache-2.0
// Attributes as bytes. EXIF, XMP and IPTC are named and laid out as darktable and GIMP do: "exif"
// and "iptc" of type "blob", which is a length and bytes, "xmp" a text.
#pragma once

#include <OpenEXR/ImfHeader.h>

#include <memory>
#include <optional>
#include <string>

#include "image/spec.h"

namespace cuimg {

/// An attribute of type "blob"; nothing for others.
std::optional<MetadataValue> exr_blob_of(const Imf::Attribute& attribute);
/// The value under that name as other formats have it: XMP's text as bytes, EXIF from its TIFF
/// header on.
MetadataValue exr_named_value(const std::string& name, MetadataValue value);
void add_exr_blob(const std::string& name, const Blob& blob, Imf::Header& header);

/// An attribute as it lies in a file, of a type that the library does not know too.
StoredEntry exr_stored(const Imf::Attribute& attribute);
/// @throws where the bytes are none of that type.
std::unique_ptr<Imf::Attribute> exr_attribute_of(const StoredEntry& entry);

/// The metadata with EXIF and XMP as an image like this is to carry them.
Metadata exr_metadata_to_write(const Spec& spec);

}  // namespace cuimg
