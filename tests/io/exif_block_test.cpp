// SPDX-License-Identifier: Apache-2.0
// Changes to an EXIF block: only the requested entries change, and everything else keeps its
// position.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/digest/md5.h"
#include "io/tags/exif.h"
#include "io/tags/exif_block.h"
#include "io/tags/exif_listing.h"
#include "io/tags/exif_tree.h"
#include "io/tags/xmp.h"
#include "io/tags/xmp_extension.h"

namespace cuimg::test {
namespace {

constexpr ExifDirectory first = ExifDirectory::primary, camera = ExifDirectory::camera;

// A camera's block in either byte order: a maker note whose bytes must not move, and a thumbnail at
// the end.
struct CameraBlock {
  Blob bytes;
  std::size_t note_at = 0;
};
CameraBlock camera_block(bool big_endian) {
  ExifTree tree;
  tree.big_endian = big_endian;
  const auto number = [&](std::uint16_t tag, std::uint32_t value) {
    ExifField field{tag, 3, 1, Blob(2)};
    put_number(field.value, value, big_endian);
    return field;
  };
  tree.primary = {number(0x0112, 6), {0x010f, 2, 6, bytes_of_text(std::string("Maker\0", 6))}};
  Blob note = bytes_of_text("a maker note of 40 bytes, with its places");
  tree.camera = {number(0xa002, 640), number(0xa003, 480), {0x927c, 7, note.size(), note}};
  tree.gps = {{1, 2, 2, bytes_of_text(std::string("S\0", 2))}};
  Blob bytes = exif_block_of(tree);
  // A second directory with a thumbnail of 4 bytes.
  ExifBlock block(bytes);
  const auto put = [&](std::size_t at, std::size_t count, std::uint64_t value) {
    put_number(std::span(bytes).subspan(at, count), value, big_endian);
  };
  const std::size_t second = bytes.size() + bytes.size() % 2, thumbnail = second + 2 + 24 + 4;
  const std::size_t link = static_cast<std::size_t>(number_at(bytes, 4, 4, big_endian)) + 2 +
                           12 * block.entries(first).size();
  bytes.resize(thumbnail + 4, std::byte{0xee});
  put(link, 4, second);
  put(second, 2, 2);
  put(second + 2, 4, big_endian ? 0x02010004 : 0x00040201);
  put(second + 6, 4, 1);
  put(second + 10, 4, thumbnail);
  put(second + 14, 4, big_endian ? 0x02020004 : 0x00040202);
  put(second + 18, 4, 1);
  put(second + 22, 4, 4);
  put(second + 26, 4, 0);
  const std::string_view text = text_of_bytes(bytes);
  return {bytes, text.find("a maker note")};
}

Spec picture(Metadata metadata) {
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, 33, 44};
  spec.metadata = std::move(metadata);
  return spec;
}

TEST(ExifBlock, IsWrittenUprightWithTheSizeAndWithoutTheThumbnail) {
  for (const bool big_endian : {false, true}) {
    const CameraBlock made = camera_block(big_endian);
    Metadata metadata;
    EXPECT_EQ(take_exif(made.bytes, metadata).exif, 6);
    EXPECT_EQ(metadata.at("cameraMake"), MetadataValue(std::string("Maker")));
    const Blob written = exif_to_write(picture(metadata), 65000, true);
    const ExifBlock block(written);
    EXPECT_EQ(block.numbers(*block.find(first, 0x0112)), std::vector<double>{1});
    EXPECT_EQ(block.numbers(*block.find(camera, 0xa002)), std::vector<double>{33});
    EXPECT_EQ(block.numbers(*block.find(camera, 0xa003)), std::vector<double>{44});
    EXPECT_EQ(text_of_bytes(written).find("a maker note"), made.note_at);
    EXPECT_EQ(text_of_bytes(written).find('\xee'), std::string_view::npos);
    EXPECT_LT(written.size(), made.bytes.size());
  }
}

TEST(ExifBlock, TakesNewTextsAndKeepsMakerNotesInPlace) {
  for (const bool big_endian : {false, true}) {
    const CameraBlock made = camera_block(big_endian);
    Metadata metadata;
    take_exif(made.bytes, metadata);
    metadata["cameraMake"] = std::string("A maker with a longer name");
    metadata["Author"] = std::string("somebody");
    const Blob written = exif_to_write(picture(metadata), 65000, true);
    const Exif read = read_exif(written);
    EXPECT_EQ(read.texts.at("cameraMake"), metadata.at("cameraMake"));
    EXPECT_EQ(read.texts.at("Author"), metadata.at("Author"));
    EXPECT_EQ(text_of_bytes(written).find("a maker note"), made.note_at);
    metadata.erase("cameraMake");
    metadata.erase("Author");
    EXPECT_TRUE(read_exif(exif_to_write(picture(metadata), 65000, true)).texts.empty());
  }
}

TEST(ExifBlock, SetsEntriesByName) {
  for (const bool big_endian : {false, true}) {
    ExifBlock block(camera_block(big_endian).bytes);
    EXPECT_EQ(set_exif(block, "FNumber", "2.8"), "");
    EXPECT_EQ(set_exif(block, "ExposureTime", "1/250"), "");
    EXPECT_EQ(set_exif(block, "LensModel", "50"), "");
    EXPECT_EQ(set_exif(block, "ISOSpeedRatings", "400"), "");
    EXPECT_EQ(set_exif(block, "UserComment", "words"), "");
    EXPECT_EQ(set_exif(block, "GPSLatitude", "-33.5"), "");
    EXPECT_EQ(set_exif(block, "GPSLongitude", "151.25"), "");
    EXPECT_EQ(set_exif(block, "GPSAltitude", "-3.5"), "");
    const Metadata listing = exif_listing(block);
    EXPECT_EQ(listing.at("FNumber"), MetadataValue(2.8));
    EXPECT_EQ(listing.at("ExposureTime"), MetadataValue(0.004));
    EXPECT_EQ(listing.at("LensModel"), MetadataValue(std::string("50")));
    EXPECT_EQ(listing.at("ISOSpeedRatings"), MetadataValue(std::int64_t{400}));
    EXPECT_EQ(listing.at("UserComment"), MetadataValue(std::string("words")));
    EXPECT_EQ(listing.at("GPSLatitude"), MetadataValue(-33.5));
    EXPECT_EQ(listing.at("GPSLongitude"), MetadataValue(151.25));
    EXPECT_EQ(listing.at("GPSAltitude"), MetadataValue(-3.5));
    EXPECT_EQ(set_exif(block, "GPSLatitude", ""), "");
    EXPECT_EQ(exif_listing(block).count("GPSLatitude"), 0u);
    for (const auto& [name, text] :
         std::vector<std::pair<std::string, std::string>>{{"GPSLatitude", "91"},
                                                          {"GPSLatitude", "north"},
                                                          {"Orientation", "3"},
                                                          {"FNumber", "big"},
                                                          {"FNumber", "-1"},
                                                          {"ISOSpeedRatings", "70000"},
                                                          {"NoSuchName", "text"},
                                                          {"MakerNote", "text"},
                                                          {"PixelXDimension", "5"}})
      EXPECT_NE(set_exif(block, name, text), "") << name;
  }
}

TEST(ExifBlock, ForThePublicHoldsNoPlaceNoteOrName) {
  ExifBlock block(camera_block(true).bytes);
  set_exif(block, "BodySerialNumber", "SN-12345");
  set_exif(block, "CameraOwnerName", "Somebody");
  set_exif(block, "FNumber", "4");
  set_exif(block, "GPSLatitude", "12");
  const Blob open = public_exif(block);
  for (const std::string text : {"SN-12345", "Somebody", "a maker note", "S\0\0\0"})
    EXPECT_EQ(text_of_bytes(open).find(text), std::string_view::npos) << text;
  const ExifBlock read(open);
  EXPECT_EQ(exif_listing(read).at("FNumber"), MetadataValue(4.0));
  EXPECT_TRUE(read.entries(ExifDirectory::gps).empty());
}

TEST(ExifBlock, ForThePublicHoldsOnlyEntriesOfExif) {
  ExifBlock block(camera_block(false).bytes);
  const auto add = [&](ExifDirectory directory, std::uint16_t tag) {
    block.set(directory, tag, TiffType::undefined, bytes_of_text("block of other kind"));
  };
  // PrintIM, Microsoft's padding, an ICC profile, directories of raw pixels, a time zone.
  for (const std::uint16_t tag : {0xc4a5, 0xea1c, 0x8773, 0x014a, 0x882a}) {
    add(first, tag);
    add(camera, tag);
  }
  set_exif(block, "LensModel", "50 mm");
  const Blob open = public_exif(block);
  EXPECT_EQ(text_of_bytes(open).find("other kind"), std::string_view::npos);
  EXPECT_EQ(exif_listing(ExifBlock(open)).at("LensModel"), MetadataValue(std::string("50 mm")));
  EXPECT_FALSE(is_public_exif_name("PrintImageMatching"));
  EXPECT_TRUE(is_public_exif_name("CFAPattern"));
}

TEST(ExifBlock, FitsIntoTheRoomThereIs) {
  ExifBlock block(camera_block(false).bytes);
  block.set(camera, 0x927c, TiffType::undefined, Blob(70000));
  set_exif(block, "FNumber", "4");
  const Blob written = exif_to_write(picture({{"exif", block.bytes()}}), 65000, true);
  EXPECT_LE(written.size(), 65000u);
  EXPECT_EQ(exif_listing(ExifBlock(written)).at("FNumber"), MetadataValue(4.0));
}

// The block that fits, and the names of the entries that were left out.
std::pair<Blob, std::vector<std::string>> fitted(const Blob& block, std::size_t most) {
  std::vector<std::string> lost;
  Blob written = exif_to_write(picture({{"exif", block}}), most, true, {}, &lost);
  return {std::move(written), std::move(lost)};
}

TEST(ExifBlock, NamesWhatHasNoRoom) {
  ExifBlock block(camera_block(false).bytes);
  block.set(camera, 0x927c, TiffType::undefined, Blob(40000));
  block.set(camera, 0x9286, TiffType::undefined, Blob(39999));
  block.set_numbers(first, 0x011a, TiffType::rational, {300, 1});
  EXPECT_TRUE(ExifBlock(fitted(block.bytes(), 30000).first).find(first, 0x011a));
  const auto lost_of = [&](std::size_t most) { return fitted(block.bytes(), most).second; };
  EXPECT_TRUE(lost_of(100000).empty());
  EXPECT_EQ(lost_of(65000), std::vector<std::string>{"MakerNote"});
  EXPECT_EQ(lost_of(30000), (std::vector<std::string>{"MakerNote", "UserComment"}));
}

TEST(ExifBlock, OfManyThousandEntriesIsMadeToFitInOneGo) {
  const ExifTree tree{.camera = ExifFields(65000, {0xfff0, 7, 5, Blob(5)})};
  const auto [written, lost] = fitted(exif_block_of(tree), 65000);
  EXPECT_TRUE(written.size() > 64900 && written.size() <= 65000) << written.size();
  EXPECT_EQ(lost.size() + ExifBlock(written).entries(camera).size(), 65000u);
}

TEST(ExifBlock, WithAnyByteChangedIsReadAndWrittenWithoutHarm) {
  const CameraBlock made = camera_block(false);
  for (std::size_t i = 0; i < made.bytes.size(); ++i)
    for (const int value : {0, 1, 0x7f, 0xff}) {
      Blob bytes = made.bytes;
      bytes[i] = static_cast<std::byte>(value);
      Metadata metadata;
      take_exif(bytes, metadata);
      metadata["Author"] = std::string("somebody");
      ExifBlock block(exif_to_write(picture(metadata), 65000, true));
      exif_listing(block);
      set_exif(block, "FNumber", "4");
      public_exif(block);
      bytes.resize(i);
      exif_listing(ExifBlock(bytes));
    }
}

TEST(ExifTree, IsTheSameThroughADirectoryOfATiffFile) {
  for (const bool big : {false, true}) {
    const ExifTree tree = read_exif_tree(camera_block(true).bytes);
    const TiffDirectories made = tiff_directories_of(tree, 16, {.big = big});
    EXPECT_NE(made.camera, 0u);
    EXPECT_NE(made.gps, 0u);
    Blob file(16);
    file[0] = file[1] = std::byte{'I'};
    file[2] = static_cast<std::byte>(big ? 43 : 42);
    file.insert(file.end(), made.bytes.begin(), made.bytes.end());
    constexpr std::uint16_t note = 0x927c;
    const ExifFields fields = read_tiff_fields(file, made.camera, std::span(&note, 1));
    ASSERT_EQ(fields.size(), 1u);
    EXPECT_EQ(text_of_bytes(fields[0].value), "a maker note of 40 bytes, with its places");
  }
}

TEST(ExifTree, AMakerNoteStaysWhereItWas) {
  for (const bool big_endian : {false, true}) {
    const CameraBlock made = camera_block(big_endian);
    ExifTree tree = read_exif_tree(made.bytes);
    ASSERT_NE(note_with_place(tree), nullptr);
    EXPECT_TRUE(needs_byte_order(tree));
    // Before the other data, and after it.
    for (const std::size_t place : {std::size_t{16}, made.note_at, std::size_t{5000}})
      for (const std::size_t words : {0u, 3000u}) {
        ExifTree moved = tree;
        moved.camera[0].place = place;
        if (words > 0) {
          const std::string text(words, 'w');
          moved.primary.push_back({0x010e, 2, words, bytes_of_text(text)});
        }
        const Blob block = exif_block_of(moved);
        EXPECT_EQ(text_of_bytes(block).find("a maker note"), place) << words;
        const ExifTree read = read_exif_tree(block);
        EXPECT_EQ(exif_listing(ExifBlock(block)).at("PixelXDimension"),
                  MetadataValue(std::int64_t{640}));
        EXPECT_EQ(read.gps.size(), 1u);
        EXPECT_EQ(read.primary.size(), moved.primary.size());
      }
    tree.camera[0].place = 70000;
    EXPECT_EQ(note_with_place(tree), nullptr);
    EXPECT_LT(exif_block_of(tree).size(), 1000u);
  }
}

TEST(Xmp, SaysWhatTheOutputIsAndNothingElseOfItChanges) {
  const std::string before =
      "<rdf:Description tiff:Orientation=\"6\" exif:PixelXDimension='4000'>"
      "<tiff:ImageLength>3000</tiff:ImageLength><dc:title>tiff:Orientation</dc:title>";
  const std::string after =
      "<rdf:Description tiff:Orientation=\"6\" exif:PixelXDimension='33'>"
      "<tiff:ImageLength>44</tiff:ImageLength><dc:title>tiff:Orientation</dc:title>";
  const Spec spec = picture({{"xmp", bytes_of_text(before)}});
  EXPECT_EQ(text_of_bytes(xmp_to_write(spec, 65000, XmpForm::split)), after);
  EXPECT_TRUE(xmp_to_write(spec, 20, XmpForm::split).empty());
  for (std::size_t length = 1; length < before.size(); ++length)
    xmp_to_write(picture({{"xmp", bytes_of_text(before.substr(0, length))}}), 65000,
                 XmpForm::split);
}

// A phone's statements about the files after its picture, which an output does not have.
TEST(Xmp, SaysOfColoursWhatExifSays) {
  Metadata metadata = {{"xmp", bytes_of_text("<d exif:ColorSpace=\"65535\" exif:Other=\"1\">")}};
  set_exif_color(metadata, {Curve::srgb, 1.0f, false, {}});
  EXPECT_EQ(metadata.at("xmp"),
            MetadataValue(bytes_of_text("<d exif:ColorSpace=\"1\" exif:Other=\"1\">")));
  set_exif_color(metadata, {Curve::srgb, 1.0f, false, primaries::p3_d65});
  EXPECT_EQ(metadata.at("xmp"),
            MetadataValue(bytes_of_text("<d exif:ColorSpace=\"65535\" exif:Other=\"1\">")));
}

TEST(Xmp, SaysNothingOfFilesThatAreLeftBehind) {
  const std::string head = "<rdf:Description dc:a=\"b\"",
                    directory =
                        "<Container:Directory><rdf:Seq><rdf:li><Container:Item "
                        "Item:Semantic=\"GainMap\"/></rdf:li></rdf:Seq></Container:Directory>",
                    tail = "<dc:title>t</dc:title>";
  const std::string before =
      head + " hdrgm:Version=\"1.0\" GCamera:MotionPhoto='1'>" + directory + tail;
  const Spec spec = picture({{"xmp", bytes_of_text(before)}});
  EXPECT_EQ(text_of_bytes(xmp_to_write(spec, 65000, XmpForm::split)), head + "  >" + tail);
  EXPECT_EQ(appended_files(before), "the gain map and the film");
  EXPECT_EQ(appended_files(head + " GCamera:MotionPhoto=\"0\">"), "");
  EXPECT_EQ(appended_files("<GCamera:MicroVideo>1</GCamera:MicroVideo>"), "the film");
  EXPECT_EQ(appended_files(std::string(text_of_bytes(xmp_to_write(spec, 65000, XmpForm::split)))),
            "");
  for (std::size_t length = 0; length < before.size(); ++length) {
    appended_files(before.substr(0, length));
    xmp_to_write(picture({{"xmp", bytes_of_text(before.substr(0, length))}}), 65000,
                 XmpForm::split);
  }
}

TEST(Xmp, APacketAndItsExtensionBecomeOneWhereTheFormatHasRoom) {
  const std::string head = "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"r\">",
                    tail = "</rdf:RDF></x:xmpmeta>", name = "0123456789ABCDEF0123456789ABCDEF",
                    more =
                        "<rdf:Description rdf:about=\"\" xmlns:a=\"b\"><a:b>c</a:b>"
                        "</rdf:Description>";
  const auto written = [&](const std::string& packet, const std::string& extension, XmpForm form) {
    const Spec spec =
        picture({{"xmp", bytes_of_text(packet)}, {"xmp extension", bytes_of_text(extension)}});
    return std::string(text_of_bytes(xmp_to_write(spec, 65000, form)));
  };
  const std::string attribute = head + "<rdf:Description xmpNote:HasExtendedXMP=\"" + name +
                                "\" c:d=\"e\"/>" + tail,
                    element = head + "<rdf:Description><xmpNote:HasExtendedXMP>" + name +
                              "</xmpNote:HasExtendedXMP></rdf:Description>" + tail,
                    extension = head + more + tail;
  EXPECT_EQ(written(attribute, extension, XmpForm::whole),
            head + "<rdf:Description  c:d=\"e\"/>" + more + tail);
  EXPECT_EQ(written(element, extension, XmpForm::whole),
            head + "<rdf:Description></rdf:Description>" + more + tail);
  EXPECT_EQ(written(attribute, extension, XmpForm::split), attribute);
  EXPECT_TRUE(can_join_xmp(bytes_of_text(extension)));
  // Names that are declared in the extension's outer elements would be lost.
  const std::string named =
      "<x:xmpmeta xmlns:x=\"y\" xmlns:a=\"b\"><rdf:RDF xmlns:rdf=\"r\">" + more + tail;
  EXPECT_FALSE(can_join_xmp(bytes_of_text(named)));
  EXPECT_EQ(written(attribute, named, XmpForm::whole), attribute);
  // After the first extension, two more are joined.
  const std::string whole = head + more + more + more + tail;
  const std::size_t most = whole.size() - 1 + 140;
  const SplitXmp split = split_xmp(whole, most);
  EXPECT_LE(split.packet.size(), most);
  EXPECT_EQ(xmp_extension_name(split.packet), md5_of(std::as_bytes(std::span(split.extension))));
  std::string joined = split.packet;
  join_xmp(joined, split.extension);
  EXPECT_NE(joined.find(more + more + "<rdf:Description"), std::string::npos) << joined;
  EXPECT_TRUE(joined.ends_with(more + tail)) << joined;
  EXPECT_TRUE(split_xmp(head + more + tail, 200).packet.empty());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    split_xmp(whole.substr(0, length), most);
    std::string changed = whole;
    for (const char c : {'<', '>', '/', '"', '!'}) {
      changed[length] = c;
      split_xmp(changed, most);
    }
  }
  for (std::size_t length = 0; length < extension.size(); ++length) {
    written(attribute, extension.substr(0, length), XmpForm::whole);
    written(element.substr(0, length), extension, XmpForm::whole);
  }
}

}  // namespace
}  // namespace cuimg::test
