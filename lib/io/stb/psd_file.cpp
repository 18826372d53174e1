// SPDX-License-Identifier: Apache-2.0
// Reads a header, three sections that begin with their length, and the merged picture.
#include "io/stb/psd_file.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "io/codec.h"
#include "io/tags/exif.h"
#include "io/tags/photoshop.h"
#include "io/tags/xmp.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

enum Mode : unsigned { grey_mode = 1, rgb_mode = 3 };

std::string mode_name(unsigned mode) {
  static constexpr std::string_view names[] = {"bitmap", "grey", "indexed",      "RGB",     "CMYK",
                                               "",       "",     "multichannel", "duotone", "Lab"};
  if (mode < std::size(names) && !names[mode].empty()) return std::string(names[mode]);
  return "mode " + std::to_string(mode);
}

// Blocks whose lengths have 8 bytes in a PSB.
bool is_long_block(std::string_view key) {
  static constexpr std::string_view keys[] = {"LMsk", "Lr16", "Lr32", "Layr", "Mt16",
                                              "Mt32", "Mtrn", "Alph", "FMsk", "lnk2",
                                              "FEid", "FXid", "PxSD"};
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

}  // namespace

PsdFile::PsdFile(const ByteSource& source, const DecodeOptions& options)
    : source_(source), in_(source, "PSD") {
  read_header(options);
  in_.take(in_.u32be());  // palettes and similar data, which the supported modes do not have
  read_resources();
  read_layers();
  if (transparency_ && stored_channels_ <= colors()) transparency_ = false;
  find_rows();
}

void PsdFile::read_header(const DecodeOptions& options) {
  in_.take(4);
  const std::uint32_t version = in_.u16be();
  if (version != 1 && version != 2) in_.fail("version " + std::to_string(version));
  large_ = version == 2;
  in_.take(6);
  stored_channels_ = static_cast<int>(in_.u16be());
  const std::uint32_t height = in_.u32be(), width = in_.u32be();
  check_size(source_, width, height, options);
  width_ = static_cast<int>(width);
  height_ = static_cast<int>(height);
  bits_ = static_cast<int>(in_.u16be());
  const std::uint32_t mode = in_.u16be();
  if (mode != grey_mode && mode != rgb_mode)
    in_.fail(mode_name(mode) + " is not supported", "grey and RGB are read");
  grey_ = mode == grey_mode;
  if (bits_ != 8 && bits_ != 16)
    in_.fail(std::to_string(bits_) + " bits a channel", "8 and 16 are read");
  if (stored_channels_ < colors() || stored_channels_ > 56)
    in_.fail(mode_name(mode) + " of " + std::to_string(stored_channels_) + " channels");
}

void PsdFile::read_resources() {
  constexpr std::uint32_t icc_profile = 1039, version_info = 1057, exif = 1058, xmp = 1060;
  const std::uint32_t length = in_.u32be();
  in_.require(length);
  const std::size_t end = in_.position() + length;
  take_photoshop(source_.bytes().subspan(in_.position(), length), metadata_);
  while (end - in_.position() >= 12 && text_of_bytes(in_.take(4)) == "8BIM") {
    const std::uint32_t id = in_.u16be(), name_length = in_.u8();
    // padded to an even size, including the length byte
    in_.take(name_length + (name_length + 1) % 2);
    const std::uint32_t size = in_.u32be();
    const std::uint64_t padded = std::uint64_t{size} + size % 2;
    if (in_.position() > end || padded > end - in_.position())
      in_.fail("an image resource is longer than their section");
    const auto body = in_.take(padded).first(size);
    if (id == icc_profile) icc_ = body;
    // The pixels are upright, whatever EXIF says.
    if (id == exif) take_exif(body, metadata_);
    if (id == xmp && !body.empty()) metadata_[xmp_key] = Blob(body.begin(), body.end());
    if (id == version_info && size >= 5 && body[4] == std::byte{0})
      in_.fail("the file holds layers but no merged picture",
               "save it with 'Maximize Compatibility'");
  }
  in_.seek(end);
}

// Layers themselves are skipped; their number is negative if the merged picture has transparency.
// Documents of 16 bits have a separate block for this.
void PsdFile::read_layers() {
  const std::uint64_t length = read_length();
  in_.require(length);
  const std::size_t end = in_.position() + static_cast<std::size_t>(length);
  const auto left = [&] { return end - in_.position(); };
  const std::size_t length_bytes = large_ ? 8 : 4;
  if (left() < length_bytes) return in_.seek(end);
  const std::uint64_t info = read_length();
  if (info > left()) in_.fail("the layers are longer than their section");
  const std::size_t after_info = in_.position() + static_cast<std::size_t>(info);
  if (info >= 2) read_layer_count();
  in_.seek(after_info);
  if (left() >= 4) {
    const std::uint32_t mask = in_.u32be();
    in_.seek(std::min<std::uint64_t>(end, std::uint64_t{in_.position()} + mask));
  }
  while (left() >= 8 + length_bytes) {
    const std::string_view signature = text_of_bytes(in_.take(4)), key = text_of_bytes(in_.take(4));
    if (signature != "8BIM" && signature != "8B64") break;
    const std::uint64_t size = is_long_block(key) ? read_length() : in_.u32be();
    if (size > left()) break;
    const std::size_t next = in_.position() + static_cast<std::size_t>(round_up(size, 4));
    if (key == "Mt16" || key == "Mtrn") transparency_ = true;
    if (key == "Lr16" && size >= 2) read_layer_count();
    in_.seek(std::min(end, next));
  }
  in_.seek(end);
}

void PsdFile::read_layer_count() {
  const auto count = static_cast<std::int16_t>(in_.u16be());
  layers_ = std::abs(int{count});
  if (count < 0) transparency_ = true;
}

void PsdFile::find_rows() {
  const std::uint32_t compression = in_.u16be();
  if (compression > 1)
    in_.fail("the merged picture is compressed by method " + std::to_string(compression),
             "none and RLE are read");
  run_length_ = compression == 1;
  const std::uint64_t rows =
      static_cast<std::uint64_t>(stored_channels_) * static_cast<unsigned>(height_);
  if (!run_length_) in_.require(rows * row_bytes());
  std::uint64_t at = in_.position();
  if (run_length_) {
    in_.require(rows * (large_ ? 4 : 2));
    at += rows * (large_ ? 4 : 2);
  }
  row_starts_.reserve(static_cast<std::size_t>(rows) + 1);
  for (std::uint64_t row = 0; row < rows; ++row) {
    row_starts_.push_back(at);
    at += !run_length_ ? row_bytes() : large_ ? in_.u32be() : in_.u16be();
  }
  row_starts_.push_back(at);
  if (run_length_) in_.require(at - in_.position());
}

std::span<const std::byte> PsdFile::rows(int channel, int first, int count) const {
  const std::size_t begin = static_cast<std::size_t>(channel) * static_cast<std::size_t>(height_) +
                            static_cast<std::size_t>(first);
  const std::uint64_t from = row_starts_[begin],
                      to = row_starts_[begin + static_cast<std::size_t>(count)];
  return source_.bytes().subspan(static_cast<std::size_t>(from),
                                 static_cast<std::size_t>(to - from));
}

}  // namespace cuimg
