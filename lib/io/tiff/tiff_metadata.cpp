// SPDX-License-Identifier: Apache-2.0
// The directories are read and written here instead of by libtiff, which keeps only the tags that
// it knows.
#include "io/tiff/tiff_metadata.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "base/contains.h"
#include "io/density_range.h"
#include "io/tags/exif.h"
#include "io/tags/exif_listing.h"
#include "io/tags/exif_tree.h"
#include "io/tags/iptc.h"
#include "io/tags/photoshop.h"
#include "io/tags/text_tags.h"
#include "io/tags/tiff_tags.h"
#include "io/tags/xmp.h"
#include "io/tags/xmp_extension.h"
#include "io/tiff/tiff_fields.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

constexpr std::uint16_t photoshop_tag = 34377;
constexpr std::size_t most_exif = std::size_t{1} << 25;

void set_bytes(TIFF* tiff, std::uint32_t tag, const Blob& bytes) {
  TIFFSetField(tiff, tag, static_cast<std::uint32_t>(bytes.size()), bytes.data());
}

// Readers would use such an entry for the pixels' colours, but the picture's colours are stated
// elsewhere.
bool is_color_entry(std::uint16_t tag, const ExifFields& primary) {
  if (tag == TIFFTAG_YCBCRCOEFFICIENTS || tag == TIFFTAG_REFERENCEBLACKWHITE) return true;
  return (tag == white_point_tag || tag == primaries_tag) && tells_colors(primary);
}

// @returns the names of fields that the page's directory cannot store.
std::vector<std::string> set_picture_fields(TIFF* tiff, const ExifTree& tree) {
  // libtiff sorts its list for every tag that it does not know.
  constexpr std::size_t most = 500;
  std::size_t set_fields = 0;
  std::vector<std::string> lost;
  for (const ExifField& field : tree.primary) {
    const TiffSubject subject = subject_of_tiff_tag(field.tag);
    if ((subject == TiffSubject::storage && !is_color_entry(field.tag, tree.primary)) ||
        contains(text_tags(), field.tag, &TextTag::tag))
      continue;
    if (subject == TiffSubject::pixels || is_color_entry(field.tag, tree.primary) ||
        set_fields == most || !set_tiff_field(tiff, field, tree.big_endian))
      lost.push_back(exif_name(ExifDirectory::primary, field.tag));
    else
      ++set_fields;
  }
  return lost;
}

// Versions of libtiff differ on whether these are bytes or four-byte numbers.
void set_iptc(TIFF* tiff, const Blob& iptc) {
  const TIFFField* field = TIFFFieldWithTag(tiff, TIFFTAG_RICHTIFFIPTC);
  if (field == nullptr) return;
  if (TIFFFieldDataType(field) != TIFF_LONG) {
    set_bytes(tiff, TIFFTAG_RICHTIFFIPTC, iptc);
    return;
  }
  std::vector<std::uint32_t> numbers(ceil_div(iptc.size(), 4));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto rest = std::span(iptc).subspan(i * 4);
    numbers[i] = static_cast<std::uint32_t>(
        number_at(rest, 0, std::min<std::size_t>(4, rest.size()), TIFFIsBigEndian(tiff) != 0));
  }
  TIFFSetField(tiff, TIFFTAG_RICHTIFFIPTC, static_cast<std::uint32_t>(numbers.size()),
               numbers.data());
}

ExifTree tree_to_write(const Spec& spec) {
  return read_exif_tree(exif_to_write(spec, most_exif, false));
}

// Some writers swap the bytes of IPTC, which is text, as if they were four-byte numbers.
void unswap_iptc(Blob& records) {
  constexpr std::byte mark{0x1c};
  if (records.size() < 4 || records[0] == mark || records[3] != mark) return;
  for (std::size_t at = 0; at + 4 <= records.size(); at += 4)
    std::reverse(&records[at], &records[at] + 4);
}

}  // namespace

std::vector<std::string> read_tiff_metadata(std::span<const std::byte> file,
                                            std::uint64_t directory, Metadata& metadata,
                                            std::vector<std::string>& lost) {
  std::vector<std::string> notes;
  const ExifTree tree = read_exif_tree(file, directory, notes);
  for (std::string& what : notes)
    what += what == "Photoshop's layers" ? " are left out" : " is left out";
  lost.insert(lost.end(), notes.begin(), notes.end());
  take_exif(exif_block_of(tree), metadata);
  constexpr std::array<std::uint16_t, 3> tags = {TIFFTAG_XMLPACKET, TIFFTAG_RICHTIFFIPTC,
                                                 photoshop_tag};
  for (ExifField& field : read_tiff_fields(file, directory, tags)) {
    if (field.tag == TIFFTAG_XMLPACKET) {
      metadata[xmp_key] = std::move(field.value);
    } else if (field.tag == TIFFTAG_RICHTIFFIPTC) {
      // Some writers store four-byte numbers, padded with NULs.
      unswap_iptc(field.value);
      if (const auto fields = read_iptc(field.value); !fields.empty())
        metadata[iptc_key] = iptc_of(fields);
    } else {
      take_photoshop(field.value, metadata);
    }
  }
  if (has_maker_note(tree) && note_with_place(tree) == nullptr)
    notes.emplace_back("the maker note moves; its maker's programs may rely on its old offset");
  return notes;
}

void set_tiff_metadata(TIFF* tiff, const Spec& spec) {
  for (const TextTag& tag : text_tags())
    if (const auto text = text_of(spec.metadata, tag)) TIFFSetField(tiff, tag.tag, text->c_str());
  const ExifTree tree = tree_to_write(spec);
  set_picture_fields(tiff, tree);
  if (const Blob packet = xmp_to_write(spec, most_exif, XmpForm::whole); !packet.empty())
    set_bytes(tiff, TIFFTAG_XMLPACKET, packet);
  if (const Blob* iptc = find_entry<Blob>(spec.metadata, iptc_key)) set_iptc(tiff, *iptc);
  if (const Blob* resources = find_entry<Blob>(spec.metadata, photoshop_key))
    set_bytes(tiff, TIFFTAG_PHOTOSHOP, *resources);
}

bool tiff_is_big_endian(const Spec& spec) {
  const ExifTree tree = tree_to_write(spec);
  return tree.big_endian && needs_byte_order(tree);
}

bool write_tiff_note(TiffHandle& tiff, const Spec& spec) {
  const ExifTree tree = tree_to_write(spec);
  const ExifField* const note = note_with_place(tree);
  if (note == nullptr || note->place < tiff.end()) return false;
  tiff.leave_room(note->place);
  tiff.write_at(note->place, note->value);
  return true;
}

void write_tiff_exif(TiffHandle& tiff, const Spec& spec, bool has_note) {
  const ExifTree tree = tree_to_write(spec);
  if (tree.camera.empty() && tree.gps.empty()) return;
  TIFF* t = tiff.get();
  const TiffDirectories made = tiff_directories_of(
      tree, tiff.end(), {TIFFIsBigTIFF(t) != 0, TIFFIsBigEndian(t) != 0, has_note});
  tiff.append(made.bytes);
  if (made.camera != 0) TIFFSetField(t, TIFFTAG_EXIFIFD, made.camera);
  if (made.gps != 0) TIFFSetField(t, TIFFTAG_GPSIFD, made.gps);
}

bool tiff_keeps(const std::string& key, const MetadataValue& value) {
  if (std::holds_alternative<Blob>(value))
    return key == exif_key || key == xmp_key || key == iptc_key || key == photoshop_key ||
           (key == xmp_extension_key && can_join_xmp(std::get<Blob>(value)));
  if (key == "xDensity") return tiff_densities.holds(value);
  return is_text_tag(key, value);
}

std::vector<std::string> tiff_loses(const Spec& spec) {
  const ExifTree tree = tree_to_write(spec);
  if (tree.primary.empty()) return {};
  MemorySink sink;
  const TiffHandle tiff(sink, "wl");
  std::vector<std::string> lost = set_picture_fields(tiff.get(), tree);
  for (std::string& name : lost) name += " of exif";
  return lost;
}

}  // namespace cuimg
