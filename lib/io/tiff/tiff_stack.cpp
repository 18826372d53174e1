// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_stack.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "io/tags/exif_tree.h"
#include "io/tags/text_tags.h"
#include "io/tags/tiff_values.h"

namespace cuimg {
namespace {

constexpr std::array<std::uint16_t, 1> description_tag = {TIFFTAG_IMAGEDESCRIPTION};
constexpr std::array<std::uint16_t, 16> pixel_tags = {
    TIFFTAG_IMAGEWIDTH,  TIFFTAG_IMAGELENGTH,  TIFFTAG_BITSPERSAMPLE,   TIFFTAG_COMPRESSION,
    TIFFTAG_PHOTOMETRIC, TIFFTAG_STRIPOFFSETS, TIFFTAG_SAMPLESPERPIXEL, TIFFTAG_STRIPBYTECOUNTS,
    TIFFTAG_FILLORDER,   TIFFTAG_TILEWIDTH,    TIFFTAG_TILELENGTH,      TIFFTAG_TILEOFFSETS,
    TIFFTAG_TILEDEPTH,   TIFFTAG_PLANARCONFIG, TIFFTAG_ROWSPERSTRIP,    TIFFTAG_TILEBYTECOUNTS};

bool is_big_endian(std::span<const std::byte> file) { return file[0] == std::byte{'M'}; }

class Fields {
 public:
  Fields(std::span<const std::byte> file, std::uint64_t directory,
         std::span<const std::uint16_t> tags)
      : fields_(read_tiff_fields(file, directory, tags)), big_endian_(is_big_endian(file)) {}

  bool has(std::uint16_t tag) const { return find(tag) != nullptr; }
  std::string text(std::uint16_t tag) const {
    const ExifField* const field = find(tag);
    return field == nullptr ? "" : std::string(text_of_bytes(field->value));
  }
  std::vector<std::uint64_t> numbers(std::uint16_t tag) const {
    std::vector<std::uint64_t> values;
    const ExifField* const field = find(tag);
    const std::size_t each = field == nullptr ? 0 : tiff_value_bytes(field->type);
    for (std::size_t at = 0; each != 0 && at + each <= field->value.size(); at += each)
      values.push_back(number_at(field->value, at, each, big_endian_));
    return values;
  }
  std::uint64_t number(std::uint16_t tag, std::uint64_t fallback) const {
    const std::vector<std::uint64_t> values = numbers(tag);
    return values.empty() ? fallback : values.front();
  }

 private:
  const ExifField* find(std::uint16_t tag) const {
    const auto found = std::ranges::find(fields_, tag, &ExifField::tag);
    return found == fields_.end() ? nullptr : &*found;
  }

  ExifFields fields_;
  bool big_endian_;
};

bool are_together(const Fields& fields) {
  return fields.number(TIFFTAG_SAMPLESPERPIXEL, 1) == 1 ||
         fields.number(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_CONTIG;
}

// Whether the strips are contiguous, with that many bytes: all planes of a volume, the first plane
// of other stacks.
bool lie_in_one_piece(const Fields& fields, StackKind kind, std::uint64_t all_bytes) {
  const auto offsets = fields.numbers(TIFFTAG_STRIPOFFSETS);
  const auto counts = fields.numbers(TIFFTAG_STRIPBYTECOUNTS);
  if (offsets.size() == 1 && kind != StackKind::volume) return true;
  if (offsets.empty() || offsets.size() != counts.size()) return false;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] != offsets[0] + bytes) return false;
    bytes += counts[i];
  }
  return bytes == all_bytes;
}

// 0 if planes are compressed, or not all in the file.
std::uint64_t plane_bytes_of(const Fields& fields, StackKind kind, std::uint64_t planes,
                             std::uint64_t file_bytes) {
  const std::uint64_t samples = fields.number(TIFFTAG_SAMPLESPERPIXEL, 1);
  const std::uint64_t bits = fields.number(TIFFTAG_BITSPERSAMPLE, 1);
  const std::uint64_t width = fields.number(TIFFTAG_IMAGEWIDTH, 0);
  const std::uint64_t height = fields.number(TIFFTAG_IMAGELENGTH, 0);
  const std::uint64_t meaning = fields.number(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  const bool is_plain = meaning <= PHOTOMETRIC_PALETTE &&
                        fields.number(TIFFTAG_FILLORDER, FILLORDER_MSB2LSB) == FILLORDER_MSB2LSB &&
                        (bits == 8 || bits == 16 || bits == 32 || bits == 64) &&
                        fields.number(TIFFTAG_COMPRESSION, COMPRESSION_NONE) == COMPRESSION_NONE &&
                        are_together(fields) && !fields.has(TIFFTAG_TILEWIDTH) &&
                        !fields.has(TIFFTAG_TILEOFFSETS);
  constexpr std::uint64_t most_side = std::uint64_t{1} << 24, most_samples = 1024;
  if (!is_plain || width > most_side || height > most_side || samples > most_samples) return 0;
  const std::uint64_t bytes = width * height * samples * (bits / 8);
  const std::uint64_t first = fields.number(TIFFTAG_STRIPOFFSETS, file_bytes);
  const bool are_there = bytes > 0 && first < file_bytes && (file_bytes - first) / bytes >= planes;
  const std::uint64_t in_strips = kind == StackKind::volume ? planes : 1;
  return are_there && lie_in_one_piece(fields, kind, bytes * in_strips) ? bytes : 0;
}

std::uint64_t blocks_of(std::uint64_t length, std::uint64_t block) {
  return block == 0 ? 0 : length / block + (length % block == 0 ? 0 : 1);
}

// Whether a volume's directory lists strips or tiles beyond those of one plane.
bool lists_planes(const Fields& fields) {
  const std::uint64_t height = fields.number(TIFFTAG_IMAGELENGTH, 0);
  if (fields.has(TIFFTAG_TILEOFFSETS))
    return fields.number(TIFFTAG_TILEDEPTH, 1) > 1 ||
           fields.numbers(TIFFTAG_TILEOFFSETS).size() >
               blocks_of(fields.number(TIFFTAG_IMAGEWIDTH, 0),
                         fields.number(TIFFTAG_TILEWIDTH, 0)) *
                   blocks_of(height, fields.number(TIFFTAG_TILELENGTH, 0));
  const bool separate =
      fields.number(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
  const std::uint64_t rows = std::min(height, fields.number(TIFFTAG_ROWSPERSTRIP, height));
  return fields.numbers(TIFFTAG_STRIPOFFSETS).size() >
         blocks_of(height, rows) * (separate ? fields.number(TIFFTAG_SAMPLESPERPIXEL, 1) : 1);
}

struct BlockTags {
  std::uint16_t offsets, counts;
};
BlockTags block_tags(const Fields& fields) {
  return fields.has(TIFFTAG_TILEOFFSETS) ? BlockTags{TIFFTAG_TILEOFFSETS, TIFFTAG_TILEBYTECOUNTS}
                                         : BlockTags{TIFFTAG_STRIPOFFSETS, TIFFTAG_STRIPBYTECOUNTS};
}

// 0 unless all planes are listed, one after another, with samples together, in forms that need
// nothing but their own bytes.
std::uint64_t plane_blocks_of(const Fields& fields, std::uint64_t planes) {
  if (fields.number(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) > PHOTOMETRIC_PALETTE ||
      !are_together(fields) || fields.number(TIFFTAG_TILEDEPTH, 1) != 1)
    return 0;
  const BlockTags tags = block_tags(fields);
  const std::uint64_t height = fields.number(TIFFTAG_IMAGELENGTH, 0);
  const std::uint64_t rows = std::min(height, fields.number(TIFFTAG_ROWSPERSTRIP, height));
  const std::uint64_t blocks =
      tags.offsets == TIFFTAG_STRIPOFFSETS
          ? blocks_of(height, rows)
          : blocks_of(fields.number(TIFFTAG_IMAGEWIDTH, 0), fields.number(TIFFTAG_TILEWIDTH, 0)) *
                blocks_of(height, fields.number(TIFFTAG_TILELENGTH, 0));
  const std::uint64_t listed = fields.numbers(tags.offsets).size();
  const bool are_all = blocks > 0 && listed / blocks == planes && listed % blocks == 0 &&
                       fields.numbers(tags.counts).size() == listed;
  return are_all ? blocks : 0;
}

TiffStack stack_of(std::span<const std::byte> file, const Fields& fields, StackKind kind,
                   std::uint64_t planes) {
  TiffStack stack = {kind, planes, plane_bytes_of(fields, kind, planes, file.size()),
                     fields.number(TIFFTAG_STRIPOFFSETS, 0)};
  if (kind == StackKind::volume && stack.plane_bytes == 0)
    stack.plane_blocks = plane_blocks_of(fields, planes);
  return stack;
}

}  // namespace

std::optional<TiffStack> imagej_stack(std::span<const std::byte> file, std::uint64_t directory) {
  const Fields fields(file, directory, description_tag);
  const int planes = imagej_pictures(fields.text(TIFFTAG_IMAGEDESCRIPTION)).value_or(1);
  if (planes == 1) return std::nullopt;
  return stack_of(file, Fields(file, directory, pixel_tags), StackKind::imagej,
                  static_cast<std::uint64_t>(planes));
}

std::optional<TiffStack> tagged_stack(std::span<const std::byte> file, std::uint64_t directory,
                                      StackKind kind, std::uint64_t planes) {
  const Fields fields(file, directory, pixel_tags);
  const TiffStack stack = stack_of(file, fields, kind, planes);
  if (kind == StackKind::volume && stack.plane_bytes == 0 && !lists_planes(fields))
    return std::nullopt;
  return stack;
}

std::vector<TiffBlock> blocks_of_plane(std::span<const std::byte> file, std::uint64_t directory,
                                       std::uint64_t plane, std::uint64_t plane_blocks) {
  const Fields fields(file, directory, pixel_tags);
  const BlockTags tags = block_tags(fields);
  const auto offsets = fields.numbers(tags.offsets), counts = fields.numbers(tags.counts);
  std::vector<TiffBlock> blocks;
  for (std::uint64_t i = plane * plane_blocks; i < (plane + 1) * plane_blocks; ++i)
    blocks.push_back({offsets.at(i), counts.at(i)});
  return blocks;
}

void read_tiff_plane(std::span<const std::byte> file, std::uint64_t at, int width, int height,
                     const TiffSamples& samples, const PutBand& put) {
  const auto pixels = static_cast<std::size_t>(width);
  const std::size_t stored = samples.channel_of.size();
  const std::size_t row_bytes = samples.stored_bytes(pixels, stored);
  const std::size_t sample_bytes = row_bytes / (pixels * stored);
  const bool swaps = is_big_endian(file) != (std::endian::native == std::endian::big);
  std::vector<std::byte> row(row_bytes),
      band(pixels * static_cast<std::size_t>(samples.channels) * bytes_of(samples.type));
  for (int y = 0; y < height; ++y) {
    const auto from = file.subspan(at + static_cast<std::size_t>(y) * row_bytes, row_bytes);
    std::ranges::copy(from, row.begin());
    if (swaps && sample_bytes > 1)
      for (auto sample = row.begin(); sample != row.end();
           sample += static_cast<std::ptrdiff_t>(sample_bytes))
        std::reverse(sample, sample + static_cast<std::ptrdiff_t>(sample_bytes));
    samples.sum_up(row.data(), pixels, stored, 0, y, 0);
    samples.convert(row.data(), pixels, stored, 0, band.data());
    put(y, 1, band.data());
  }
}

}  // namespace cuimg
