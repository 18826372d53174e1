// SPDX-License-Identifier: Apache-2.0
// exiftool, where it is installed, lists the same EXIF, XMP, IPTC and Photoshop resources in every
// output as in a JPEG that it filled with them itself.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "io/codec.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

class Exiftool : public testing::Test {
 protected:
  void SetUp() override {
    if (run({"exiftool", "-ver"}).exit != 0) GTEST_SKIP() << "exiftool is not installed";
    write_image(folder_ / "in.jpg", noise(spec_of({0, 0, 48, 32}, PixelType::u8, 3)),
                *codec_named("jpg"), {.quality = 90});
    const std::vector<std::string> entries = {"-Make=Canon",
                                              "-Model=EOS X",
                                              "-Orientation#=6",
                                              "-Artist=Zo\xc3\xab",
                                              "-Copyright=somebody",
                                              "-ImageDescription=A picture",
                                              "-IFD0:XResolution=300",
                                              "-IFD0:YResolution=300",
                                              "-IFD0:ResolutionUnit=inches",
                                              "-XPTitle=t\xc3\xaftle",
                                              "-XPKeywords=a;b",
                                              "-IFD0:Rating=4",
                                              "-ProcessingSoftware=ps",
                                              "-IFD0:ImageNumber=5",
                                              "-IFD0:UniqueCameraModel=ucm",
                                              "-IFD0:CameraSerialNumber=csn",
                                              "-IFD0:SecurityClassification#=S",
                                              "-PanasonicTitle=pt",
                                              "-WhitePoint=.3125 .375",
                                              "-DateTimeOriginal=2020:01:02 03:04:05",
                                              "-ExposureTime=1/250",
                                              "-FNumber=2.8",
                                              "-ISO=400",
                                              "-LensModel=50mm",
                                              "-LensInfo=24 70 2.8 4",
                                              "-UserComment=hello \xc3\xbcn\xc3\xaf",
                                              "-OffsetTimeOriginal=+02:00",
                                              "-SubSecTimeOriginal=12",
                                              "-SerialNumber=123",
                                              "-InteropIndex=R98",
                                              "-GPSLatitude=48.2",
                                              "-GPSLatitudeRef=N",
                                              "-GPSLongitude=16.3",
                                              "-GPSLongitudeRef=W",
                                              "-GPSAltitude=200",
                                              "-GPSTimeStamp=12:00:01",
                                              "-IPTC:CodedCharacterSet=UTF8",
                                              "-IPTC:Headline=Head",
                                              "-IPTC:Keywords=one",
                                              "-IPTC:Keywords=two",
                                              "-IPTC:City=Wien",
                                              "-IPTC:By-line=Zo\xc3\xab",
                                              "-XMP-dc:Title=T",
                                              "-XMP-dc:Subject=x",
                                              "-XMP-dc:Subject=y",
                                              "-XMP-xmp:Rating=3",
                                              "-XMP-photoshop:City=Wien",
                                              "-XMP-tiff:Orientation#=6",
                                              "-Photoshop:URL=http://a.b",
                                              "-Photoshop:CopyrightFlag#=1",
                                              "-Comment=a comment"};
    std::vector<std::string> words = {"exiftool", "-q", "-overwrite_original"};
    words.insert(words.end(), entries.begin(), entries.end());
    words.emplace_back("in.jpg");
    const Outcome filled = run(words, {.folder = folder_.path()});
    ASSERT_EQ(filled.exit, 0) << filled.err;
  }
  // exiftool's listing by group and name: "ExifIFD:FNumber". Entries about how the file stores its
  // pixels are left out.
  nlohmann::json listing(const std::string& name) const {
    const Outcome outcome = run({"exiftool", "-a", "-n", "-j", "-G1", "-EXIF:all", "-XMP:all",
                                 "-IPTC:all", "-Photoshop:all", "-File:Comment", name},
                                {.folder = folder_.path()});
    auto json = nlohmann::json::parse(outcome.out)[0];
    // Resolution is stored in tags of the format's own, in PNG per metre.
    const std::set<std::string> of_the_file = {"SourceFile",
                                               "IFD0:YCbCrPositioning",
                                               "IFD0:XResolution",
                                               "IFD0:YResolution",
                                               "IFD0:ResolutionUnit",
                                               "ExifIFD:ExifImageWidth",
                                               "ExifIFD:ExifImageHeight",
                                               "XMP-x:XMPToolkit"};
    for (const std::string& key : of_the_file) json.erase(key);
    return json;
  }
  void expect_nothing_lost(const nlohmann::json& before, const std::string& name) const {
    const nlohmann::json after = listing(name);
    for (const auto& [key, value] : before.items()) {
      // An EXR contains light. sRGB is made from light, or light again.
      const bool is_of_colors = key == "ExifIFD:ColorSpace" || key == "InteropIFD:InteropIndex";
      if (is_of_colors && name.starts_with("exr.")) continue;
      const bool is_orientation = key == "IFD0:Orientation" || key == "XMP-tiff:Orientation";
      if (key == "IFD0:Orientation" && !after.contains(key)) continue;  // the same as upright
      EXPECT_TRUE(after.contains(key)) << name << " lacks " << key;
      if (!after.contains(key)) continue;
      EXPECT_EQ(after[key], is_orientation ? nlohmann::json(1) : value) << name << " " << key;
    }
    const Outcome warned =
        run({"exiftool", "-warning", "-error", name}, {.folder = folder_.path()});
    EXPECT_EQ(warned.out, "") << name;
  }
  void expect_made(std::vector<std::string> words) const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    const Outcome outcome = run(words, {.folder = folder_.path()});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
  }
  const TempDir folder_;
};

TEST_F(Exiftool, ListsNothingLessInAnyOutput) {
  auto expected = listing("in.jpg");
  EXPECT_GE(expected.size(), 40u) << expected.dump(1);
  for (const std::string first : {"jpg", "png", "tif", "exr"}) {
    const std::string between = "a." + first;
    expect_made({"flop", "in.jpg", between});
    auto kept = expected;
    if (first == "tif") kept.erase("File:Comment");  // TIFF cannot store it
    for (const std::string second : {"jpg", "png", "tif"}) {
      const std::string name = first + "." + second;
      expect_made({"resize", between, name});
      auto wanted = kept;
      if (second != "jpg") wanted.erase("File:Comment");  // PNG stores it as a text
      expect_nothing_lost(wanted, name);
    }
  }
}

TEST_F(Exiftool, OrientationThatItSetsInAPngTurnsThePicture) {
  expect_made({"convert", "--metadata", "strip", "in.jpg", "flat.png"});
  ASSERT_EQ(run({"exiftool", "-q", "-n", "-Orientation=6", "-o", "turned.png", "flat.png"},
                {.folder = folder_.path()})
                .exit,
            0);
  expect_made({"rotate90", "flat.png", "expected.png"});
  for (const std::string name : {"out.png", "out.tif"}) {
    expect_made({"convert", "turned.png", name});
    EXPECT_TRUE(same_pixels(read_image(folder_ / name), read_image(folder_ / "expected.png")));
  }
  EXPECT_EQ(listing("out.png")["IFD0:Orientation"], 1);
}

}  // namespace
}  // namespace cuimg::test
