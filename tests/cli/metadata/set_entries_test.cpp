// SPDX-License-Identifier: Apache-2.0
// --set of entries that may be repeated, and its advice; data that a change of entries must not
// affect: blocks that cuimg does not know, Photoshop's paths.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "io/codec_helpers.h"
#include "io/made_tiff.h"
#include "io/tags/iptc.h"
#include "support/images.h"
#include "support/made_jpeg.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

std::string segment(int marker, const std::string& body) {
  const std::size_t length = body.size() + 2;
  return std::string{'\xff', static_cast<char>(marker), static_cast<char>(length >> 8),
                     static_cast<char>(length & 255)} +
         body;
}

class SetEntries : public ProgramFolder {
 protected:
  SetEntries() { write_image(folder_ / "in.jpg", picture(), *codec_named("jpg")); }
  static Image picture() { return noise(spec_of({0, 0, 16, 16}, PixelType::u8, 3)); }
  Outcome convert(Words words) const {
    words.insert(words.begin(), "convert");
    return cuimg(words);
  }
  MetadataValue keywords(const std::string& name) const {
    const Metadata read = read_image(folder_ / name).spec().metadata;
    return iptc_listing(std::get<Blob>(read.at("iptc"))).at("Keywords");
  }
  // Writes a JPEG with segments after its first one, and bytes after its end.
  void write_jpeg(const std::string& name, const std::string& segments,
                  const std::string& behind = "") const {
    std::string file(
        text_of_bytes(made_jpeg({.width = 16, .height = 16}, std::vector<unsigned char>(768, 90))));
    constexpr std::size_t behind_jfif = 20;
    folder_.write(name, file.insert(behind_jfif, segments) + behind);
  }
};

TEST_F(SetEntries, OfOneNameAddUpWhereThereMayBeSeveral) {
  const MetadataValue both = Words{"a", "b"};
  EXPECT_EQ(
      convert({"--set", "iptc:Keywords=a", "--set", "iptc:Keywords=b", "in.jpg", "o.jpg"}).exit, 0);
  EXPECT_EQ(keywords("o.jpg"), both);
  // The first value replaces the file's; several values become a list, as info prints it.
  EXPECT_EQ(convert({"--set", "iptc:Keywords=c", "o.jpg", "one.jpg"}).exit, 0);
  EXPECT_EQ(keywords("one.jpg"), MetadataValue(std::string("c")));
  EXPECT_EQ(convert({"--set", "iptc:Keywords=[\"a\",\"b\"]", "o.jpg", "list.jpg"}).exit, 0);
  EXPECT_EQ(keywords("list.jpg"), both);
  EXPECT_EQ(convert({"--set", "iptc:Keywords=[a", "o.jpg", "text.jpg"}).exit, 0);
  EXPECT_EQ(keywords("text.jpg"), MetadataValue(std::string("[a")));
  const Outcome one = convert({"--set", "iptc:Headline=[\"a\",\"b\"]", "o.jpg", "no.jpg"});
  EXPECT_EQ(one.exit, 2);
  EXPECT_TRUE(has(one.err, "IPTC allows only one entry of that name")) << one.err;
}

TEST_F(SetEntries, ThatDoNotFitAreAdvisedOn) {
  for (const auto& [entry, advice] : std::vector<std::pair<std::string, std::string>>{
           {"DateTime=2024-01-02", "it is not a date: use YYYY:MM:DD hh:mm:ss"},
           {"Title=x", "cannot hold that entry: set Description, or iptc:ObjectName"},
           {"XMP-dc:Title=x", "cannot hold that entry: set Description, or iptc:ObjectName"},
           {"ImageDescription=x", "cannot hold that entry: set Description"},
           {"dpi=300", "the resolution is xDensity, in pixels an inch: use --set xDensity=300"},
           {"XMP-photoshop:City=x", "XMP is kept and not edited"}}) {
    const Outcome outcome = convert({"--set", entry, "in.jpg", "o.tif"});
    EXPECT_EQ(outcome.exit, 2) << entry;
    EXPECT_TRUE(has(outcome.err, advice)) << outcome.err;
  }
}

TEST_F(SetEntries, AreUtf8) {
  for (const std::string name : {"o.jpg", "o.png", "o.tif", "o.exr"})
    for (const std::string key : {"Comment", "iptc:Headline", "exif:Artist"}) {
      const Outcome outcome = convert({"--set", key + "=caf\xe9", "in.jpg", name});
      EXPECT_EQ(outcome.exit, 2);
      EXPECT_TRUE(has(outcome.err, "the text is not UTF-8")) << outcome.err;
    }
}

TEST_F(SetEntries, KnowTheSensitivityUnderItsNewName) {
  for (const std::string name : {"ISOSpeedRatings", "PhotographicSensitivity", "ISO"}) {
    expect_made({"convert", "--set", "exif:" + name + "=250", "in.jpg", "o.jpg"});
    const Outcome listed = cuimg({"info", "--json", "o.jpg"});
    EXPECT_TRUE(has(listed.out, "ISOSpeedRatings")) << listed.out;
    expect_made({"convert", "--set", "exif:" + name + "=320", "o.jpg", "again.jpg"});
  }
}

TEST_F(SetEntries, AreResolutionsThatTheFileCanHold) {
  for (const auto& [entry, file, advice] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"inf", "o.jpg", "the entry is a number above 0"},
           {"inf", "o.png", "the entry is a number above 0"},
           {"inf", "o.tif", "the entry is a number above 0"},
           {"nan", "o.bmp", "the entry is a number above 0"},
           {"0", "o.bmp", "the entry is a number above 0"},
           {"0.4", "o.jpg", "JPEG cannot hold that resolution: use 1 to 65535 pixels an inch"},
           {"70000", "o.jpg", "JPEG cannot hold that resolution: use 1 to 65535 pixels an inch"},
           {"1e9", "o.png", "PNG cannot hold that resolution: use 0.0254 to 54000000 pixels"},
           {"1e9", "o.bmp", "cannot hold that resolution: use 0.0254 to 54000000 pixels"},
           {"1e12", "o.tif", "TIFF cannot hold that resolution: use 1e-09 to 4000000000 pixels"}}) {
    const Outcome outcome = convert({"--set", "xDensity=" + entry, "in.jpg", file});
    EXPECT_EQ(outcome.exit, 2) << entry << file;
    EXPECT_TRUE(has(outcome.err, advice)) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / file)) << entry << file;
  }
  for (const auto& [entry, file] : std::vector<std::pair<double, std::string>>{
           {1, "o.jpg"}, {65535, "o.jpg"}, {0.0254, "o.png"}, {5.08e7, "o.png"}, {4e9, "o.tif"}}) {
    const Outcome outcome = convert({"--set", "xDensity=" + std::to_string(entry), "in.jpg", file});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    const Metadata read = read_image(folder_ / file).spec().metadata;
    EXPECT_NEAR(std::get<double>(read.at("xDensity")), entry, entry * 1e-6) << file;
  }
}

TEST_F(SetEntries, AreNoTextsThatOnlyLookLikeAResolution) {
  for (const char* entry : {"dpi=300", "density=300", "YResolution=300"})
    for (const char* file : {"o.png", "o.exr", "o.jpg"}) {
      const Outcome outcome = convert({"--set", entry, "in.jpg", file});
      EXPECT_EQ(outcome.exit, 2) << entry << file;
      EXPECT_TRUE(has(outcome.err, "the resolution is xDensity")) << outcome.err;
    }
}

TEST_F(SetEntries, MakeSqueezedPixelsSquare) {
  ASSERT_EQ(
      convert({"--set", "xDensity=300", "--set", "pixelAspectRatio=0.5", "in.jpg", "in.tif"}).exit,
      0);
  EXPECT_EQ(read_image(folder_ / "in.tif").spec().pixel_aspect, 0.5f);
  for (const char* file : {"o.png", "o.jpg", "o.tif", "o.bmp", "o.exr"}) {
    const Outcome outcome =
        cuimg({"resize", "--size", "16x32", "--set", "pixelAspectRatio=1", "in.tif", file});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    const Spec made = read_image(folder_ / file).spec();
    EXPECT_EQ(made.pixel_aspect, 1) << file;
    EXPECT_NEAR(std::get<double>(made.metadata.at("xDensity")), 300, 0.01) << file;
    EXPECT_FALSE(made.metadata.contains("pixelAspectRatio")) << file;
  }
  EXPECT_TRUE(has(convert({"-v", "--set", "pixelAspectRatio=2", "in.jpg", "bare.bmp"}).err,
                  "cannot hold the pixels' aspect without xDensity"));
  const Outcome none = convert({"--set", "pixelAspectRatio=1", "in.tif", "o.tga"});
  EXPECT_EQ(none.exit, 2);
  EXPECT_TRUE(has(none.err, "Truevision TGA cannot hold that entry")) << none.err;
  EXPECT_TRUE(
      has(convert({"-v", "in.tif", "o.tga"}).err, "cannot hold xDensity, the pixels' aspect"));
}

TEST_F(SetEntries, AreResolutionsOfWhichLossIsNoted) {
  const auto note_of = [&](const Words& changes, const std::string& file) {
    Words words = {"convert", "-v"};
    words.insert(words.end(), changes.begin(), changes.end());
    words.insert(words.end(), {"in.jpg", "made.exr"});
    EXPECT_EQ(cuimg(words).exit, 0);
    return convert({"-v", "made.exr", file}).err;
  };
  const std::string note = "JPEG cannot hold xDensity";
  EXPECT_TRUE(has(note_of({"--set", "xDensity=70000"}, "o.jpg"), note));
  EXPECT_FALSE(has(note_of({"--set", "xDensity=40000"}, "o.jpg"), note));
  // There are twice as many pixels down.
  EXPECT_TRUE(
      has(note_of({"--set", "xDensity=40000", "--set", "pixelAspectRatio=2"}, "o.jpg"), note));
}

TEST_F(SetEntries, LeaveBlocksAsTheyAreThatNothingHereKnows) {
  const std::string unknown = segment(0xe5, "private") + segment(0xeb, "JP....jumbf....c2pa"),
                    comments = segment(0xfe, "first") + segment(0xfe, "second"),
                    broken = segment(0xe1, std::string("Exif\0\0garbage", 13));
  write_jpeg("in.jpg", segment(0xe0, "JFXX") + unknown + comments + broken, "trailer");
  const Outcome outcome = convert({"-v", "--set", "Artist=me", "--in-place", "in.jpg"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.err, "cuimg: in.jpg -> in.jpg\n");
  const std::string file = read_file(folder_ / "in.jpg");
  for (const std::string& part : {segment(0xe0, "JFXX"), unknown, comments, broken})
    EXPECT_TRUE(has(file, part)) << part;
  EXPECT_TRUE(file.ends_with("\xff\xd9trailer"));
  EXPECT_EQ(std::get<std::string>(read_image(folder_ / "in.jpg").spec().metadata.at("Author")),
            "me");
  // With policies that leave out unknown blocks, and after stages that move or change pixels.
  EXPECT_EQ(convert({"--metadata", "private", "in.jpg", "private.jpg"}).exit, 0);
  EXPECT_FALSE(has(read_file(folder_ / "private.jpg"), "private"));
  const std::string left_out =
      "blocks that are valid only for the original file are left out: APP0, APP5, APP11 (C2PA)";
  for (const std::string stage : {"flip", "invert"}) {
    const Outcome changed = cuimg({stage, "-v", "in.jpg", stage + ".jpg"});
    EXPECT_EQ(changed.exit, 0);
    EXPECT_TRUE(has(changed.err, left_out)) << stage << changed.err;
    EXPECT_FALSE(has(read_file(folder_ / (stage + ".jpg")), "c2pa")) << stage;
    EXPECT_EQ(cuimg({stage, "in.jpg", stage + ".jpg"}).err, "");
  }
  const Outcome replaced = cuimg({"flip", "--in-place", "in.jpg"});
  EXPECT_EQ(replaced.exit, 0);
  EXPECT_TRUE(has(replaced.err, left_out)) << replaced.err;
}

TEST_F(SetEntries, SayNothingOfPixelsThatStay) {
  const std::vector<std::byte> file = made_jpeg(
      {.width = 16, .height = 16, .channels = 4, .sampling = {{1, 1}, {1, 1}, {1, 1}, {1, 1}}},
      std::vector<unsigned char>(1024, 90));
  folder_.write("cmyk.jpg", std::string(text_of_bytes(file)));
  EXPECT_EQ(convert({"-v", "--set", "Artist=me", "--in-place", "cmyk.jpg"}).err,
            "cuimg: cmyk.jpg -> cmyk.jpg\n");
  EXPECT_TRUE(has(convert({"-v", "cmyk.jpg", "o.png"}).err, "CMYK is converted to RGB"));
}

TEST_F(SetEntries, KeepPathsWhereThePictureStays) {
  const std::string path = std::string("8BIM\x07\xd0\x06Path 1\0\0\0\0\x04", 18) + "body";
  const Bytes file = made([&](TIFF* t) {
    describe(t, 2, 1, 8, 1, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(t, TIFFTAG_PHOTOSHOP, static_cast<std::uint32_t>(path.size()), path.data());
    write_rows(t, {{1, 2}});
  });
  folder_.write("in.tif", std::string(text_of_bytes(file)));
  EXPECT_EQ(convert({"--set", "Artist=me", "--in-place", "in.tif"}).exit, 0);
  EXPECT_TRUE(has(read_file(folder_ / "in.tif"), path));
  EXPECT_EQ(cuimg({"invert", "in.tif", "o.jpg"}).exit, 0);
  EXPECT_TRUE(has(read_file(folder_ / "o.jpg"), path));
  const Outcome turned = cuimg({"flop", "-v", "in.tif", "turned.tif"});
  EXPECT_TRUE(has(turned.err, "Photoshop's paths and guides are left out")) << turned.err;
  EXPECT_FALSE(has(read_file(folder_ / "turned.tif"), path));
  EXPECT_EQ(convert({"--metadata", "private", "in.tif", "private.tif"}).exit, 0);
  EXPECT_FALSE(has(read_file(folder_ / "private.tif"), path));
}

}  // namespace
}  // namespace cuimg::test
