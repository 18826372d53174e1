// SPDX-License-Identifier: Apache-2.0
#include "io/tags/exif_tree.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/contains.h"
#include "io/tags/tiff_tags.h"
#include "io/tags/tiff_values.h"

namespace cuimg {
namespace {

constexpr std::uint16_t camera_pointer = 0x8769, gps_pointer = 0x8825, interop_pointer = 0xa005,
                        maker_note = 0x927c;
// Otherwise directories that overlap could produce many times the file's size.
constexpr std::size_t most_bytes = std::size_t{1} << 25;

// The layout of directories in TIFF and in BigTIFF files.
struct Form {
  std::size_t count_bytes, offset_bytes;
  std::size_t record_bytes() const { return 4 + 2 * offset_bytes; }
};
constexpr Form classic{2, 4}, big_form{8, 8};

bool is_pointer(std::uint16_t tag) { return tag == camera_pointer || tag == gps_pointer; }
// Types that EXIF also has. The type of offsets of directories is not among them.
bool has_exif_type(std::uint16_t type) {
  constexpr std::uint16_t last = 12;
  return type <= last;
}

class TreeReader {
 public:
  explicit TreeReader(std::span<const std::byte> file) : file_(file) {
    if (file.size() < 8) return;
    big_endian = file[0] == std::byte{'M'};
    form_ = number_at(file, 2, 2, big_endian) == 43 ? big_form : classic;
  }

  std::uint64_t first() const {
    return number(form_.offset_bytes == 8 ? 8 : 4, form_.offset_bytes);
  }
  // @param wants (tag, type) decides whether to read the field.
  template <class Wants>
  ExifFields fields(std::uint64_t directory, const Wants& wants) {
    ExifFields fields;
    if (directory == 0 || directory >= file_.size()) return fields;
    const std::uint64_t count =
        std::min<std::uint64_t>(number(directory, form_.count_bytes), 65535);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t at = directory + form_.count_bytes + form_.record_bytes() * i;
      if (at + form_.record_bytes() > file_.size()) break;
      ExifField field{static_cast<std::uint16_t>(number(at, 2)),
                      static_cast<std::uint16_t>(number(at + 2, 2)),
                      number(at + 4, form_.offset_bytes),
                      {},
                      0};
      if (!wants(field.tag, field.type)) continue;
      const std::size_t each = tiff_value_bytes(field.type);
      if (each == 0 || field.count == 0 || field.count > most_bytes - taken_) continue;
      const std::uint64_t size = field.count * each;
      const std::uint64_t inside = at + 4 + form_.offset_bytes;
      const std::uint64_t from =
          size <= form_.offset_bytes ? inside : number(inside, form_.offset_bytes);
      if (from > file_.size() || size > file_.size() - from || size > most_bytes - taken_) continue;
      const auto value =
          file_.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(size));
      field.value.assign(value.begin(), value.end());
      field.place = size <= form_.offset_bytes ? 0 : from;
      taken_ += field.value.size();
      fields.push_back(std::move(field));
    }
    return fields;
  }
  // The directory to which one of those fields points; the field is removed.
  ExifFields taken_through(std::uint16_t pointer, ExifFields& fields_of) {
    const auto found = std::ranges::find(fields_of, pointer, &ExifField::tag);
    if (found == fields_of.end()) return {};
    const std::uint64_t place =
        number_at(found->value, 0, tiff_value_bytes(found->type), big_endian);
    fields_of.erase(found);
    return fields(place, [](std::uint16_t, std::uint16_t) { return true; });
  }
  ExifTree tree(ExifFields primary) {
    ExifTree tree;
    tree.big_endian = big_endian;
    tree.primary = std::move(primary);
    tree.camera = taken_through(camera_pointer, tree.primary);
    tree.interop = taken_through(interop_pointer, tree.camera);
    tree.gps = taken_through(gps_pointer, tree.primary);
    return tree;
  }

  bool big_endian = false;

 private:
  std::uint64_t number(std::uint64_t at, std::size_t count) const {
    return number_at(file_, at, count, big_endian);
  }

  std::span<const std::byte> file_;
  Form form_ = classic;
  std::size_t taken_ = 0;
};

class TreeWriter {
 public:
  TreeWriter(Form form, bool from_big_endian, bool to_big_endian, std::uint64_t at)
      : form_(form),
        swaps_(from_big_endian != to_big_endian),
        big_endian_(to_big_endian),
        base_(at) {}

  // A value that keeps its position; the directory refers to this position.
  const ExifField* placed = nullptr;

  // @returns the directory's position in the file.
  std::uint64_t write(ExifFields fields) {
    std::ranges::stable_sort(fields, {}, &ExifField::tag);
    align();
    const std::uint64_t place = base_ + bytes.size();
    put(fields.size(), form_.count_bytes);
    std::uint64_t value_at =
        place + form_.count_bytes + form_.record_bytes() * fields.size() + form_.offset_bytes;
    value_at += value_at % 2;
    Blob values;
    for (ExifField& field : fields) {
      if (swaps_) swap(field);
      const bool is_placed = placed != nullptr && field.tag == placed->tag;
      put(field.tag, 2);
      put(field.type, 2);
      put(field.count, form_.offset_bytes);
      if (field.value.size() <= form_.offset_bytes) {
        field.value.resize(form_.offset_bytes);
        append_bytes(bytes, field.value);
        continue;
      }
      put(is_placed ? placed->place : value_at + values.size(), form_.offset_bytes);
      if (is_placed) continue;
      append_bytes(values, field.value);
      values.resize(values.size() + values.size() % 2);
    }
    put(0, form_.offset_bytes);  // no next directory
    align();
    append_bytes(bytes, values);
    return place;
  }
  // A field of the directory `fields` that points to another one. Its value has the tree's byte
  // order.
  void add_pointer(std::uint16_t tag, std::uint64_t place, ExifFields& fields) const {
    const auto size = form_.offset_bytes;
    const auto type = static_cast<std::uint16_t>(size == 8 ? TiffType::ifd8 : TiffType::u32);
    ExifField field{tag, type, 1, Blob(size), 0};
    put_number(field.value, place, big_endian_ != swaps_);
    fields.push_back(std::move(field));
  }
  void put(std::uint64_t value, std::size_t count) {
    append_number(bytes, value, count, big_endian_);
  }

  Blob bytes;

 private:
  void align() { bytes.resize(bytes.size() + (base_ + bytes.size()) % 2); }
  static void swap(ExifField& field) {
    const auto size = static_cast<std::ptrdiff_t>(tiff_number_bytes(field.type));
    for (auto at = field.value.begin(); field.value.end() - at >= size; at += size)
      std::reverse(at, at + size);
  }

  Form form_;
  bool swaps_, big_endian_;
  std::uint64_t base_;
};

constexpr std::uint64_t header_size = 8;

// Writes everything after the header, from the writer's position on. @returns the first directory's
// position.
std::uint64_t write_block(const ExifTree& tree, TreeWriter& writer) {
  ExifFields primary = tree.primary, camera = tree.camera;
  if (!tree.interop.empty())
    writer.add_pointer(interop_pointer, writer.write(tree.interop), camera);
  if (!camera.empty()) writer.add_pointer(camera_pointer, writer.write(camera), primary);
  if (!tree.gps.empty()) writer.add_pointer(gps_pointer, writer.write(tree.gps), primary);
  return writer.write(primary);
}

}  // namespace

ExifTree read_exif_tree(std::span<const std::byte> file, std::uint64_t directory,
                        std::vector<std::string>& left_out) {
  TreeReader reader(file);
  ExifFields primary = reader.fields(directory, [&](std::uint16_t tag, std::uint16_t type) {
    if (const std::string_view name = name_of_tiff_tags(tag);
        !name.empty() && !contains(left_out, name))
      left_out.emplace_back(name);
    return is_pointer(tag) ||
           (has_exif_type(type) && subject_of_tiff_tag(tag) == TiffSubject::picture);
  });
  if (tells_colors(primary))
    std::erase_if(primary, [](const ExifField& field) {
      return field.tag == white_point_tag || field.tag == primaries_tag;
    });
  return reader.tree(std::move(primary));
}

ExifFields read_tiff_fields(std::span<const std::byte> file, std::uint64_t directory,
                            std::span<const std::uint16_t> tags) {
  return TreeReader(file).fields(
      directory, [&](std::uint16_t tag, std::uint16_t) { return contains(tags, tag); });
}

ExifTree read_exif_tree(std::span<const std::byte> block) {
  TreeReader reader(block);
  return reader.tree(reader.fields(reader.first(), [](std::uint16_t tag, std::uint16_t type) {
    return is_pointer(tag) || (has_exif_type(type) && !is_tiff_place(tag));
  }));
}

bool tells_colors(const ExifFields& primary) {
  return contains(primary, primaries_tag, &ExifField::tag);
}

const ExifField* note_with_place(const ExifTree& tree) {
  constexpr std::uint64_t first_place = 16, most_before = std::uint64_t{1} << 16;
  const auto note = std::ranges::find(tree.camera, maker_note, &ExifField::tag);
  if (note == tree.camera.end() || note->place < first_place || note->place > most_before)
    return nullptr;
  return &*note;
}

bool has_maker_note(const ExifTree& tree) {
  return contains(tree.camera, maker_note, &ExifField::tag);
}

bool needs_byte_order(const ExifTree& tree) {
  constexpr std::uint16_t comment = 0x9286;
  constexpr std::string_view unicode("UNICODE\0", 8);
  return std::ranges::any_of(tree.camera, [&](const ExifField& field) {
    return field.tag == maker_note || (field.tag == comment && begins_with(field.value, unicode));
  });
}

Blob exif_block_of(const ExifTree& tree, bool keeps_note) {
  if (tree.primary.empty() && tree.camera.empty() && tree.gps.empty()) return {};
  const ExifField* const note = keeps_note ? note_with_place(tree) : nullptr;
  const auto writer_at = [&](std::uint64_t at) {
    TreeWriter writer(classic, tree.big_endian, tree.big_endian, at);
    writer.placed = note;
    return writer;
  };
  TreeWriter writer = writer_at(header_size);
  std::uint64_t first = write_block(tree, writer);
  // The note comes after the rest if there is room for that, otherwise before it.
  const std::uint64_t note_end = note != nullptr ? note->place + note->value.size() : 0;
  const bool is_before = note != nullptr && header_size + writer.bytes.size() > note->place;
  const std::uint64_t rest = is_before ? note_end + note_end % 2 : header_size;
  if (is_before) {
    writer = writer_at(rest);
    first = write_block(tree, writer);
  }
  TreeWriter head(classic, tree.big_endian, tree.big_endian, 0);
  for (int i = 0; i < 2; ++i) head.put(tree.big_endian ? 'M' : 'I', 1);
  head.put(42, 2);
  head.put(first, 4);
  Blob& block = head.bytes;
  block.resize(static_cast<std::size_t>(rest));
  append_bytes(block, writer.bytes);
  if (note != nullptr) {
    block.resize(std::max(block.size(), static_cast<std::size_t>(note_end)));
    std::ranges::copy(note->value, block.begin() + static_cast<std::ptrdiff_t>(note->place));
  }
  return block;
}

TiffDirectories tiff_directories_of(const ExifTree& tree, std::uint64_t at, TiffForm form) {
  TreeWriter writer(form.big ? big_form : classic, tree.big_endian, form.big_endian, at);
  if (form.has_note) writer.placed = note_with_place(tree);
  TiffDirectories result;
  ExifFields camera = tree.camera;
  if (!tree.interop.empty())
    writer.add_pointer(interop_pointer, writer.write(tree.interop), camera);
  if (!camera.empty()) result.camera = writer.write(camera);
  if (!tree.gps.empty()) result.gps = writer.write(tree.gps);
  result.bytes = std::move(writer.bytes);
  return result;
}

}  // namespace cuimg
