// SPDX-License-Identifier: Apache-2.0
// Photoshop's image resources (Adobe Photoshop File Formats Specification, 2019): numbered blocks
// in PSD files, in segments of JPEG files and in a tag of TIFF files.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "image/spec.h"

namespace cuimg {

/// The key in Spec::metadata of resources that have no key of their own: whether a copyright is
/// claimed, clipping paths, guides, how to print, and the checksum by which editors see whether
/// IPTC was changed after XMP. What a file says otherwise, thumbnails, and what is of layers is not
/// among them.
inline constexpr const char* photoshop_key = "photoshop";

struct PhotoshopResource {
  std::uint16_t number = 0;
  std::span<const std::byte> body;
  std::span<const std::byte> whole;  ///< With signature, number, name and the padding behind.
};
/// As far as they are well formed.
std::vector<PhotoshopResource> photoshop_resources(std::span<const std::byte> bytes);

/// Fills in "iptc" and "photoshop", and "xDensity" where nothing else has said it.
void take_photoshop(std::span<const std::byte> resources, Metadata& metadata);

/// Takes paths, guides and slices out, which do not lie where they did in a picture that was moved
/// or scaled. @returns whether there were any.
bool leave_out_photoshop_places(Metadata& metadata);

/// The resources to write with an image, IPTC among them. @returns nothing to write: empty.
Blob photoshop_to_write(const Metadata& metadata);

/// The IPTC records among resources; empty: none.
std::span<const std::byte> iptc_in_photoshop(std::span<const std::byte> resources);
/// Resources that hold nothing but those records.
Blob photoshop_of_iptc(std::span<const std::byte> records);

}  // namespace cuimg
