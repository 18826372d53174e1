// SPDX-License-Identifier: Apache-2.0
// Photoshop's image resources (Adobe Photoshop File Formats Specification, 2019): numbered blocks
// in PSD files, in segments of JPEG files and in a tag of TIFF files.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "image/spec.h"

namespace cuimg {

/// The key in Spec::metadata of resources that have no other key: whether a copyright is claimed,
/// clipping paths, guides, printing options, and the checksum by which editors detect that IPTC was
/// changed after XMP. It excludes thumbnails, data that a file states elsewhere, and data about
/// layers.
inline constexpr const char* photoshop_key = "photoshop";

struct PhotoshopResource {
  std::uint16_t number = 0;
  std::span<const std::byte> body;
  std::span<const std::byte> whole;  ///< Including signature, number, name and padding.
};
/// The resources as far as they are well formed.
std::vector<PhotoshopResource> photoshop_resources(std::span<const std::byte> bytes);

/// Fills in "iptc" and "photoshop", and "xDensity" if nothing else has set it.
void take_photoshop(std::span<const std::byte> resources, Metadata& metadata);

/// Removes paths, guides and slices, whose positions are wrong after a picture was moved or scaled.
/// @returns whether there were any.
bool leave_out_photoshop_places(Metadata& metadata);

/// The resources to write with an image, including IPTC. @returns an empty blob if there is nothing
/// to write.
Blob photoshop_to_write(const Metadata& metadata);

/// Resources that contain only those IPTC records.
Blob photoshop_of_iptc(std::span<const std::byte> records);

}  // namespace cuimg
