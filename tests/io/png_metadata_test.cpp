// SPDX-License-Identifier: Apache-2.0
// PNG: EXIF's orientation wherever the chunk is, and notes on omissions from a file.
#include <zlib.h>

#include <algorithm>

#include "io/made_tiff.h"
#include "io/png/png_metadata.h"
#include "io/tags/exif.h"
#include "io/tags/exif_block.h"

namespace cuimg::test {
namespace {

Bytes chunk(const std::string& name, const Bytes& data) {
  Bytes bytes, checked = bytes_of_text(name) + data;
  append_number(bytes, data.size(), 4, true);
  append_bytes(bytes, checked);
  const auto* begin = reinterpret_cast<const Bytef*>(checked.data());
  append_number(bytes, crc32(0, begin, static_cast<uInt>(checked.size())), 4, true);
  return bytes;
}

Bytes deflated(const Bytes& bytes) {
  Bytes packed(compressBound(static_cast<uLong>(bytes.size())));
  auto size = static_cast<uLongf>(packed.size());
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()));
  packed.resize(size);
  return packed;
}

Bytes numbers(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

struct Chunks {
  Bytes before, behind;  // relative to the pixels
};
// Grey, 3x2: 1 2 3, 4 5 6.
Bytes grey_png(const Chunks& others, bool interlaced = false) {
  const Bytes header = numbers({0, 0, 0, 3, 0, 0, 0, 2, 8, 0, 0, 0, interlaced ? 1 : 0});
  const Bytes rows = interlaced ? numbers({0, 1, 0, 3, 0, 2, 0, 4, 5, 6})  // passes 1, 4, 6 and 7
                                : numbers({0, 1, 2, 3, 0, 4, 5, 6});
  return numbers({0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}) + chunk("IHDR", header) +
         others.before + chunk("IDAT", deflated(rows)) + others.behind + chunk("IEND", {});
}

Bytes exif_chunk(int orientation, TiffType type = TiffType::u16) {
  ExifBlock block;
  block.set_numbers(ExifDirectory::primary, 0x0112, type,
                    {static_cast<std::uint32_t>(orientation)});
  return chunk("eXIf", block.bytes());
}

std::vector<std::string> notes_on(const Bytes& png) {
  std::vector<std::string> notes;
  DecodeOptions options;
  options.notify = [&](const std::string& note) { notes.push_back(note); };
  decode(png_codec(), png, options);
  return notes;
}

bool says(const std::vector<std::string>& notes, const std::string& text) {
  return std::ranges::any_of(
      notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

TEST(PngMetadata, WhatComesBehindTheEndIsNotRead) {
  const Bytes png = grey_png({{}, {}});
  EXPECT_EQ(decode(png_codec(), png + exif_chunk(6)).spec().data_window,
            decode(png_codec(), png).spec().data_window);
}

TEST(PngMetadata, ExifTurnsThePictureBeforeAndBehindThePixels) {
  const std::vector<int> upright[8] = {{1, 2, 3, 4, 5, 6}, {3, 2, 1, 6, 5, 4}, {6, 5, 4, 3, 2, 1},
                                       {4, 5, 6, 1, 2, 3}, {1, 4, 2, 5, 3, 6}, {4, 1, 5, 2, 6, 3},
                                       {6, 3, 5, 2, 4, 1}, {3, 6, 2, 5, 1, 4}};
  for (int orientation = 1; orientation <= 8; ++orientation)
    for (const bool interlaced : {false, true})
      for (const bool raw : {false, true}) {
        const Bytes exif = exif_chunk(orientation);
        for (const Chunks& chunks : {Chunks{exif, {}}, Chunks{{}, exif}}) {
          const Image image = decode(png_codec(), grey_png(chunks, interlaced), {.raw = raw});
          EXPECT_EQ(image.spec().data_window.width, orientation >= 5 ? 2 : 3);
          EXPECT_EQ(values(image), upright[orientation - 1]) << orientation << interlaced << raw;
        }
      }
}

TEST(PngMetadata, AnOrientationOfAnyIntegerTypeTurnsAndIsWrittenAsAShort) {
  for (const TiffType type :
       {TiffType::byte, TiffType::u16, TiffType::u32, TiffType::s16, TiffType::s32}) {
    SCOPED_TRACE(static_cast<int>(type));
    const Image turned = decode(png_codec(), grey_png({exif_chunk(6, type), {}}));
    EXPECT_EQ(values(turned), (std::vector<int>{4, 1, 5, 2, 6, 3}));
    const ExifBlock written(exif_to_write(turned.spec(), 60000, false));
    const auto entry = written.find(ExifDirectory::primary, 0x0112);
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->type, static_cast<std::uint16_t>(TiffType::u16));
    EXPECT_EQ(written.numbers(*entry), std::vector<double>{1});
  }
  for (const int unknown : {0, 9, 70000})
    EXPECT_EQ(values(decode(png_codec(), grey_png({exif_chunk(unknown, TiffType::u32), {}}))),
              (std::vector<int>{1, 2, 3, 4, 5, 6}));
}

TEST(PngMetadata, TurnedPixelsAreAsDenseAsTheyLookedBefore) {
  const Bytes density = chunk("pHYs", numbers({0, 0, 0, 100, 0, 0, 0, 200, 1}));
  const Spec flat = decode(png_codec(), grey_png({density, {}})).spec();
  EXPECT_EQ(flat.pixel_aspect, 2.0f);
  const Spec turned = decode(png_codec(), grey_png({density, exif_chunk(6)})).spec();
  EXPECT_EQ(turned.pixel_aspect, 0.5f);
  EXPECT_EQ(turned.metadata.at("xDensity"), MetadataValue(200 * 0.0254));
}

TEST(PngMetadata, TurnedFilesWithChangedBytesDoNoHarm) {
  for (const bool interlaced : {false, true})
    expect_no_crash_on_changed_bytes(png_codec(), grey_png({exif_chunk(6), {}}, interlaced), 200);
}

TEST(PngMetadata, SaysWhatItLeavesOut) {
  const auto text = [](const std::string& key, const std::string& value) {
    return chunk("tEXt", bytes_of_text(key + '\0' + value));
  };
  const Bytes title = text("Title", "one"), other = text("Title", "two");
  EXPECT_EQ(notes_on(grey_png({title + title, title})), std::vector<std::string>{});
  EXPECT_TRUE(
      says(notes_on(grey_png({title, other})), "of several texts 'Title' the last is kept"));
  EXPECT_EQ(decode(png_codec(), grey_png({title, other})).spec().metadata.at("Title"),
            MetadataValue(std::string("two")));
  for (const std::string name : {"tIME", "caBX", "prIv"})
    EXPECT_TRUE(says(notes_on(grey_png({chunk(name, Bytes(8)), {}})), name + " is left out"));
}

TEST(PngMetadata, KeepsTheGradingDisplayAndTheContentsLight) {
  Bytes display, light;
  for (const int x : {35400, 14600, 8500, 39850, 6550, 2300, 15635, 16450})
    append_number(display, static_cast<std::uint64_t>(x), 2, true);
  for (const std::uint64_t luminance : {10000000, 1}) append_number(display, luminance, 4, true);
  for (const std::uint64_t luminance : {9876543, 0}) append_number(light, luminance, 4, true);
  const Bytes png = grey_png({chunk("mDCV", display), chunk("cLLI", light)});
  EXPECT_EQ(notes_on(png), std::vector<std::string>{});
  const Image image = decode(png_codec(), png);
  using Numbers = std::vector<double>;
  const Metadata& read = image.spec().metadata;
  EXPECT_EQ(read.at("mDCV"), MetadataValue(Numbers{0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127,
                                                   0.329, 1000, 0.0001}));
  EXPECT_EQ(read.at("cLLI"), MetadataValue(Numbers{987.6543, 0}));
  const Bytes written = encode(png_codec(), image);
  const auto has = [&](const Bytes& part) { return !std::ranges::search(written, part).empty(); };
  EXPECT_TRUE(has(chunk("mDCV", display)));
  EXPECT_TRUE(has(chunk("cLLI", light)));
  for (const std::string name : {"mDCV", "cLLI"})
    EXPECT_TRUE(says(notes_on(grey_png({chunk(name, Bytes(7)), {}})), name + " is left out"));
  EXPECT_FALSE(png_keeps("cLLI", MetadataValue(Numbers{1, 2, 3})));
  EXPECT_FALSE(png_keeps("cLLI", MetadataValue(Numbers{-1, 2})));
}

TEST(PngMetadata, SaysWhatItCannotRead) {
  EXPECT_TRUE(
      says(notes_on(grey_png({chunk("eXIf", bytes_of_text("garbage")), {}})), "EXIF is left out"));
  EXPECT_EQ(notes_on(grey_png({exif_chunk(6), {}})), std::vector<std::string>{});
  const Bytes packed = deflated(bytes_of_text("a text")),
              head = bytes_of_text(std::string("Title\0\0", 7));
  EXPECT_EQ(notes_on(grey_png({chunk("zTXt", head + packed), {}})), std::vector<std::string>{});
  const Bytes half(packed.begin(), packed.begin() + 5);
  EXPECT_TRUE(says(notes_on(grey_png({chunk("zTXt", head + half), {}})), "a text is left out"));
  const Bytes large(most_in_png_chunk, std::byte{'x'});
  EXPECT_TRUE(says(notes_on(grey_png({chunk("tEXt", head + large), {}})),
                   "a chunk tEXt is left out, which is larger than 32 MB"));
}

// PNG's standard, 11.3.3.4: the text of iTXt is UTF-8. That of tEXt is ISO 8859-1.
TEST(PngMetadata, WritesTextsThatAreNotUtf8AsPlainOnes) {
  Image image(flat_spec(1, 1, 1, PixelType::u8, srgb_straight()));
  const std::string utf16("\xff\xfe<\0x\0>\0", 8);
  image.editable_spec().metadata = {{"comments", std::string("caf\xe9")},
                                    {"Title", std::string("caf\xc3\xa9")},
                                    {"xmp", bytes_of_text(utf16)}};
  const Bytes file = encode(png_codec(), image);
  const std::string text(text_of_bytes(file));
  EXPECT_NE(text.find(std::string("tEXtcomments\0caf\xe9", 17)), std::string::npos);
  EXPECT_NE(text.find(std::string("iTXtTitle\0\0\0\0\0caf\xc3\xa9", 19)), std::string::npos);
  EXPECT_EQ(text.find("XML:com.adobe.xmp"), std::string::npos);
  const Metadata read = decode(png_codec(), file).spec().metadata;
  EXPECT_EQ(read.at("comments"), MetadataValue(std::string("caf\xc3\xa9")));
  EXPECT_EQ(read.at("Title"), MetadataValue(std::string("caf\xc3\xa9")));
  EXPECT_EQ(read.at("xmp"), MetadataValue(bytes_of_text(utf16)));
  EXPECT_FALSE(png_keeps("xmp", Blob(most_in_png_digits, std::byte{0xff})));
}

TEST(PngMetadata, KeepsWhatItWrites) {
  for (const char* key : {"xmp", "exif"}) {
    EXPECT_TRUE(png_keeps(key, Blob(std::size_t{5} << 20))) << key;
    EXPECT_TRUE(png_keeps(key, Blob(most_in_png_packet))) << key;
    EXPECT_FALSE(png_keeps(key, Blob(most_in_png_packet + 1))) << key;
  }
  EXPECT_FALSE(png_keeps("iptc", Blob(std::size_t{5} << 20)));
  for (const std::size_t size :
       {std::size_t{5} << 20, most_in_png_packet, most_in_png_packet + 1}) {
    Image image(flat_spec(1, 1, 1, PixelType::u8, srgb_straight()));
    const Blob packet(size, std::byte{'x'});
    image.editable_spec().metadata["xmp"] = packet;
    const Metadata read = decode(png_codec(), encode(png_codec(), image)).spec().metadata;
    EXPECT_EQ(read.contains("xmp"), png_keeps("xmp", packet)) << size;
  }
}

TEST(PngMetadata, ProfilesThatLibpngRefusesAreNoted) {
  const auto profile = [](const Bytes& bytes) {
    return chunk("iCCP", bytes_of_text(std::string("ICC\0\0", 5)) + deflated(bytes));
  };
  Bytes rgb(400);
  for (std::size_t i = 132; i < rgb.size(); ++i) rgb[i] = static_cast<std::byte>(i * i * 7);
  put_number(std::span(rgb).first(4), rgb.size(), true);
  std::ranges::copy(bytes_of_text("mntrRGB XYZ "), rgb.begin() + 12);
  std::ranges::copy(bytes_of_text("acsp"), rgb.begin() + 36);
  EXPECT_TRUE(says(notes_on(grey_png({profile(Bytes(200, std::byte{'j'})), {}})),
                   "ICC profile is malformed; sRGB is assumed"));
  EXPECT_TRUE(says(notes_on(grey_png({profile(rgb), {}})),
                   "ICC profile is for another kind of pixels; sRGB is assumed"));
}

}  // namespace
}  // namespace cuimg::test
