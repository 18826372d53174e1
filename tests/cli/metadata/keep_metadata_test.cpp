// SPDX-License-Identifier: Apache-2.0
// EXIF, XMP and IPTC from format to format, the effect of --metadata and --set, and the output of
// exiftool for the same files where it is installed.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "io/codec.h"
#include "io/tags/exif_block.h"
#include "io/tags/exif_listing.h"
#include "io/tags/exif_tree.h"
#include "io/tags/iptc.h"
#include "io/tags/xmp.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

constexpr const char* formats[] = {"jpg", "png", "tif", "exr"};

class KeepMetadata : public ProgramFolder {
 protected:
  void SetUp() override {
    Spec spec = spec_of({0, 0, 48, 32}, PixelType::u8, 3);
    ExifBlock exif;
    for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
             {"FNumber", "2.8"},
             {"ExposureTime", "1/250"},
             {"LensModel", "A lens"},
             {"BodySerialNumber", "SN-12345"},
             {"DateTimeOriginal", "2024:05:06 07:08:09"},
             {"GPSLatitude", "-33.5"},
             {"GPSLongitude", "151.25"}})
      EXPECT_EQ(set_exif(exif, name, text), "");
    exif.set(ExifDirectory::camera, 0x927c, TiffType::undefined, Blob(50, std::byte{7}));
    exif.set_numbers(ExifDirectory::camera, 0xa002, TiffType::u32, {48});
    exif.set_numbers(ExifDirectory::primary, 0x0112, TiffType::u16, {1});
    spec.metadata = {
        {"exif", exif.bytes()},
        {"iptc", iptc_of({{2, 25, "sea"}, {2, 25, "sky"}, {2, 80, "Somebody"}})},
        {"xmp", bytes_of_text("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://"
                              "www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description "
                              "rdf:about=\"\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" "
                              "xmp:Rating=\"4\"/></rdf:RDF></x:xmpmeta>")},
        {"Author", std::string("Somebody")},
        {"comments", std::string("a picture")}};
    write_image(folder_ / "in.jpg", noise(spec), *codec_named("jpg"), {.quality = 90});
  }

  void expect_made(const std::vector<std::string>& words) const {
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
  }
  Metadata metadata_of(const std::string& name) const {
    return open_image(ByteSource::open(folder_ / name), {})->spec().metadata;
  }
  Metadata exif_of(const std::string& name) const {
    const Metadata metadata = metadata_of(name);
    const auto found = metadata.find("exif");
    return found == metadata.end() ? Metadata()
                                   : exif_listing(ExifBlock(std::get<Blob>(found->second)));
  }
};

TEST_F(KeepMetadata, FromEveryFormatToEveryFormat) {
  Metadata expected = exif_of("in.jpg");
  ASSERT_EQ(expected.at("GPSLatitude"), MetadataValue(-33.5));
  expected["PixelXDimension"] = std::int64_t{24};
  expected.erase("Orientation");  // TIFF has its own tag for it
  const Metadata before = metadata_of("in.jpg");
  for (const std::string first : formats) {
    expect_made({"convert", "in.jpg", "first." + first});
    for (const std::string second : formats) {
      const std::string name = first + "." + second;
      expect_made({"resize", "--size", "50%", "first." + first, name});
      Metadata exif = exif_of(name);
      exif.erase("Orientation");
      EXPECT_EQ(exif, expected) << name;
      const Metadata after = metadata_of(name);
      for (const std::string key : {"xmp", "iptc", "Author", "comments"}) {
        ASSERT_TRUE(after.contains(key)) << name << " " << key;
        EXPECT_EQ(after.at(key), before.at(key)) << name << " " << key;
      }
    }
  }
}

TEST_F(KeepMetadata, CommentsOfJpegAreTextsOfPng) {
  const std::string said = "Created with a brush, \xc3\xbc and ink";
  expect_made({"convert", "--set", "Comment=" + said, "in.jpg", "a.jpg"});
  const std::string file = read_file(folder_ / "a.jpg");
  EXPECT_NE(
      file.find("\xff\xfe" + std::string(1, '\0') + static_cast<char>(said.size() + 2) + said),
      std::string::npos);
  expect_made({"convert", "a.jpg", "b.png"});
  expect_made({"convert", "b.png", "c.jpg"});
  expect_made({"flop", "c.jpg", "d.jpg"});
  for (const char* name : {"a.jpg", "b.png", "c.jpg", "d.jpg"})
    EXPECT_EQ(metadata_of(name).at("Comment"), MetadataValue(said)) << name;
}

// Offsets in many maker notes count from the beginning of EXIF, and their numbers have its byte
// order.
TEST_F(KeepMetadata, AMakerNoteKeepsItsPlaceAndItsByteOrder) {
  const std::string note = "the note of a maker, with offsets in it";
  for (const bool big_endian : {false, true}) {
    ExifTree tree;
    tree.big_endian = big_endian;
    tree.primary = {{0x010f, 2, 6, bytes_of_text(std::string("Maker\0", 6))}};
    tree.camera = {{0x927c, 7, note.size(), bytes_of_text(note)}};
    const Blob block = exif_block_of(tree);
    const std::size_t place = text_of_bytes(block).find(note);
    Spec spec = spec_of({0, 0, 48, 32}, PixelType::u16, 3);
    spec.metadata = {{"exif", block}};
    write_image(folder_ / "in.png", noise(spec), *codec_named("png"));
    expect_made({"convert", "in.png", "a.tif"});
    const std::string file = read_file(folder_ / "a.tif");
    EXPECT_EQ(file.substr(0, 2), big_endian ? "MM" : "II");
    EXPECT_EQ(file.find(note), place);
    EXPECT_TRUE(same_pixels(read_image(folder_ / "a.tif"), read_image(folder_ / "in.png")));
    expect_made({"flop", "a.tif", "b.png"});
    expect_made({"flop", "b.png", "c.exr"});
    expect_made({"convert", "c.exr", "d.tif"});
    expect_made({"convert", "d.tif", "e.jpg"});
    for (const char* name : {"b.png", "c.exr", "d.tif", "e.jpg"}) {
      const ExifBlock kept(std::get<Blob>(metadata_of(name).at("exif")));
      EXPECT_EQ(kept.big_endian(), big_endian) << name;
      EXPECT_EQ(text_of_bytes(kept.bytes()).find(note), place) << name;
    }
  }
}

TEST_F(KeepMetadata, AMakerNoteThatLeavesItsPlaceIsNoted) {
  ExifTree tree;
  tree.camera = {{0x927c, 7, 40, Blob(40, std::byte{7})}};
  tree.interop = {{0x0001, 7, 70000, Blob(70000)}};  // is stored before it
  Spec spec = spec_of({0, 0, 48, 32}, PixelType::u8, 3);
  spec.metadata = {{"exif", exif_block_of(tree)}};
  write_image(folder_ / "in.png", noise(spec), *codec_named("png"));
  expect_made({"convert", "in.png", "far.tif"});
  const Outcome outcome = cuimg({"convert", "-v", "far.tif", "out.jpg"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_NE(outcome.err.find("the maker note moves"), std::string::npos) << outcome.err;
  EXPECT_EQ(exif_of("out.jpg").at("MakerNote"), MetadataValue(std::string("40 bytes")));
}

TEST_F(KeepMetadata, XmpOfMoreThanASegmentGoesToPngAndBack) {
  const auto description = [](const std::string& name, std::size_t size) {
    return "<rdf:Description rdf:about=\"\" xmlns:" + name + "=\"http://" + name + "/\"><" + name +
           ":text>" + std::string(size, name[0]) + "</" + name + ":text></rdf:Description>";
  };
  const std::string head =
                        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://"
                        "www.w3.org/1999/02/22-rdf-syntax-ns#\">",
                    tail = "</rdf:RDF></x:xmpmeta>", small = description("few", 100),
                    large = description("many", 100000);
  Spec spec = spec_of({0, 0, 48, 32}, PixelType::u8, 3);
  spec.metadata = {{"xmp", bytes_of_text(head + small + large + tail)}};
  write_image(folder_ / "in.png", noise(spec), *codec_named("png"));
  std::string from = "in.png";
  for (const std::string to : {"a.jpg", "b.tif", "c.jpg", "d.exr", "e.jpg", "f.png"}) {
    const Outcome outcome = cuimg({"convert", "-v", from, to});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("cannot hold"), std::string::npos) << outcome.err;
    from = to;
  }
  const std::string packet(text_of_bytes(std::get<Blob>(metadata_of("f.png").at("xmp"))));
  EXPECT_NE(packet.find(small), std::string::npos);
  EXPECT_NE(packet.find(large), std::string::npos);
  EXPECT_EQ(packet.find("HasExtendedXMP"), std::string::npos);
  if (run({"exiftool", "-ver"}).exit != 0) return;
  const Outcome listed =
      run({"exiftool", "-XMP-many:text", "-warning", "-b", "a.jpg"}, {.folder = folder_.path()});
  EXPECT_EQ(listed.out.size(), 100000u) << listed.out.substr(0, 200);
}

TEST_F(KeepMetadata, StripLeavesNothing) {
  for (const std::string format : formats) {
    expect_made({"convert", "--metadata", "strip", "in.jpg", "out." + format});
    EXPECT_EQ(metadata_of("out." + format), Metadata()) << format;
  }
}

TEST_F(KeepMetadata, PrivateLeavesNoNamePlaceOrNumberInTheFile) {
  for (const std::string format : formats) {
    const std::string name = "out." + format;
    const Outcome outcome = cuimg({"convert", "--metadata", "private", "in.jpg", name});
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_NE(outcome.err.find("leaves out XMP"), std::string::npos) << outcome.err;
    EXPECT_EQ(cuimg({"convert", "--metadata", "private", "-q", "in.jpg", name}).err, "");
    const std::string file = read_file(folder_ / name);
    for (const std::string text : {"Somebody", "SN-12345", "\7\7\7\7\7\7\7\7"})
      EXPECT_EQ(file.find(text), std::string::npos) << name << " " << text;
    const Metadata exif = exif_of(name);
    EXPECT_EQ(exif.count("GPSLatitude"), 0u) << name;
    EXPECT_EQ(exif.at("FNumber"), MetadataValue(2.8)) << name;
    const Metadata metadata = metadata_of(name);
    EXPECT_EQ(metadata.count("comments"), 0u) << name;
  }
}

TEST_F(KeepMetadata, SetChangesEntriesOfEveryKind) {
  for (const std::string format : formats) {
    const std::string name = "out." + format;
    expect_made({"flop", "--set", "Author=Nobody", "--set", "exif:FNumber=4", "--set",
                 "exif:GPSLatitude=12.5", "--set", "iptc:Headline=Waves", "--set",
                 "comments=", "--set", "xmp=", "in.jpg", name});
    const Metadata metadata = metadata_of(name);
    EXPECT_EQ(metadata.at("Author"), MetadataValue(std::string("Nobody"))) << name;
    EXPECT_EQ(metadata.count("comments"), 0u) << name;
    EXPECT_EQ(metadata.count("xmp"), 0u) << name;
    EXPECT_EQ(exif_of(name).at("FNumber"), MetadataValue(4.0)) << name;
    EXPECT_EQ(exif_of(name).at("GPSLatitude"), MetadataValue(12.5)) << name;
    EXPECT_EQ(iptc_listing(std::get<Blob>(metadata.at("iptc"))).at("Headline"),
              MetadataValue(std::string("Waves")));
  }
}

// EXIF and PNG use other names for some texts than EXR, whose names are used here.
TEST_F(KeepMetadata, SetTakesTextsByEitherName) {
  expect_made({"convert", "--set", "owner=Old", "--set", "cameraMake=Old", "in.jpg", "old.jpg"});
  for (const std::string format : formats) {
    const std::string name = "out." + format;
    expect_made({"convert", "--set", "Copyright=New", "--set", "Make=", "--set", "Artist=Nobody",
                 "--set", "Description=sea", "old.jpg", name});
    const Metadata metadata = metadata_of(name);
    EXPECT_EQ(metadata.at("owner"), MetadataValue(std::string("New"))) << name;
    EXPECT_EQ(metadata.at("Author"), MetadataValue(std::string("Nobody"))) << name;
    EXPECT_EQ(metadata.at("comments"), MetadataValue(std::string("sea"))) << name;
    for (const char* gone : {"cameraMake", "Make", "Copyright", "Artist", "Description"})
      EXPECT_FALSE(metadata.contains(gone)) << name << ' ' << gone;
    if (format != "jpg") continue;
    const Outcome outcome = run({"exiftool", "-s3", "-Copyright", "-Make", folder_ / name});
    if (outcome.exit == 0) {
      EXPECT_EQ(outcome.out, "New\n");
    }
  }
}

TEST_F(KeepMetadata, SetTypesValuesByTheFormat) {
  expect_made({"convert", "--set", "frame=12", "--set", "focus=1.5", "--set", "take=a", "--set",
               "Author=7", "in.jpg", "out.exr"});
  const Metadata exr = metadata_of("out.exr");
  EXPECT_EQ(exr.at("frame"), MetadataValue(std::int64_t{12}));
  EXPECT_EQ(exr.at("focus"), MetadataValue(1.5));
  EXPECT_EQ(exr.at("take"), MetadataValue(std::string("a")));
  EXPECT_EQ(exr.at("Author"), MetadataValue(std::string("7")));
  expect_made({"convert", "--set", "Title=12", "--set", "xDensity=300", "in.jpg", "out.png"});
  EXPECT_EQ(metadata_of("out.png").at("Title"), MetadataValue(std::string("12")));
  EXPECT_NEAR(std::get<double>(metadata_of("out.png").at("xDensity")), 300, 0.01);
}

TEST_F(KeepMetadata, SetSaysWhyAValueDoesNotFit) {
  const auto problem = [&](const std::string& change, const std::string& output) {
    const Outcome outcome = cuimg({"convert", "--set", change, "in.jpg", output});
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_FALSE(std::filesystem::exists(folder_ / output)) << change;
    const std::size_t end = outcome.err.find("': ");
    return end == std::string::npos ? outcome.err : outcome.err.substr(end + 3);
  };
  for (const char* key : {"isoSpeed", "aperture", "focus", "expTime", "altitude", "utcOffset"})
    EXPECT_EQ(problem(key + std::string("=abc"), "out.exr"), "the entry is a number\n") << key;
  EXPECT_EQ(problem("framesPerSecond=23.976", "out.exr"),
            "the entry is a fraction of whole numbers, such as 24 or 24000/1001\n");
  EXPECT_EQ(problem("timeCode=25:00:00:00", "out.exr"),
            "the entry is a time such as 01:02:03:04, of at most 30 frames a second\n");
  EXPECT_EQ(problem("worldToCamera=1,2,3", "out.exr"),
            "the entry is a matrix: 16 numbers, separated by commas\n");
  for (const char* aspect : {"0", "-1", "nan", "1e7", "1e-7"})
    EXPECT_EQ(problem(std::string("pixelAspectRatio=") + aspect, "out.hdr"),
              "it is a number from 1e-6 to 1e6\n");
  for (const char* change : {"compression=zip", "compression="})
    EXPECT_EQ(problem(change, "out.exr"),
              "it is not an entry but a property of the file: use --compression\n");
  EXPECT_EQ(problem("lineOrder=upwards", "out.exr"),
            "the entry is increasing, decreasing or, for tiles, random\n");
  for (const char* date : {"exif:DateTimeOriginal=yesterday", "exif:DateTime=2024-05-06 07:08:09",
                           "exif:DateTimeDigitized=2024:13:06 07:08:09"})
    EXPECT_EQ(problem(date, "out.jpg"), "use YYYY:MM:DD hh:mm:ss, as 2024:05:06 07:08:09\n");
}

TEST_F(KeepMetadata, SetRefusesWhatTheOutputCannotHold) {
  for (const auto& [change, output] :
       std::vector<std::pair<std::string, std::string>>{{"Title=a", "out.jpg"},
                                                        {"frame=1", "out.tif"},
                                                        {"exif:FNumber=4", "out.bmp"},
                                                        {"iptc:Headline=a", "out.ppm"},
                                                        {"capDate=today", "out.jpg"},
                                                        {"exif:None=1", "out.jpg"},
                                                        {"exif:FNumber=x", "out.png"},
                                                        {"exif:Orientation=3", "out.jpg"},
                                                        {"iptc:None=1", "out.jpg"},
                                                        {"exif=x", "out.jpg"},
                                                        {"xDensity=a", "out.png"},
                                                        {"novalue", "out.jpg"},
                                                        {"=a", "out.jpg"}}) {
    const Outcome outcome = cuimg({"convert", "--set", change, "in.jpg", output});
    EXPECT_EQ(outcome.exit, 2) << change;
    EXPECT_NE(outcome.err.find("--set"), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / output)) << change;
  }
}

TEST_F(KeepMetadata, InfoPrintsEntriesThatSetTakes) {
  const std::string text = cuimg({"info", "in.jpg"}).out;
  for (const std::string line :
       {"exif:FNumber     2.8 (f/2.8)", "exif:ExposureTime 0.004 (1/250 s)",
        "exif:LensModel   A lens", "exif:GPSLatitude -33.5 (33.500000 S)",
        "exif:DateTimeOriginal 2024:05:06 07:08:09", "iptc:Keywords    [\"sea\",\"sky\"]"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  const auto json = nlohmann::json::parse(cuimg({"info", "--json", "in.jpg"}).out);
  EXPECT_EQ(json["metadata"]["exif"]["FNumber"], 2.8);
  EXPECT_EQ(json["metadata"]["exif"]["GPSLongitude"], 151.25);
  EXPECT_EQ(json["metadata"]["iptc"]["By-line"], "Somebody");
  EXPECT_NE(json["metadata"]["xmp"].get<std::string>().find("Rating"), std::string::npos);
}

TEST_F(KeepMetadata, WhatAFormatCannotHoldIsNoted) {
  const Outcome outcome = cuimg({"convert", "-v", "in.jpg", "out.bmp"});
  EXPECT_NE(outcome.err.find("BMP cannot hold Author, comments, exif, iptc, xmp"),
            std::string::npos)
      << outcome.err;
}

TEST_F(KeepMetadata, ExifThatDoesNotFitIntoAJpegIsNoted) {
  ExifBlock exif;
  exif.set(ExifDirectory::camera, 0x927c, TiffType::undefined, Blob(70000, std::byte{7}));
  Spec spec = spec_of({0, 0, 48, 32}, PixelType::u8, 3);
  spec.metadata = {{"exif", exif.bytes()}};
  write_image(folder_ / "large.png", noise(spec), *codec_named("png"));
  const Outcome outcome = cuimg({"convert", "-v", "large.png", "out.jpg"});
  EXPECT_NE(outcome.err.find("JPEG cannot hold MakerNote of exif"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(cuimg({"convert", "-v", "large.png", "out.png"}).err.find("cannot hold"),
            std::string::npos);
}

// exiftool finds the same entries in cuimg's files as in the input, and cuimg finds them in
// exiftool's files.
TEST_F(KeepMetadata, ExiftoolReadsTheSame) {
  if (run({"exiftool", "-ver"}).exit != 0) GTEST_SKIP() << "exiftool is not installed";
  const auto listing = [&](const std::string& name) {
    const Outcome outcome =
        run({"exiftool", "-n", "-j", "-FNumber", "-ExposureTime", "-LensModel", "-SerialNumber",
             "-DateTimeOriginal", "-GPSPosition", "-Keywords", "-By-line", "-XMP:Rating", "-Artist",
             "-ImageDescription", "-Orientation", "-ExifIFD:ExifImageWidth", name},
            {.folder = folder_.path()});
    auto json = nlohmann::json::parse(outcome.out)[0];
    json.erase("SourceFile");
    return json;
  };
  const auto expected = listing("in.jpg");
  EXPECT_EQ(expected["FNumber"], 2.8);
  EXPECT_EQ(expected["GPSPosition"], "-33.5 151.25");
  EXPECT_EQ(expected["Rating"], 4);
  EXPECT_EQ(expected.size(), 13u) << expected;
  for (const std::string format : {"jpg", "png", "tif"}) {
    expect_made({"rotate180", "--compression",
                 format == "jpg"   ? "444"
                 : format == "png" ? "1"
                                   : "lzw",
                 "in.jpg", "out." + format});
    auto read = listing("out." + format);
    if (format == "png") {  // a text of PNG's own
      read["ImageDescription"] = expected["ImageDescription"];
      read["Artist"] = expected["Artist"];
    }
    EXPECT_EQ(read, expected) << format;
    const Outcome warnings =
        run({"exiftool", "-warning", "-validate", "out." + format}, {.folder = folder_.path()});
    EXPECT_EQ(warnings.out.find("Error"), std::string::npos) << warnings.out;
  }
  // The other way round: exiftool stores PNG's texts after the pixels.
  for (const std::string format : {"jpg", "png", "tif"}) {
    expect_made({"convert", "--metadata", "strip", "in.jpg", "bare." + format});
    ASSERT_EQ(run({"exiftool", "-q", "-TagsFromFile", "in.jpg", "-all:all", "bare." + format},
                  {.folder = folder_.path()})
                  .exit,
              0);
    EXPECT_EQ(exif_of("bare." + format).at("GPSLatitude"), MetadataValue(-33.5)) << format;
    EXPECT_EQ(exif_of("bare." + format).at("LensModel"), MetadataValue(std::string("A lens")));
    const Metadata metadata = metadata_of("bare." + format);
    EXPECT_EQ(iptc_listing(std::get<Blob>(metadata.at("iptc"))).count("Keywords"), 1u) << format;
    EXPECT_NE(text_of_bytes(std::get<Blob>(metadata.at("xmp"))).find("Rating"),
              std::string_view::npos)
        << format;
  }
}

}  // namespace
}  // namespace cuimg::test
