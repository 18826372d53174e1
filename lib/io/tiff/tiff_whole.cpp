// SPDX-License-Identifier: Apache-2.0
// A walk over the directories of TIFF 6.0 and BigTIFF that reads nothing past the file's end.
#include "io/tiff/tiff_whole.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/message_text.h"
#include "io/codec.h"
#include "io/tags/tiff_values.h"
#include "io/tiff/tiff_stack.h"

namespace cuimg {
namespace {

struct Entry {
  std::uint16_t tag = 0, type = 0;
  std::uint64_t count = 0;
  std::uint64_t at = 0;  // the position of the values, within the entry or elsewhere
};

enum Tag : std::uint16_t {
  new_subfile_type = 254,
  old_subfile_type = 255,
  photometric_interpretation = 262,
  strip_offsets = 273,
  strip_byte_counts = 279,
  page_name = 285,
  tile_offsets = 324,
  tile_byte_counts = 325,
  sub_ifds = 330,
  image_depth = 32997,
  metamorph_planes = 33629,
  exif_ifd = 34665,
  gps_ifd = 34853,
  interoperability_ifd = 40965
};

constexpr std::uint64_t no_number = ~std::uint64_t{0};

// Pages are chained; a tag points to each of the others.
enum class Kind { page, sub, exif };

class Walk {
 public:
  explicit Walk(const ByteSource& source) : bytes_(source.bytes()), name_(source.name()) {
    // Parts of a valid file do not overlap. Repeated parts of a malicious file are ignored.
    budget_ = 4 * std::uint64_t{bytes_.size()};
  }

  std::vector<TiffPage> run() {
    require(0, 8, "its header");
    big_endian_ = bytes_[0] == std::byte{'M'};
    big_ = number(2, 2) == 43;
    word_ = big_ ? 8 : 4;
    if (big_) require(0, 16, "its header");
    const std::uint64_t first = number(big_ ? 8 : 4, word_);
    visit_later(first, Kind::page);
    while (!todo_.empty()) {
      const auto [at, kind] = todo_.back();
      todo_.pop_back();
      if (!visit(at, kind)) break;
    }
    if (pages_.empty()) pages_.push_back({first, ""});  // libtiff reports what is wrong with it
    pages_.front().masks += early_masks_;
    add_planes();
    return std::move(pages_);
  }

 private:
  struct Directory {
    std::uint64_t at;
    Kind kind;
  };

  void require(std::uint64_t at, std::uint64_t count, const char* what,
               std::uint64_t which = no_number) const {
    if (at <= bytes_.size() && count <= bytes_.size() - at) return;
    throw Error(name_, "TIFF: the file is truncated: " + std::string(what) +
                           (which == no_number ? "" : " " + std::to_string(which)) +
                           " goes past its end");
  }

  // Of bytes that are known to exist.
  std::uint64_t number(std::uint64_t at, std::uint64_t size) const {
    return number_at(bytes_, at, size, big_endian_);
  }
  std::uint64_t value(const Entry& entry, std::uint64_t index) const {
    const std::uint64_t size = tiff_value_bytes(entry.type);
    return number(entry.at + index * size, size);
  }

  bool spend(std::uint64_t bytes) {
    if (bytes > budget_) return false;
    budget_ -= bytes;
    return true;
  }

  void visit_later(std::uint64_t at, Kind kind) {
    if (at != 0 && seen_.insert(at).second) todo_.push_back({at, kind});
  }

  // @returns whether to continue.
  bool visit(std::uint64_t at, Kind kind) {
    const std::uint64_t count_size = big_ ? 8 : 2, entry_size = big_ ? 20 : 12;
    require(at, count_size, "a directory");
    const std::uint64_t count = number(at, count_size);
    if (count > bytes_.size()) require(at, count, "a directory");  // its product may overflow
    const std::uint64_t end = at + count_size + count * entry_size;
    require(at, end - at + (kind == Kind::page ? word_ : 0), "a directory");
    if (!spend(end - at)) return false;
    std::vector<Entry> entries;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t place = at + count_size + i * entry_size;
      Entry entry{static_cast<std::uint16_t>(number(place, 2)),
                  static_cast<std::uint16_t>(number(place + 2, 2)), number(place + 4, word_),
                  place + 4 + word_};
      if (tiff_value_bytes(entry.type) != 0)
        entries.push_back(entry);
      else if (kind == Kind::exif)
        return true;  // editors leave pointers to data that they removed
    }
    for (Entry& entry : entries) locate(entry);
    if (kind == Kind::page && is_mask(entries))
      ++(pages_.empty() ? early_masks_ : pages_.back().masks);
    else if (kind == Kind::page)
      add_page(at, entries);
    if (!check_blocks(entries, strip_offsets, strip_byte_counts) ||
        !check_blocks(entries, tile_offsets, tile_byte_counts))
      return false;
    for (const Entry& entry : entries)
      if (!follow(entry)) return false;
    if (kind == Kind::page) visit_later(number(end, word_), Kind::page);
    return true;
  }

  // TIFF 6.0 requires both entries; a directory with only one is not a picture either.
  bool is_mask(const std::vector<Entry>& entries) const {
    constexpr std::uint64_t mask_bit = 4, mask_photometric = 4;
    return std::ranges::any_of(entries, [&](const Entry& entry) {
      if (!holds_numbers(entry) || entry.count != 1) return false;
      return (entry.tag == new_subfile_type && (value(entry, 0) & mask_bit) != 0) ||
             (entry.tag == photometric_interpretation && value(entry, 0) == mask_photometric);
    });
  }

  bool says_reduced(const Entry& entry) const {
    constexpr std::uint64_t reduced_bit = 1, old_reduced = 2;
    if (!holds_numbers(entry) || entry.count != 1) return false;
    return (entry.tag == new_subfile_type && (value(entry, 0) & reduced_bit) != 0) ||
           (entry.tag == old_subfile_type && value(entry, 0) == old_reduced);
  }

  [[noreturn]] void refuse_pages() const {
    throw Error(name_, "TIFF: more than " + std::to_string(most_parts) + " pages",
                "split the file first");
  }

  void add_page(std::uint64_t at, const std::vector<Entry>& entries) {
    if (pages_.size() == static_cast<std::size_t>(most_parts)) refuse_pages();
    TiffPage page{at, ""};
    constexpr std::uint64_t ascii = 2, longest = 1024;
    for (const Entry& entry : entries) {
      if (entry.tag == sub_ifds && holds_numbers(entry)) page.sub_ifds = entry.count;
      if (says_reduced(entry)) page.is_reduced = true;
      if (entry.tag == metamorph_planes && entry.count > 1) {
        page.stack = StackKind::metamorph;
        page.planes = entry.count;
      }
      if (entry.tag == image_depth && holds_numbers(entry) && entry.count == 1 &&
          value(entry, 0) > 1) {
        page.stack = StackKind::volume;
        page.planes = value(entry, 0);
      }
      if (entry.tag == page_name && entry.type == ascii)
        for (std::uint64_t i = 0; i < std::min(entry.count, longest) && value(entry, i) != 0; ++i)
          page.name += static_cast<char>(value(entry, i));
    }
    // tagged_stack() reads the directory again.
    if (page.planes > 1 && !spend(bytes_of_values(entries))) page.planes = 1;
    pages_.push_back(std::move(page));
  }

  static std::uint64_t bytes_of_values(const std::vector<Entry>& entries) {
    std::uint64_t bytes = 0;
    for (const Entry& entry : entries) bytes += entry.count * tiff_value_bytes(entry.type);
    return bytes;
  }

  std::optional<TiffStack> stack_of(const TiffPage& page, bool is_alone) const {
    std::optional<TiffStack> stack;
    if (is_alone) stack = imagej_stack(bytes_, page.directory);
    if (!stack && page.planes > 1)
      stack = tagged_stack(bytes_, page.directory, page.stack, page.planes);
    return stack;
  }

  // The planes of stacks with one directory, after the page of that directory.
  void add_planes() {
    const std::vector<TiffPage> pages = std::move(pages_);
    pages_.clear();
    for (const TiffPage& page : pages) {
      pages_.push_back(page);
      const std::optional<TiffStack> stack = stack_of(page, pages.size() == 1);
      if (!stack) continue;
      pages_.back().stack = stack->kind;
      if (stack->plane_bytes == 0 && stack->plane_blocks == 0) {
        pages_.back().planes_left_out = stack->planes - 1;
        continue;
      }
      constexpr auto most = static_cast<std::uint64_t>(most_parts);
      if (stack->planes > most || pages_.size() - 1 + stack->planes > most) refuse_pages();
      TiffPage plane = page;
      plane.masks = 0;
      plane.sub_ifds = 0;
      plane.is_reduced = false;
      for (std::uint64_t i = 1; i < stack->planes; ++i) {
        if (stack->plane_bytes != 0)
          plane.pixels_at = stack->first + i * stack->plane_bytes;
        else
          plane.plane = i, plane.plane_blocks = stack->plane_blocks;
        pages_.push_back(plane);
      }
    }
  }

  void locate(Entry& entry) const {
    if (entry.count > bytes_.size())
      require(0, entry.count, "tag", entry.tag);  // its product may overflow
    const std::uint64_t size = entry.count * tiff_value_bytes(entry.type);
    if (size <= word_) return;
    entry.at = number(entry.at, word_);
    require(entry.at, size, "tag", entry.tag);
  }

  static bool holds_numbers(const Entry& entry) {
    return entry.type == 3 || entry.type == 4 || entry.type == 13 || entry.type == 16 ||
           entry.type == 18;
  }

  bool check_blocks(const std::vector<Entry>& entries, Tag offsets_tag, Tag counts_tag) {
    const Entry *offsets = nullptr, *counts = nullptr;
    for (const Entry& entry : entries) {
      if (!holds_numbers(entry)) continue;
      if (entry.tag == offsets_tag) offsets = &entry;
      if (entry.tag == counts_tag) counts = &entry;
    }
    if (offsets == nullptr || counts == nullptr) return true;
    const std::uint64_t blocks = std::min(offsets->count, counts->count);
    if (!spend(blocks)) return false;
    for (std::uint64_t i = 0; i < blocks; ++i)
      if (const std::uint64_t size = value(*counts, i); size != 0)
        require(value(*offsets, i), size, offsets_tag == strip_offsets ? "strip" : "tile", i);
    return true;
  }

  bool follow(const Entry& entry) {
    const bool exif =
        entry.tag == exif_ifd || entry.tag == gps_ifd || entry.tag == interoperability_ifd;
    if ((entry.tag != sub_ifds && !exif) || !holds_numbers(entry)) return true;
    if (!spend(entry.count)) return false;
    for (std::uint64_t i = 0; i < entry.count; ++i)
      visit_later(value(entry, i), exif ? Kind::exif : Kind::sub);
    return true;
  }

  std::span<const std::byte> bytes_;
  std::string name_;
  std::uint64_t budget_ = 0;
  std::uint64_t word_ = 4;  // size of an offset, in bytes
  bool big_endian_ = false, big_ = false;
  std::vector<Directory> todo_;
  std::set<std::uint64_t> seen_;
  std::vector<TiffPage> pages_;
  int early_masks_ = 0;  // masks before the first page
};

std::string planes_of(StackKind kind) {
  switch (kind) {
    case StackKind::imagej:
      return "pictures of ImageJ's stack that cannot be found";
    case StackKind::metamorph:
      return "pictures of MetaMorph's stack that cannot be found";
    case StackKind::volume:
      break;
  }
  return "planes of a volume";
}

}  // namespace

std::vector<TiffPage> check_tiff_is_whole(const ByteSource& source) { return Walk(source).run(); }

std::vector<std::string> left_out_of(const TiffPage& page) {
  std::vector<std::string> what;
  if (page.masks > 0)
    what.push_back("transparency masks are left out: " + counted(page.masks, "page"));
  if (page.sub_ifds > 0)
    what.push_back("pictures in SubIFDs are left out: " + std::to_string(page.sub_ifds));
  if (page.planes_left_out > 0)
    what.push_back(planes_of(page.stack) +
                   " are left out: " + std::to_string(page.planes_left_out));
  return what;
}

}  // namespace cuimg
