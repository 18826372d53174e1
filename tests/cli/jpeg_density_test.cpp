// SPDX-License-Identifier: Apache-2.0
// The resolution of JPEG files whose blocks are kept or turned.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "io/codec.h"
#include "io/tags/exif_block.h"
#include "support/images.h"
#include "support/made_jpeg.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

constexpr std::size_t no_place = std::string::npos;

class JpegDensityOfFiles : public ProgramFolder {
 protected:
  void write(const std::string& name, const JpegKind& kind, const std::string& segment) const {
    std::mt19937 random(1);
    const std::vector<std::byte> file =
        made_jpeg(kind, made_pixels(kind.width, kind.height, kind.channels, random));
    folder_.write(name, std::string(text_of_bytes(file)).insert(2, segment));
  }
  // The bytes of JFIF's unit and its two densities.
  std::string jfif_density(const std::string& name) const {
    const std::string file = read_file(folder_ / name);
    EXPECT_EQ(file.substr(2, 9), std::string("\xff\xe0\0\x10JFIF\0", 9)) << name;
    return file.substr(13, 5);
  }
  Spec spec_of_file(const std::string& name) const {
    return open_image(ByteSource::open(folder_ / name), {})->spec();
  }
  static std::string jfif(char unit, std::string density) {
    return std::string("\xff\xe0\0\x10JFIF\0\1\1", 11) + unit + density + std::string("\0\0", 2);
  }
  const JpegKind inks_ = {
      .width = 32, .height = 16, .channels = 4, .sampling = {{1, 1}, {1, 1}, {1, 1}, {1, 1}}};
  const JpegKind rgb_ = {
      .width = 32, .height = 16, .sampling = {{1, 1}, {1, 1}, {1, 1}}, .rgb = true};
  const std::string at_300_ = std::string("\1\x2c\1\x2c", 4);
};

TEST_F(JpegDensityOfFiles, OfInksStaysWhereBlocksAreKeptOrTurned) {
  write("in.jpg", inks_, jfif(1, at_300_));
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"rotate90"},
                                             {"flip"},
                                             {"convert", "--metadata", "private"},
                                             {"convert", "--metadata", "strip"},
                                             {"convert", "--set", "Comment=x"}}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"in.jpg", "out.jpg"});
    ASSERT_EQ(cuimg(all).exit, 0) << words.back();
    EXPECT_EQ(jfif_density("out.jpg"), "\1" + at_300_) << words.back();
    EXPECT_NE(cuimg({"info", "out.jpg"}).out.find("CMYK"), no_place) << words.back();
  }
  ASSERT_EQ(cuimg({"convert", "--set", "xDensity=600", "--in-place", "in.jpg"}).exit, 0);
  EXPECT_EQ(jfif_density("in.jpg"), std::string("\1\2\x58\2\x58", 5));
}

TEST_F(JpegDensityOfFiles, OfInksIsTurned) {
  write("in.jpg", inks_, jfif(1, std::string("\1\x2c\0\x96", 4)));
  ASSERT_EQ(cuimg({"rotate90", "in.jpg", "out.jpg"}).exit, 0);
  EXPECT_EQ(jfif_density("out.jpg"), std::string("\1\0\x96\1\x2c", 5));
}

TEST_F(JpegDensityOfFiles, OfInksWithoutOneStaysAbsent) {
  write("in.jpg", inks_, "");
  ASSERT_EQ(cuimg({"flip", "in.jpg", "out.jpg"}).exit, 0);
  EXPECT_EQ(read_file(folder_ / "out.jpg").find("JFIF"), no_place);
}

// With a JFIF segment, readers would treat R, G and B as YCbCr.
TEST_F(JpegDensityOfFiles, OfRgbIsSaidByExif) {
  write("in.jpg", rgb_, "");
  const Image before = read_image(folder_ / "in.jpg");
  ASSERT_EQ(cuimg({"convert", "--set", "xDensity=600", "in.jpg", "out.jpg"}).exit, 0);
  EXPECT_EQ(read_file(folder_ / "out.jpg").find("JFIF"), no_place);
  const Image after = read_image(folder_ / "out.jpg");
  for (int y = 0; y < rgb_.height; ++y)
    ASSERT_EQ(0, std::memcmp(before.row(0, y), after.row(0, y), before.row_bytes(0))) << y;
  EXPECT_EQ(after.spec().metadata.at("xDensity"), MetadataValue(600.0));
  const ExifBlock exif(std::get<Blob>(after.spec().metadata.at("exif")));
  const auto number = [&](std::uint16_t tag) {
    return exif.numbers(*exif.find(ExifDirectory::primary, tag));
  };
  for (const std::uint16_t tag : {0x011a, 0x011b})
    EXPECT_EQ(number(tag), std::vector<double>{600}) << tag;
  EXPECT_EQ(number(0x0128), std::vector<double>{2});  // per inch
  for (const std::string policy : {"keep", "private", "strip"}) {
    ASSERT_EQ(cuimg({"flip", "--metadata", policy, "out.jpg", "flipped.jpg"}).exit, 0);
    EXPECT_EQ(spec_of_file("flipped.jpg").metadata.at("xDensity"), MetadataValue(600.0)) << policy;
  }
}

TEST_F(JpegDensityOfFiles, OfPhotoshopsResourcesIsTakenWhereNothingElseSaysOne) {
  const std::string name(
      "Photoshop 3.0\0"
      "8BIM\x03\xed\0\0\0\0\0\x10",
      26),
      dots("\1\x2c\0\0\0\1\0\1\1\x2c\0\0\0\1\0\1", 16),
      resources = std::string("\xff\xed\0\x2c", 4) + name + dots;
  write("grey.jpg", {.width = 32, .height = 16, .channels = 1, .sampling = {{1, 1}}}, "");
  write("rgb.jpg", rgb_, resources);
  write("inks.jpg", inks_, resources);
  // libjpeg writes a JFIF segment without a unit, which would count; so remove it.
  const std::string grey = read_file(folder_ / "grey.jpg");
  folder_.write("unit.jpg", std::string(grey).insert(20, resources));
  folder_.write("bare.jpg", std::string(grey).replace(2, 18, resources));
  folder_.write("at96.jpg", std::string(grey)
                                .replace(2, 18, jfif(1, std::string("\0\x60\0\x60", 4)))
                                .insert(20, resources));
  for (const std::string file : {"rgb.jpg", "inks.jpg", "unit.jpg", "bare.jpg", "at96.jpg"}) {
    const MetadataValue density = file == "at96.jpg" ? 96.0 : 300.0;
    EXPECT_EQ(spec_of_file(file).metadata.at("xDensity"), density) << file;
    ASSERT_EQ(cuimg({"flip", file, "flipped.jpg"}).exit, 0);
    EXPECT_EQ(spec_of_file("flipped.jpg").metadata.at("xDensity"), density) << file;
    ASSERT_EQ(cuimg({"resize", "--size", "50%", file, "small.tif"}).exit, 0);
    EXPECT_EQ(spec_of_file("small.tif").metadata.at("xDensity"), density) << file;
    ASSERT_EQ(cuimg({"flip", "--in-place", file}).exit, 0);
    EXPECT_EQ(spec_of_file(file).metadata.at("xDensity"), density) << file;
  }
}

}  // namespace
}  // namespace cuimg::test
