// SPDX-License-Identifier: Apache-2.0
// GIF89a (CompuServe 1990), and Netscape's extension for loops.
#include "io/gif/gif_file.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/bytes.h"
#include "io/codec.h"
#include "io/gif/gif_reader.h"

namespace cuimg {
namespace {

using Blocks = std::vector<std::span<const std::byte>>;

unsigned byte_of_block(std::span<const std::byte> block, std::size_t i) {
  return std::to_integer<unsigned>(block[i]);
}

void read_control(const Blocks& blocks, GifFrame& next) {
  if (blocks.empty() || blocks[0].size() != 4) return;
  const unsigned flags = byte_of_block(blocks[0], 0), disposal = flags >> 2 & 7;
  // Values from 4 on are undefined.
  next.disposal = disposal == DISPOSE_BACKGROUND ? GifDisposal::clear
                  : disposal == DISPOSE_PREVIOUS ? GifDisposal::restore
                                                 : GifDisposal::keep;
  const unsigned hundredths = byte_of_block(blocks[0], 1) | byte_of_block(blocks[0], 2) << 8;
  next.delay_ms = static_cast<int>(10 * hundredths);
  next.transparent.reset();
  if ((flags & 1) != 0) next.transparent = static_cast<int>(byte_of_block(blocks[0], 3));
}

void read_loop(std::span<const std::byte> block, GifFile& file) {
  if (block.size() >= 3 && byte_of_block(block, 0) == 1)
    file.loop = static_cast<int>(byte_of_block(block, 1) | byte_of_block(block, 2) << 8);
}

std::vector<std::byte> joined(std::span<const std::span<const std::byte>> blocks) {
  std::vector<std::byte> bytes;
  for (const auto& block : blocks) append_bytes(bytes, block);
  return bytes;
}

// XMP's extension is not a sequence of blocks. It is text; a reader that takes each byte as a
// length finds a letter there, and the bytes after the text lead such a reader to the end (XMP
// Specification, part 3, 1.1.2). Text in blocks, as some programs write it, is also understood.
std::vector<std::byte> xmp_of(std::span<const std::span<const std::byte>> blocks) {
  const std::byte* const first = blocks.front().data() - 1;
  const std::span text(first, blocks.back().data() + blocks.back().size());
  constexpr std::byte trailer[] = {std::byte{1}, std::byte{0xff}, std::byte{0xfe}, std::byte{0xfd}};
  const auto end = std::search(text.begin(), text.end(), std::begin(trailer), std::end(trailer));
  if (end == text.end()) return joined(blocks);
  return {text.begin(), end};
}

// Only the first extension of each kind counts.
void read_application(const Blocks& blocks, GifFile& file) {
  if (blocks.size() < 2) return;
  const std::string_view name = text_of_bytes(blocks[0]);
  const auto data = std::span(blocks).subspan(1);
  if (name == "NETSCAPE2.0" || name == "ANIMEXTS1.0") read_loop(data.front(), file);
  if (name == "ICCRGBG1012" && file.icc_profile.empty()) file.icc_profile = joined(data);
  if (name == "XMP DataXMP" && file.xmp.empty()) file.xmp = xmp_of(data);
}

void read_comment(const Blocks& blocks, GifFile& file) {
  constexpr std::size_t longest = 1 << 16;
  if (!file.comment.empty()) return;
  for (const auto& block : blocks)
    if (file.comment.size() + block.size() <= longest) file.comment += text_of_bytes(block);
}

// Reads the image's area, and checks that its codes can represent so many pixels.
void read_frame(GifReader& reader, const ByteSource& source, const DecodeOptions& options,
                GifFrame& frame) {
  reader.read_image();
  const GifImageDesc& image = reader.state().Image;
  check_size(source, image.Width, image.Height, options);
  frame.place = {image.Left, image.Top, image.Width, image.Height};
  frame.interlaced = image.Interlace;
  if (image.ColorMap == nullptr && reader.state().SColorMap == nullptr)
    reader.fail("a frame has no colour map");
  // A code has at least two bits and represents at most as many pixels as there are codes of 12
  // bits.
  constexpr std::uint64_t most_pixels_in_byte = 4 * 4096;
  const std::uint64_t pixels = static_cast<std::uint64_t>(frame.place.width) *
                               static_cast<std::uint64_t>(frame.place.height);
  if (pixels > reader.skip_pixels() * most_pixels_in_byte) reader.fail("a frame is cut short");
}

// The format lets a background show where no frame has drawn. As in ImageMagick, it is used unless
// the first frame has a transparent colour, and it is white if that frame has its own colour table.
std::optional<std::array<std::uint8_t, 3>> background_of(const GifFileType& gif,
                                                         const GifFrame& first) {
  if (first.transparent) return std::nullopt;
  const ColorMapObject* colors = gif.SColorMap;
  if (gif.Image.ColorMap != nullptr || colors == nullptr) return {{255, 255, 255}};
  const GifColorType& color =
      colors->Colors[std::min(gif.SBackGroundColor, colors->ColorCount - 1)];
  return {{color.Red, color.Green, color.Blue}};
}

}  // namespace

bool GifFile::covers(const GifFrame& frame) const {
  const Rect& place = frame.place;
  return !frame.transparent && place.x <= 0 && place.y <= 0 && place.right() >= width &&
         place.bottom() >= height;
}

bool GifFile::is_opaque() const {
  bool opaque = background.has_value();
  for (const GifFrame& frame : frames) {
    const bool before = opaque;
    opaque = opaque || covers(frame);
    if (!opaque) return false;
    if (frame.disposal == GifDisposal::clear) opaque = false;
    if (frame.disposal == GifDisposal::restore) opaque = before;
  }
  return true;
}

GifFile read_gif_file(std::shared_ptr<const ByteSource> source, const DecodeOptions& options) {
  GifReader reader(source);
  GifFile file;
  file.width = reader.state().SWidth;
  file.height = reader.state().SHeight;
  const int aspect = reader.state().AspectByte;
  if (aspect != 0) file.pixel_aspect = static_cast<float>(aspect + 15) / 64.0f;
  GifFrame frame;
  Blocks blocks;
  for (;;) {
    const GifRecordType record = reader.next_record();
    if (record == TERMINATE_RECORD_TYPE) break;
    if (record == EXTENSION_RECORD_TYPE) {
      const int label = reader.read_extension(blocks);
      if (label == GRAPHICS_EXT_FUNC_CODE) read_control(blocks, frame);
      if (label == APPLICATION_EXT_FUNC_CODE) read_application(blocks, file);
      if (label == COMMENT_EXT_FUNC_CODE) read_comment(blocks, file);
      // Text to be drawn in a font of the reader uses up the settings for the next picture.
      if (label == PLAINTEXT_EXT_FUNC_CODE) frame = {};
    } else if (record == IMAGE_DESC_RECORD_TYPE) {
      if (file.frames.size() == static_cast<std::size_t>(most_parts))
        reader.fail("more than " + std::to_string(most_parts) + " frames");
      read_frame(reader, *source, options, frame);
      // If a file does not give the canvas size, the first frame's is meant.
      if (file.frames.empty() && file.width == 0) file.width = frame.place.width;
      if (file.frames.empty() && file.height == 0) file.height = frame.place.height;
      if (file.frames.empty()) file.background = background_of(reader.state(), frame);
      file.frames.push_back(frame);
      frame = {};
    } else {
      reader.fail("a record of an unknown kind");
    }
  }
  if (file.frames.empty()) reader.fail("no picture");
  check_size(*source, file.width, file.height, options);
  return file;
}

}  // namespace cuimg
