// SPDX-License-Identifier: Apache-2.0
// Tags by number, from TIFF 6.0, its supplements, the DNG specification and libtiff's list.
#include "io/tags/tiff_tags.h"

#include <algorithm>
#include <array>

#include "base/contains.h"

namespace cuimg {
namespace {

// Each range includes its last tag.
struct TagRange {
  std::uint16_t first, last;
  bool holds(std::uint16_t tag) const { return tag >= first && tag <= last; }
};
template <class Ranges>
bool any_holds(const Ranges& ranges, std::uint16_t tag) {
  return std::ranges::any_of(ranges, [&](const TagRange& range) { return range.holds(tag); });
}

// Strips, free space, tiles, sub-directories, old JPEG's streams and tables, LSM's and MetaMorph's
// directories, JPEG XR's streams.
constexpr TagRange places[] = {{0x0111, 0x0111}, {0x0117, 0x0117}, {0x0120, 0x0121},
                               {0x0144, 0x0145}, {0x014a, 0x014a}, {0x0190, 0x0190},
                               {0x0201, 0x0202}, {0x0207, 0x0209}, {0x835c, 0x835f},
                               {0x866c, 0x866c}, {0xbcc0, 0xbcc5}};

// Entries that describe the stored form: kind and size of the picture, its samples, halftones,
// orientation, density, page number, inks, colour maps, JPEG's tables, YCbCr; XMP, IPTC,
// Photoshop's resources and ICC profiles, which have other keys; prepress; LERC's parameters.
constexpr TagRange storage[] = {
    {0x0000, 0x0000}, {0x00fe, 0x0103}, {0x0106, 0x010a}, {0x0112, 0x0112}, {0x0115, 0x0116},
    {0x0118, 0x011c}, {0x0122, 0x0125}, {0x0128, 0x0129}, {0x012c, 0x012c}, {0x013d, 0x013d},
    {0x0140, 0x0143}, {0x0146, 0x0148}, {0x014c, 0x0150}, {0x0152, 0x0156}, {0x015a, 0x015b},
    {0x0191, 0x0195}, {0x01b1, 0x01b2}, {0x0200, 0x0206}, {0x0211, 0x0214}, {0x022f, 0x022f},
    {0x02bc, 0x02bc}, {0x80e3, 0x80e6}, {0x83bb, 0x83bb}, {0x84e0, 0x84f1}, {0x8649, 0x8649},
    {0x8773, 0x8773}, {0xa005, 0xa005}, {0xbc01, 0xbc04}, {0xc5f2, 0xc5f2}};

struct NamedRange {
  TagRange range;
  std::string_view name;
};
constexpr NamedRange of_pixels[] = {{{0x012d, 0x012d}, "TransferFunction"},
                                    {{0x0157, 0x0159}, "the clip path"},
                                    {{0x828d, 0x828e}, "the raw pixels' CFA"},
                                    {{0x830e, 0x830e}, "GeoTIFF's place on the earth"},
                                    {{0x8482, 0x8482}, "GeoTIFF's place on the earth"},
                                    {{0x85d8, 0x85d8}, "GeoTIFF's place on the earth"},
                                    {{0x87af, 0x87b1}, "GeoTIFF's place on the earth"},
                                    {{0x935c, 0x935c}, "Photoshop's layers"},
                                    {{0xc696, 0xc697}, "ImageJ's list of labels and overlays"},
                                    {{0xc612, 0xc7ff}, "DNG's description of raw pixels"}};

// Exceptions in the last range: names of the camera, its number and lens, of the raw file, the reel
// and its time, and Panasonic's title.
constexpr std::array<std::uint16_t, 13> named_in_dng = {0xc614, 0xc615, 0xc62f, 0xc630, 0xc68b,
                                                        0xc6d2, 0xc6d3, 0xc763, 0xc764, 0xc772,
                                                        0xc789, 0xc7a1, 0xc7aa};

}  // namespace

bool is_tiff_place(std::uint16_t tag) { return any_holds(places, tag); }

TiffSubject subject_of_tiff_tag(std::uint16_t tag) {
  if (is_tiff_place(tag) || any_holds(storage, tag)) return TiffSubject::storage;
  return name_of_tiff_tags(tag).empty() ? TiffSubject::picture : TiffSubject::pixels;
}

std::string_view name_of_tiff_tags(std::uint16_t tag) {
  if (contains(named_in_dng, tag)) return {};
  for (const NamedRange& named : of_pixels)
    if (named.range.holds(tag)) return named.name;
  return {};
}

}  // namespace cuimg
