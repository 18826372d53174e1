// SPDX-License-Identifier: Apache-2.0
// The entries that --metadata private removes.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "io/codec.h"
#include "io/tags/exif_block.h"
#include "io/tags/iptc.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

// Names from IPTC and XMP as OpenImageIO spells them, and as others do.
TEST(PrivateMetadata, LeavesOutEntriesByTheirNames) {
  const std::vector<std::string> left_out = {"IPTC:PersonInImage",
                                             "IPTC:City",
                                             "IPTC:Sublocation",
                                             "IPTC:State",
                                             "IPTC:Country",
                                             "IPTC:Contact",
                                             "IPTC:ContactInfoCity",
                                             "IPTC:CaptionWriter",
                                             "IPTC:DocumentID",
                                             "Iptc4xmpExt:City",
                                             "Iptc4xmpExt:CountryName",
                                             "mwg-rs:Name",
                                             "MPReg:PersonDisplayName",
                                             "photoshop:State",
                                             "plus:LicensorName",
                                             "dc:publisher",
                                             "dc:contributor",
                                             "aux:SerialNumber",
                                             "Exif:CameraOwnerName",
                                             "Exif:GPSDestLatitude",
                                             "shot_location",
                                             "ProvinceState",
                                             "city name",
                                             "render/user",
                                             "render/host",
                                             "renderHost2",
                                             "host/name",
                                             "arnold/computer",
                                             "Machine",
                                             "farm_node",
                                             "director",
                                             "camera operator",
                                             "scene/geo",
                                             "altitude",
                                             "nuke/commandLine",
                                             "command_line"};
  // Free text, which may contain anything.
  const std::vector<std::string> texts = {
      "Title",      "Description",   "Comment",          "comments",     "Source",
      "Disclaimer", "Warning",       "parameters",       "prompt",       "workflow",
      "renderInfo", "IPTC:Headline", "Exif:UserComment", "DocumentName", "ImageDescription",
      "XPTitle",    "IPTC:Keywords", "opacity",          "Category",     "IPTC:ObjectName",
      "IPTC:Title", "cameraLabel"};
  const std::vector<std::string> kept = {
      "Exif:LensModel", "Software",        "capDate",       "cameraMake",       "cameraModel",
      "nuke/version",   "Exif:ColorSpace", "Creation Time", "IPTC:DateCreated", "lensModel"};
  const std::vector<std::string> numbers = {
      "opacity",   "velocityScale", "statement",       "surface",      "ghost",
      "nodeCount", "geometry",      "machineLearning", "commandCount", "directory"};
  const TempDir folder;
  Spec spec = spec_of({0, 0, 48, 32}, PixelType::half, 3);
  for (const auto& keys : {left_out, texts, kept})
    for (const std::string& key : keys) spec.metadata[key] = std::string("Alice");
  spec.metadata["capDate"] = std::string("2024:05:06 07:08:09");
  spec.metadata["keywords"] = std::vector<std::string>{"Alice", "Bob"};
  for (const std::string& key : numbers) spec.metadata[key + "2"] = 2.5;
  write_image(folder / "named.exr", noise(spec), *codec_named("exr"));
  for (const std::string name : {"out.exr", "out.png"}) {
    const Outcome outcome = run(
        {CUIMG_PROGRAM, "convert", "--metadata", "private", folder / "named.exr", folder / name});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    const Metadata metadata = open_image(ByteSource::open(folder / name), {})->spec().metadata;
    for (const auto& keys : {left_out, texts})
      for (const std::string& key : keys) EXPECT_EQ(metadata.count(key), 0u) << name << key;
    for (const std::string& key : kept) EXPECT_EQ(metadata.count(key), 1u) << name << key;
    EXPECT_EQ(metadata.count("keywords"), 0u) << name;
    if (name == "out.png") continue;  // which contains only texts
    for (const std::string& key : numbers) EXPECT_EQ(metadata.count(key + "2"), 1u) << name << key;
  }
}

// Regardless of the entry that contains the text.
TEST(PrivateMetadata, LeavesNoFreeTextOfABlockInAFile) {
  const TempDir folder;
  Spec spec = spec_of({0, 0, 48, 32}, PixelType::u8, 3);
  ExifBlock block;
  const std::string secret = "Alice Smith";
  constexpr ExifDirectory primary = ExifDirectory::primary, camera = ExifDirectory::camera;
  for (const std::uint16_t tag : {0x010d, 0x010e, 0x011d}) block.set_text(primary, tag, secret);
  // Windows stores these texts in 16-bit characters. They have 8-bit characters here, because the
  // test searches for those.
  for (const std::uint16_t tag : {0x9c9b, 0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f})
    block.set(primary, tag, TiffType::byte, bytes_of_text(secret));
  block.set(camera, 0x9286, TiffType::undefined, bytes_of_text("ASCII   " + secret));
  block.set_text(camera, 0xa004, secret);
  block.set_text(camera, 0xa434, "50 mm lens");
  spec.metadata["exif"] = block.bytes();
  Blob iptc;
  for (const char* name : {"Caption-Abstract", "Keywords", "Headline", "ObjectName", "EditStatus",
                           "SpecialInstructions", "SupplementalCategories"})
    iptc = with_iptc(iptc, iptc_number(name), secret);
  spec.metadata["iptc"] = with_iptc(iptc, iptc_number("DateCreated"), "20240506");
  spec.metadata["Comment"] = spec.metadata["comments"] = secret;
  spec.metadata["Software"] = std::string("a program");
  write_image(folder / "in.jpg", noise(spec), *codec_named("jpg"));
  EXPECT_NE(read_file(folder / "in.jpg").find(secret), std::string::npos);
  for (const std::string format : {"jpg", "png", "tif", "exr"}) {
    const Outcome outcome = run({CUIMG_PROGRAM, "convert", "--metadata", "private",
                                 folder / "in.jpg", folder / ("out." + format)});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_EQ(read_file(folder / ("out." + format)).find(secret), std::string::npos) << format;
    const Metadata metadata =
        open_image(ByteSource::open(folder / ("out." + format)), {})->spec().metadata;
    const ExifBlock kept(std::get<Blob>(metadata.at("exif")));
    EXPECT_EQ(ExifBlock::text(*kept.find(camera, 0xa434)), "50 mm lens") << format;
    EXPECT_EQ(iptc_listing(std::get<Blob>(metadata.at("iptc"))).size(), 1u) << format;
    EXPECT_EQ(metadata.at("Software"), MetadataValue(std::string("a program"))) << format;
  }
}

TEST(PrivateMetadata, LeavesOutTheNamesOfPages) {
  const TempDir folder;
  Spec spec = spec_of({0, 0, 48, 32}, PixelType::u8, 3);
  spec.part_name = "Alice Smith";
  write_image(folder / "in.tif", noise(spec), *codec_named("tif"));
  for (const std::string policy : {"private", "strip"}) {
    for (const std::string name : {"out.tif", "out.exr"}) {
      const Outcome outcome =
          run({CUIMG_PROGRAM, "convert", "--metadata", policy, folder / "in.tif", folder / name});
      ASSERT_EQ(outcome.exit, 0) << outcome.err;
      EXPECT_EQ(read_image(folder / name).spec().part_name, "") << policy << name;
      EXPECT_EQ(read_file(folder / name).find("Alice"), std::string::npos) << policy << name;
    }
  }
}

// Readers choose a part by its name.
TEST(PrivateMetadata, KeepsTheNamesOfParts) {
  const TempDir folder;
  Spec spec = spec_of({0, 0, 48, 32}, PixelType::half, 3);
  spec.part_name = "diffuse";
  write_image(folder / "in.exr", noise(spec), *codec_named("exr"));
  for (const std::string policy : {"private", "strip"}) {
    ASSERT_EQ(
        run({CUIMG_PROGRAM, "convert", "--metadata", policy, folder / "in.exr", folder / "out.exr"})
            .exit,
        0);
    EXPECT_EQ(read_image(folder / "out.exr").spec().part_name, "diffuse");
  }
}

}  // namespace
}  // namespace cuimg::test
