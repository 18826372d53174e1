// SPDX-License-Identifier: Apache-2.0
// Which entries --metadata private leaves out.
#include <gtest/gtest.h>

#include "io/codec.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

// As OpenImageIO spells what it takes out of IPTC and XMP, and as others do.
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
  const std::vector<std::string> kept = {"IPTC:Headline",    "IPTC:Keywords", "Exif:LensModel",
                                         "Exif:UserComment", "opacity",       "velocityScale",
                                         "statement",        "surface",       "ghost",
                                         "nodeCount",        "geometry",      "machineLearning",
                                         "commandCount",     "directory"};
  const TempDir folder;
  Spec spec = spec_of({0, 0, 48, 32}, PixelType::half, 3);
  for (const auto& keys : {left_out, kept})
    for (const std::string& key : keys) spec.metadata[key] = std::string("Alice");
  write_image(folder / "named.exr", noise(spec), *codec_named("exr"));
  for (const std::string name : {"out.exr", "out.png"}) {
    const Outcome outcome = run(
        {CUIMG_PROGRAM, "convert", "--metadata", "private", folder / "named.exr", folder / name});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    const Metadata metadata = open_image(ByteSource::open(folder / name), {})->spec().metadata;
    for (const std::string& key : left_out) EXPECT_EQ(metadata.count(key), 0u) << name << key;
    for (const std::string& key : kept) EXPECT_EQ(metadata.count(key), 1u) << name << key;
  }
}

}  // namespace
}  // namespace cuimg::test
