// SPDX-License-Identifier: Apache-2.0
// Entries of EXIF's first directory in TIFF files, which are in the file's own first directory.
#include <algorithm>

#include "io/made_tiff.h"
#include "io/tags/exif_block.h"
#include "io/tags/exif_listing.h"
#include "io/tags/iptc.h"
#include "io/tags/tiff_tags.h"
#include "io/tiff/tiff_fields.h"
#include "io/tiff/tiff_handle.h"
#include "io/tiff/tiff_metadata.h"

namespace cuimg::test {
namespace {

constexpr ExifDirectory first = ExifDirectory::primary;

Image picture_with(const ExifBlock& exif) {
  Image image = noise(4, 3, 3, PixelType::u8);
  image.editable_spec().metadata["exif"] = exif.bytes();
  return image;
}

Metadata entries_of(const Image& image) {
  const auto* block = find_entry<Blob>(image.spec().metadata, "exif");
  return block == nullptr ? Metadata() : exif_listing(ExifBlock(*block));
}

struct Read {
  Image image;
  std::vector<std::string> notes;
};
Read read_of(const Bytes& tiff) {
  std::vector<std::string> notes;
  DecodeOptions options;
  options.notify = [&](const std::string& note) { notes.push_back(note); };
  Image image = decode(tiff_codec(), tiff, options);
  return {std::move(image), notes};
}

TEST(TiffMetadata, IptcWhoseBytesAreSwappedIsRead) {
  Blob records = bytes_of_text(std::string("\x1c\x02\x69\0\x05Waves\0\0", 12));
  for (std::size_t at = 0; at < records.size(); at += 4)
    std::reverse(&records[at], &records[at] + 4);
  const TIFFFieldInfo as_bytes[] = {{TIFFTAG_RICHTIFFIPTC, TIFF_VARIABLE2, TIFF_VARIABLE2,
                                     TIFF_UNDEFINED, FIELD_CUSTOM, 1, 1,
                                     const_cast<char*>("RichTIFFIPTC")}};
  const Image image =
      read_of(made([&](TIFF* t) {
        TIFFMergeFieldInfo(t, as_bytes, 1);
        describe(t, 1, 1, 8, 1, PHOTOMETRIC_MINISBLACK);
        // The tag holds numbers or bytes, depending on libtiff's version.
        const TIFFField* field = TIFFFieldWithTag(t, TIFFTAG_RICHTIFFIPTC);
        const std::size_t each = TIFFFieldDataType(field) == TIFF_LONG ? 4 : 1;
        TIFFSetField(t, TIFFTAG_RICHTIFFIPTC, static_cast<std::uint32_t>(records.size() / each),
                     records.data());
        write_rows(t, {{1}});
      })).image;
  ASSERT_TRUE(image.spec().metadata.contains("iptc"));
  EXPECT_EQ(iptc_listing(std::get<Blob>(image.spec().metadata.at("iptc"))),
            (Metadata{{"Headline", std::string("Waves")}}));
}

TEST(TiffMetadata, EntriesOfEveryTypeStayWithoutAWarning) {
  ExifBlock exif;
  exif.set_text(first, 0x000b, "a program");                             // ProcessingSoftware
  exif.set_numbers(first, 0x9211, TiffType::u32, {70000});               // ImageNumber
  exif.set_text(first, 0xc614, "a model");                               // UniqueCameraModel
  exif.set_text(first, 0xc62f, "SN-1");                                  // CameraSerialNumber
  exif.set_text(first, 0xc615, "a model's local name");                  // bytes to libtiff
  exif.set(first, 0xc6d2, TiffType::undefined, bytes_of_text("title"));  // PanasonicTitle
  exif.set_numbers(first, 0x013e, TiffType::rational, {5, 16, 3, 8});    // WhitePoint
  exif.set_numbers(first, 0x011e, TiffType::rational, {3, 2});           // XPosition
  exif.set_numbers(first, 0x5012, TiffType::u16, {1, 2});
  exif.set(first, 0xea1c, TiffType::undefined, Blob(70));  // Padding
  exif.set_numbers(first, 0xfff0, TiffType::s32, {0xfffffffe});
  exif.set_numbers(first, 0xfff1, TiffType::srational, {0xffffffff, 4});
  Metadata expected = exif_listing(exif);
  ASSERT_EQ(expected.at("0xfff1"), MetadataValue(-0.25));
  for (const std::string text : {"0xc615", "0xc6d2"})
    EXPECT_TRUE(std::holds_alternative<std::string>(expected.at(text))) << text;

  const Image image = picture_with(exif);
  EXPECT_EQ(tiff_loses(image.spec()), std::vector<std::string>{});
  Read read = read_of(encode(tiff_codec(), image));
  for (int i = 0; i < 2; ++i) {
    const Metadata entries = entries_of(read.image);
    for (const auto& [name, value] : expected) EXPECT_EQ(entries.at(name), value) << name;
    EXPECT_EQ(read.notes, std::vector<std::string>{});
    read = read_of(encode(tiff_codec(), read.image));
  }
}

// A tag that libtiff does not know may have a different type on each page.
TEST(TiffMetadata, EveryPageKeepsItsOwnEntries) {
  ExifBlock one, two;
  one.set_numbers(first, 0x5012, TiffType::u16, {1, 2});
  two.set_text(first, 0x5012, "a text");
  const Image pages[] = {picture_with(one), picture_with(two)};
  MemorySink sink;
  const auto encoder =
      tiff_codec().encoder({{pages[0].spec(), {"lzw", {}}}, {pages[1].spec(), {"lzw", {}}}}, sink);
  RowProgress ready;
  ready.finish();
  for (const Image& page : pages) encoder->write(page, ready);
  encoder->finish();
  EXPECT_EQ(entries_of(decode(tiff_codec(), sink.bytes(), {.part = 0})), exif_listing(one));
  EXPECT_EQ(entries_of(decode(tiff_codec(), sink.bytes(), {.part = 1})), exif_listing(two));
}

TEST(TiffMetadata, OfManyThousandEntriesTheFirstAreKept) {
  ExifTree tree;
  for (int tag = 0xd000; tag < 0xffff; ++tag)
    tree.primary.push_back({static_cast<std::uint16_t>(tag), 3, 1, Blob(2)});
  const Image image = picture_with(ExifBlock(exif_block_of(tree)));
  EXPECT_EQ(entries_of(decode(tiff_codec(), encode(tiff_codec(), image))).size(), 500u);
  EXPECT_EQ(tiff_loses(image.spec()).size(), tree.primary.size() - 500);
}

TEST(TiffMetadata, WhatHoldsForOtherPixelsIsNamed) {
  ExifBlock exif;
  exif.set_numbers(first, 0x013e, TiffType::rational, {31, 100, 33, 100});
  exif.set_numbers(first, 0x013f, TiffType::rational, {6, 10, 3, 10, 3, 10, 6, 10, 1, 10, 1, 10});
  exif.set_numbers(first, 0x0211, TiffType::rational, {3, 10, 6, 10, 1, 10});
  exif.set_numbers(first, 0x9211, TiffType::rational, {1, 0});  // libtiff cannot store this number
  exif.set_numbers(first, 0x0112, TiffType::u16, {1});
  const Image image = picture_with(exif);
  const std::vector<std::string> lost = tiff_loses(image.spec());
  EXPECT_EQ(lost.size(), 4u);
  for (const char* name :
       {"WhitePoint of exif", "PrimaryChromaticities of exif", "YCbCrCoefficients of exif"})
    EXPECT_EQ(std::ranges::count(lost, name), 1) << name;
  // The profile's colours differ from those of the file's pixels.
  EXPECT_EQ(decode(tiff_codec(), encode(tiff_codec(), image)).spec().color.primaries,
            image.spec().color.primaries);
}

TEST(TiffMetadata, ReadingSaysWhatIsLeftOut) {
  const Read read = read_of(made([](TIFF* t) {
    describe(t, 3, 2, 8, 1, PHOTOMETRIC_MINISBLACK);
    std::vector<std::uint16_t> curve(256);
    TIFFSetField(t, TIFFTAG_TRANSFERFUNCTION, curve.data());
    float white[] = {0.3125f, 0.375f};
    TIFFSetField(t, TIFFTAG_WHITEPOINT, white);
    write_rows(t, {{1, 2, 3}, {4, 5, 6}});
  }));
  EXPECT_EQ(read.notes, std::vector<std::string>{"test: TransferFunction is left out"});
  EXPECT_EQ(entries_of(read.image), (Metadata{{"WhitePoint", std::vector<double>{0.3125, 0.375}}}));
}

// libtiff trusts the arguments of TIFFSetField(), so they must fit any tag of any type.
TEST(TiffMetadata, AnyTagOfAnyTypeIsWrittenOrLeftOut) {
  for (const std::size_t count : {1u, 2u, 9u}) {
    MemorySink sink;
    TiffHandle tiff(sink, "wl");
    ExifTree tree;
    for (int tag = 0; tag < 65536; ++tag) {
      const auto number = static_cast<std::uint16_t>(tag);
      if (subject_of_tiff_tag(number) != TiffSubject::picture) continue;
      const TIFFField* const known = TIFFFindField(tiff.get(), number, TIFF_ANY);
      if (known == nullptr && tag % 4096 != 0) continue;
      for (std::uint16_t type = 0; type <= 18; ++type)
        set_tiff_field(tiff.get(),
                       {number, type, count, Blob(count * tiff_value_bytes(type), std::byte{65})},
                       false);
    }
    EXPECT_NO_THROW(tiff.check(true, ""));
  }
}

}  // namespace
}  // namespace cuimg::test
