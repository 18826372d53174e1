// SPDX-License-Identifier: Apache-2.0
// Thumbnails of EXIF and previews of EXR in written files show the output if the input had one,
// whatever its block contains.
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfPreviewImage.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/bytes.h"
#include "codec_helpers.h"
#include "io/exr/exr_stream.h"
#include "io/tags/exif.h"
#include "io/tags/exif_block.h"
#include "io/tags/exif_listing.h"
#include "io/tags/exif_thumbnail.h"

namespace cuimg::test {
namespace {

constexpr ExifDirectory first = ExifDirectory::primary;

// With an invalid thumbnail: the output's thumbnail is made from the pixels.
Blob block_with_thumbnail(std::size_t bytes = 100) {
  ExifBlock block;
  block.set_text(first, 0x010f, "Maker");
  block.set_numbers(first, 0x0112, TiffType::u16, {1});
  block.make_thumbnail_room(bytes);
  return block.bytes();
}

// Red grows to the right, green downwards; a blue square in the upper left corner.
Image picture(int width, int height, PixelType type = PixelType::u8) {
  Image image(flat_spec(width, height, 3, type,
                        is_floating(type) ? linear_premultiplied() : srgb_straight()));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float values[3] = {static_cast<float>(x) / static_cast<float>(width),
                               static_cast<float>(y) / static_cast<float>(height),
                               x < width / 3 && y < height / 3 ? 1.0f : 0.0f};
      for (int c = 0; c < 3; ++c) {
        const std::size_t at = static_cast<std::size_t>(3 * (y * width + x) + c);
        if (type == PixelType::u8)
          pixels<std::uint8_t>(image)[at] = static_cast<std::uint8_t>(values[c] * 255);
        else
          pixels<float>(image)[at] = values[c];
      }
    }
  image.editable_spec().metadata[exif_key] = block_with_thumbnail();
  return image;
}

Blob written_block(const Bytes& file) {
  const Image image = decode(
      *std::ranges::find_if(codecs(), [&](const Codec& codec) { return codec.sniff(file); }), file);
  const Blob* block = find_entry<Blob>(image.spec().metadata, exif_key);
  return block == nullptr ? Blob() : *block;
}

std::vector<std::byte> expected_rgba(const Image& image, ThumbnailSize size) {
  Thumbnail thumbnail(image.spec(), size);
  thumbnail.add(image, 0, image.spec().data_window.height);
  return thumbnail.rgba();
}

// Equal within the error of a JPEG with half of the colours' resolution.
void expect_shows(const Blob& block, const Image& image, double most = 4) {
  const ExifBlock read(block);
  const std::span<const std::byte> jpeg = read.thumbnail();
  ASSERT_FALSE(jpeg.empty());
  const Image small = decode(jpeg_codec(), jpeg);
  const Rect& window = small.spec().data_window;
  const std::vector<std::byte> expected = expected_rgba(image, {window.width, window.height});
  double sum = 0;
  const int count = window.width * window.height;
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c)
      sum += std::abs(std::to_integer<int>(expected[static_cast<std::size_t>(4 * i + c)]) -
                      pixels<std::uint8_t>(small)[3 * i + c]);
  EXPECT_LT(sum / (3 * count), most);
}

TEST(ExifThumbnail, ShowsTheOutputInEveryFormatThatHasAPlace) {
  for (const auto& [width, height] :
       std::vector<std::pair<int, int>>{{640, 480}, {301, 503}, {40, 30}, {1, 1}, {2000, 3}}) {
    SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
    const Image bytes = picture(width, height), light = picture(width, height, PixelType::f32);
    expect_shows(written_block(encode(jpeg_codec(), bytes, {.quality = 95})), bytes);
    expect_shows(written_block(encode(png_codec(), bytes)), bytes);
    for (const std::string compression : {"zip", "piz", "none"})
      expect_shows(written_block(encode(exr_codec(), light, {.compression = compression})), light);
    Image tiled = copy_of(light);
    tiled.editable_spec().storage.tile_width = tiled.editable_spec().storage.tile_height = 32;
    expect_shows(written_block(encode(exr_codec(), tiled)), light);
  }
}

TEST(ExifThumbnail, MakesTheBlockNoLongerEachTime) {
  Image image = picture(320, 200);
  std::size_t size = 0;
  for (int i = 0; i < 4; ++i) {
    image.editable_spec().metadata[exif_key] = written_block(encode(png_codec(), image));
    const std::size_t now = std::get<Blob>(image.spec().metadata.at(exif_key)).size();
    if (i > 0) {
      EXPECT_EQ(now, size);
    }
    size = now;
  }
}

TEST(ExifThumbnail, BytesDoNotDependOnThreads) {
  const Image bytes = picture(1500, 1100), light = picture(700, 500, PixelType::f32);
  for (const int threads : {2, 5}) {
    EXPECT_EQ(encode(png_codec(), bytes, {.threads = 1}),
              encode(png_codec(), bytes, {.threads = threads}));
    EXPECT_EQ(encode(exr_codec(), light, {.threads = 1}),
              encode(exr_codec(), light, {.threads = threads}));
  }
}

TEST(ExifThumbnail, IsLeftOutWhereTheInputHadNone) {
  Image image = picture(64, 48);
  ExifBlock block;
  block.set_text(first, 0x010f, "Maker");
  block.set_numbers(ExifDirectory::camera, 0xa002, TiffType::u16, {64});
  image.editable_spec().metadata[exif_key] = block.bytes();
  for (const Codec& codec : {jpeg_codec(), png_codec()})
    EXPECT_FALSE(ExifBlock(written_block(encode(codec, image))).has_thumbnail());
}

TEST(ExifThumbnail, IsOfPixelsSoNoBlocksAreTaken) {
  MemorySink sink;
  Image image = picture(64, 48);
  EXPECT_FALSE(jpeg_codec().encoder({{image.spec(), {}}}, sink)->block_layout().has_value());
  image.editable_spec().metadata.clear();
  EXPECT_TRUE(jpeg_codec().encoder({{image.spec(), {}}}, sink)->block_layout().has_value());
}

// Other data in the block leaves little or no space for it.
TEST(ExifThumbnail, FitsIntoWhatRoomASegmentHas) {
  Image image = noise(400, 300, 3, PixelType::u8);
  for (const std::size_t taken : {40000u, 57000u, 60000u, 62500u, 64000u, 65400u, 70000u}) {
    ExifBlock block(block_with_thumbnail());
    block.set(ExifDirectory::camera, 0x927c, TiffType::undefined, Blob(taken, std::byte{7}));
    image.editable_spec().metadata[exif_key] = block.bytes();
    const Bytes file = encode(jpeg_codec(), image);
    const Blob written = written_block(file);
    EXPECT_LE(written.size(), 65527u);
    // The largest data does not fit itself, so there is enough space for the thumbnail again.
    if (taken < 63000 || taken == 70000)
      expect_shows(written, image, 25);  // noise loses much
    else
      EXPECT_FALSE(ExifBlock(written).has_thumbnail()) << taken;
  }
}

TEST(ExifThumbnail, WithoutCompressionBecomesAJpegAndNothingOfItStays) {
  ExifBlock block(block_with_thumbnail(300));
  Blob bytes = block.bytes();
  const auto place = static_cast<std::size_t>(block.thumbnail().data() - block.bytes().data());
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(place), 300, std::byte{0xee});
  // The two tags of the thumbnail become those of a strip.
  for (std::size_t i = place - 100; i < place; ++i) {
    const std::uint64_t tag = number_at(bytes, i, 2, false),
                        type = number_at(bytes, i + 2, 2, false);
    if ((tag == 0x0201 || tag == 0x0202) && type == 4)
      put_number(std::span(bytes).subspan(i, 2), tag == 0x0201 ? 0x0111 : 0x0117, false);
  }
  const ExifBlock strip(bytes);
  ASSERT_EQ(strip.thumbnail().size(), 300u);
  Image image = picture(64, 48);
  image.editable_spec().metadata[exif_key] = bytes;
  const Blob written = written_block(encode(png_codec(), image));
  expect_shows(written, image);
  EXPECT_EQ(text_of_bytes(written).find("\xee\xee\xee\xee"), std::string_view::npos);
}

TEST(ExifThumbnail, OfADamagedBlockDoesNoHarm) {
  Image image = picture(48, 32);
  const Blob whole = block_with_thumbnail(60);
  const auto expect_written = [&](const Blob& block) {
    image.editable_spec().metadata[exif_key] = block;
    const Blob written = written_block(encode(png_codec(), image));
    if (!written.empty() && ExifBlock(written).has_thumbnail()) expect_shows(written, image);
    public_exif(ExifBlock(block));
  };
  for (std::size_t length = 0; length <= whole.size(); ++length)
    expect_written(Blob(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
  for (std::size_t i = 0; i < whole.size() - 60; ++i)
    for (const int value : {0, 1, 8, 0x7f, 0xff}) {
      Blob changed = whole;
      changed[i] = static_cast<std::byte>(value);
      expect_written(changed);
    }
}

// A thumbnail that overlaps the data of the first directory does not count.
TEST(ExifThumbnail, DoesNotTakeOtherEntriesAlong) {
  ExifBlock block(block_with_thumbnail(60));
  const std::size_t maker = text_of_bytes(block.bytes()).find("Maker");
  Blob bytes = block.bytes();
  const std::size_t size_entry = text_of_bytes(bytes).find(std::string("\x01\x02\x04\0", 4));
  ASSERT_NE(size_entry, std::string_view::npos);
  put_number(std::span(bytes).subspan(size_entry + 8, 4), maker, false);
  EXPECT_FALSE(ExifBlock(bytes).has_thumbnail());
  ExifBlock dropped(bytes);
  dropped.drop_thumbnail();
  EXPECT_EQ(ExifBlock::text(dropped.find(first, 0x010f).value()), "Maker");
}

std::vector<std::byte> preview_of(const Bytes& file, int part, ThumbnailSize& size) {
  ExrInput input(ByteSource::from_memory(file, "test"));
  const Imf::MultiPartInputFile exr(input);
  const Imf::Header& header = exr.header(part);
  if (!header.hasPreviewImage()) return {};
  const Imf::PreviewImage& preview = header.previewImage();
  size = {static_cast<int>(preview.width()), static_cast<int>(preview.height())};
  std::vector<std::byte> bytes;
  for (int i = 0; i < size.width * size.height; ++i) {
    const Imf::PreviewRgba& pixel = preview.pixels()[i];
    for (const unsigned char value : {pixel.r, pixel.g, pixel.b, pixel.a})
      bytes.push_back(static_cast<std::byte>(value));
  }
  return bytes;
}

TEST(ExrPreview, ShowsTheOutputInItsOldLength) {
  for (const std::string compression : {"zip", "piz"})
    for (const bool has_tiles : {false, true}) {
      Image image = picture(500, 250, PixelType::f32);
      FileStorage& storage = image.editable_spec().storage;
      storage.preview_side = 100;
      if (has_tiles) storage.tile_width = storage.tile_height = 64;
      const Bytes file = encode(exr_codec(), image, {.compression = compression});
      ThumbnailSize size;
      EXPECT_EQ(preview_of(file, 0, size), expected_rgba(image, {100, 50}));
      EXPECT_EQ(size.width, 100);
      EXPECT_EQ(size.height, 50);
      const Image back = decode(exr_codec(), file);
      EXPECT_EQ(back.spec().storage.preview_side, 100);
      expect_same_pixels(back, image);
    }
}

TEST(ExrPreview, IsEachPartsOwn) {
  std::vector<Image> parts;
  for (const auto& [width, height] :
       std::vector<std::pair<int, int>>{{90, 60}, {60, 120}, {50, 50}})
    parts.push_back(picture(width, height, PixelType::f32));
  parts[0].editable_spec().storage.preview_side = 30;
  parts[2].editable_spec().storage.preview_side = 20;
  parts[0].editable_spec().pixel_aspect = 0.5f;  // all parts get this
  parts[1].editable_spec().metadata.clear();
  MemorySink sink;
  std::vector<PartToWrite> to_write;
  for (const Image& part : parts) to_write.push_back({part.spec(), {}});
  const auto encoder = exr_codec().encoder(std::move(to_write), sink);
  for (const Image& part : parts) {
    RowProgress ready;
    ready.finish();
    encoder->write(part, ready);
  }
  encoder->finish();
  ThumbnailSize size;
  EXPECT_EQ(preview_of(sink.bytes(), 0, size), expected_rgba(parts[0], {23, 30}));
  EXPECT_TRUE(preview_of(sink.bytes(), 1, size).empty());
  EXPECT_EQ(preview_of(sink.bytes(), 2, size), expected_rgba(parts[2], {10, 20}));
  for (int part = 0; part < 3; ++part) {
    DecodeOptions options;
    options.part.text = std::to_string(part);
    const Image back = decode(exr_codec(), sink.bytes(), options);
    expect_same_pixels(back, parts[static_cast<std::size_t>(part)]);
    const Blob* block = find_entry<Blob>(back.spec().metadata, exif_key);
    ASSERT_EQ(block != nullptr, part != 1);
    if (block != nullptr) expect_shows(*block, parts[static_cast<std::size_t>(part)]);
  }
}

}  // namespace
}  // namespace cuimg::test
