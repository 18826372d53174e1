// SPDX-License-Identifier: Apache-2.0
#include "io/tags/exif.h"

#include <algorithm>
#include <cmath>

#include "base/contains.h"
#include "io/tags/cicp.h"
#include "io/tags/exif_block.h"
#include "io/tags/exif_listing.h"
#include "io/tags/exif_thumbnail.h"
#include "io/tags/exif_tree.h"
#include "io/tags/text_tags.h"
#include "io/tags/xmp.h"

namespace cuimg {
namespace {

constexpr std::uint16_t orientation_tag = 0x0112;
constexpr std::uint16_t x_resolution = 0x011a, y_resolution = 0x011b, resolution_unit = 0x0128;
constexpr ExifDirectory primary = ExifDirectory::primary, camera = ExifDirectory::camera;

// Replaces the block's texts by those of the metadata; a text that is already equal does not
// change. A text that does not fit into a JPEG's block is only written as text of other formats.
void put_texts(const Metadata& metadata, ExifBlock& block, std::vector<std::string>* lost) {
  constexpr std::size_t most = 65000;
  for (const TextTag& tag : text_tags()) {
    std::optional<std::string> wanted = text_of(metadata, tag);
    const bool is_too_long = wanted && wanted->size() > most;
    if (is_too_long) wanted.reset();
    const auto entry = block.find(primary, tag.tag);
    const std::string present = entry ? ExifBlock::text(*entry) : "";
    const auto said = metadata.find(tag.key);
    if (said != metadata.end() && said->second == MetadataValue(present)) continue;
    if (is_too_long && lost != nullptr) lost->push_back(exif_name(primary, tag.tag));
    if (wanted && present != *wanted)
      block.set_text(primary, tag.tag, *wanted);
    else if (!wanted && !present.empty())
      block.remove(primary, tag.tag);
  }
}

void put_layout(const Spec& spec, ExifBlock& block) {
  struct Number {
    ExifDirectory directory;
    std::uint16_t tag;
    int value;
  };
  const Rect& size = spec.data_window;
  for (const Number& number :
       {Number{primary, orientation_tag, 1}, Number{camera, 0xa002, size.width},
        Number{camera, 0xa003, size.height}, Number{primary, 0x0100, size.width},
        Number{primary, 0x0101, size.height}}) {
    const auto entry = block.find(number.directory, number.tag);
    if (!entry) continue;
    const bool is_short =
        number.tag == orientation_tag ||
        (number.value <= 0xffff && entry->type == static_cast<std::uint16_t>(TiffType::u16));
    block.set_numbers(number.directory, number.tag, is_short ? TiffType::u16 : TiffType::u32,
                      {static_cast<std::uint32_t>(number.value)});
  }
  block.drop_thumbnail();
}

// The format states the resolution by its own means, so EXIF must not contradict it.
void put_density(const Spec& spec, ExifBlock& block) {
  if (!block.find(primary, x_resolution)) return;
  const auto* density = find_entry<double>(spec.metadata, "xDensity");
  if (density == nullptr) return;
  const auto said_unit = block.find(primary, resolution_unit);
  const bool in_inches = !said_unit || block.numbers(*said_unit) == std::vector<double>{2};
  const auto put = [&](std::uint16_t tag, double wanted) {
    const auto entry = block.find(primary, tag);
    constexpr std::uint32_t parts = 10000;
    if (!entry || !(wanted > 0 && wanted < 400000)) return;
    const std::vector<double> said = block.numbers(*entry);
    if (in_inches && said.size() == 1 && std::abs(said.front() - wanted) < 0.01) return;
    block.set_numbers(primary, tag, TiffType::rational,
                      {static_cast<std::uint32_t>(wanted * parts + 0.5), parts});
  };
  put(x_resolution, *density);
  put(y_resolution, *density * static_cast<double>(spec.pixel_aspect));
  if (!in_inches) block.set_numbers(primary, resolution_unit, TiffType::u16, {2});
}

// Pixels per inch if they are square; nothing if no unit is given.
std::optional<double> density_of(const ExifBlock& block) {
  const auto number = [&](std::uint16_t tag, double otherwise) {
    const auto entry = block.find(primary, tag);
    const std::vector<double> values = entry ? block.numbers(*entry) : std::vector<double>();
    return values.size() == 1 ? values.front() : otherwise;
  };
  constexpr double inch = 2, centimetre = 3, cm_per_inch = 2.54;
  const double x = number(x_resolution, 0), unit = number(resolution_unit, inch);
  if (!(x > 0 && std::isfinite(x)) || number(y_resolution, 0) != x) return std::nullopt;
  if (unit == inch) return x;
  return unit == centimetre ? std::optional(x * cm_per_inch) : std::nullopt;
}

// The size of a field in a block, in bytes.
std::size_t bytes_of(const ExifField& field) {
  constexpr std::size_t record = 12, inside = 4;
  const std::size_t value = field.value.size();
  return record + (value > inside ? value + value % 2 : 0);
}

// Removes the largest values until that many bytes are saved: all in one pass, since a malicious
// block has hundreds of thousands.
void drop_largest(ExifTree& tree, std::size_t bytes, std::vector<std::string>* lost) {
  struct Candidate {
    ExifDirectory directory;
    ExifField* field;
  };
  std::vector<Candidate> all;
  const auto add = [&](ExifDirectory directory, ExifFields& fields) {
    for (ExifField& field : fields) all.push_back({directory, &field});
  };
  add(primary, tree.primary);
  add(camera, tree.camera);
  add(ExifDirectory::gps, tree.gps);
  add(ExifDirectory::interop, tree.interop);
  std::ranges::stable_sort(all, std::ranges::greater(),
                           [](const Candidate& one) { return one.field->value.size(); });
  std::size_t gone = 0;
  for (const auto& [directory, field] : all) {
    if (gone >= bytes) break;
    gone += bytes_of(*field);
    if (lost != nullptr) lost->push_back(exif_name(directory, field->tag));
    field->value.clear();
  }
  for (ExifFields* fields : {&tree.primary, &tree.camera, &tree.gps, &tree.interop})
    std::erase_if(*fields, [](const ExifField& field) { return field.value.empty(); });
}

// If the block is too large it is laid out again, with the maker note at its old position if
// possible; then without the largest values, until it fits.
Blob fitted_block(const Blob& block, std::size_t most, std::vector<std::string>* lost) {
  if (block.size() <= most) return block;
  ExifTree tree = read_exif_tree(block);
  if (Blob smaller = exif_block_of(tree); smaller.size() <= most) return smaller;
  const bool moves = note_with_place(tree) != nullptr;
  for (;;) {
    Blob smaller = exif_block_of(tree, false);
    if (smaller.size() <= most) {
      if (lost != nullptr && moves && has_maker_note(tree)) lost->emplace_back("MakerNote's place");
      return smaller;
    }
    drop_largest(tree, smaller.size() - most, lost);
  }
}

// Unchanged if too little room would remain for a useful picture.
Blob with_thumbnail_room(Blob block, std::size_t room, std::size_t most) {
  constexpr std::size_t least_room = 2048;
  const std::size_t taken = block.size() + ExifBlock::thumbnail_directory_bytes;
  const std::size_t left = most > taken ? most - taken : 0;
  if (left < std::min(room, least_room)) return block;
  ExifBlock with_room(std::move(block));
  with_room.make_thumbnail_room(std::min(room, left));
  return with_room.bytes();
}

}  // namespace

bool has_exif_thumbnail(const Metadata& metadata) {
  const Blob* block = find_entry<Blob>(metadata, exif_key);
  return block != nullptr && ExifBlock(*block).has_thumbnail();
}

Exif read_exif(std::span<const std::byte> bytes) {
  const ExifBlock block{Blob(bytes.begin(), bytes.end())};
  Exif exif;
  if (const auto entry = block.find(primary, orientation_tag)) {
    // The standard requires a short; some programs write a long, signed or unsigned, which others
    // also read.
    const std::vector<double> value = block.numbers(*entry);
    if (value.size() == 1 && value[0] >= 1 && value[0] <= 8 && value[0] == std::floor(value[0]))
      exif.orientation = Orientation{static_cast<int>(value[0])};
  }
  for (const TextTag& tag : text_tags())
    if (const auto text = block.find(primary, tag.tag);
        text && text->type == static_cast<std::uint16_t>(TiffType::ascii))
      if (std::string value = ExifBlock::text(*text); !value.empty())
        exif.texts[tag.key] = std::move(value);
  return exif;
}

Orientation take_exif(std::span<const std::byte> bytes, Metadata& metadata) {
  Exif exif = read_exif(bytes);
  ExifBlock block{Blob(bytes.begin(), bytes.end())};
  const std::vector<ExifEntry> entries = block.entries(primary);
  const bool has_more = std::ranges::any_of(entries, [](const ExifEntry& entry) {
    return !contains(text_tags(), entry.tag, &TextTag::tag);
  });
  if (has_more || block.has_thumbnail()) metadata[exif_key] = block.bytes();
  metadata.merge(exif.texts);
  if (const auto density = density_of(block)) metadata.emplace("xDensity", *density);
  return exif.orientation.value_or(Orientation{});
}

void turn_exif_density(Metadata& metadata) {
  const Blob* carried = find_entry<Blob>(metadata, exif_key);
  if (carried == nullptr) return;
  ExifBlock block(*carried);
  const auto x = block.find(primary, x_resolution), y = block.find(primary, y_resolution);
  if (!x || !y || block.numbers(*x) == block.numbers(*y)) return;
  const Blob across(x->value.begin(), x->value.end()), down(y->value.begin(), y->value.end());
  block.set(primary, x_resolution, static_cast<TiffType>(y->type), down);
  block.set(primary, y_resolution, static_cast<TiffType>(x->type), across);
  metadata[exif_key] = block.bytes();
}

void set_exif_color(Metadata& metadata, const ColorEncoding& color) {
  constexpr std::uint16_t color_space = 0xa001, index = 0x0001;
  constexpr std::uint32_t srgb = 1, uncalibrated = 0xffff;
  const ColorTag tag = tag_of(color);
  const bool is_srgb = tag.curve == CurveCode::srgb &&
                       near(tag.primaries.value_or(Chromaticities{}), primaries::rec709, 0.0005f);
  set_xmp_color(metadata, static_cast<int>(is_srgb ? srgb : uncalibrated));
  const Blob* carried = find_entry<Blob>(metadata, exif_key);
  if (carried == nullptr) return;
  ExifBlock block(*carried);
  if (block.find(camera, color_space))
    block.set_numbers(camera, color_space, TiffType::u16, {is_srgb ? srgb : uncalibrated});
  if (block.find(ExifDirectory::interop, index)) {
    if (is_srgb)
      block.set_text(ExifDirectory::interop, index, "R98");
    else
      block.remove(ExifDirectory::interop, index);
  }
  metadata[exif_key] = block.bytes();
}

Blob exif_with_resolution(const Spec& spec, int across, int down) {
  const Blob* const carried = find_entry<Blob>(spec.metadata, exif_key);
  ExifBlock block(carried != nullptr ? *carried : Blob());
  if (block.find(primary, x_resolution)) return *carried;
  const auto set = [&](std::uint16_t tag, int number) {
    block.set_numbers(primary, tag, TiffType::rational, {static_cast<std::uint32_t>(number), 1});
  };
  set(x_resolution, across);
  set(y_resolution, down);
  block.set_numbers(primary, resolution_unit, TiffType::u16, {2});
  return block.bytes();
}

Blob exif_to_write(const Spec& spec, std::size_t most, bool makes_one, ExifThumbnailRoom thumbnail,
                   std::vector<std::string>* lost) {
  const Blob* carried = find_entry<Blob>(spec.metadata, exif_key);
  if (carried == nullptr && !makes_one) return {};
  ExifBlock block(carried != nullptr ? *carried : Blob());
  const bool has_thumbnail = block.has_thumbnail();
  put_texts(spec.metadata, block, lost);
  put_density(spec, block);
  put_layout(spec, block);
  if (block.is_empty()) return {};
  Blob fitted = fitted_block(block.bytes(), most, lost);
  if (thumbnail == ExifThumbnailRoom::none || !has_thumbnail) return fitted;
  return with_thumbnail_room(std::move(fitted), exif_thumbnail_room(spec), most);
}

}  // namespace cuimg
