// SPDX-License-Identifier: Apache-2.0
// TIFF files that cuimg does not keep completely: --in-place refuses them, compare does not report
// them as the same, and info lists the losses.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "io/codec_helpers.h"
#include "io/made_gif.h"
#include "io/made_tiff.h"
#include "support/images.h"
#include "support/made_jpeg.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Row = std::vector<unsigned char>;

void write_page(TIFF* t, int bits = 8, int samples = 1) {
  describe(t, 4, 1, bits, samples, PHOTOMETRIC_MINISBLACK);
  write_rows(t, {Row(static_cast<std::size_t>((bits * samples * 4 + 7) / 8), 7)});
}

Bytes bands(unsigned char last) {
  return made([=](TIFF* t) {
    describe(t, 2, 1, 8, 5, PHOTOMETRIC_MINISBLACK);
    const std::uint16_t extra[4] = {};
    TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 4, extra);
    write_rows(t, {{1, 2, 3, 4, 5, 6, 7, 8, 9, last}});
  });
}

Bytes pyramid() {
  return made([](TIFF* t) {
    std::uint64_t place = 0;
    TIFFSetField(t, TIFFTAG_SUBIFD, 1, &place);
    write_page(t);
    TIFFWriteDirectory(t);
    write_page(t);
    TIFFWriteDirectory(t);
  });
}

Bytes masked() {
  return made([](TIFF* t) {
    write_page(t);
    TIFFWriteDirectory(t);
    TIFFSetField(t, TIFFTAG_SUBFILETYPE, FILETYPE_MASK);
    describe(t, 4, 1, 1, 1, PHOTOMETRIC_MASK);
    write_rows(t, {{0xa0}});
  });
}

Bytes on_the_earth() {
  static const TIFFFieldInfo info[] = {{33550, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_DOUBLE,
                                        FIELD_CUSTOM, 1, 1, const_cast<char*>("ModelPixelScale")}};
  return made([](TIFF* t) {
    TIFFMergeFieldInfo(t, info, 1);
    const double scale[3] = {10, 10, 0};
    TIFFSetField(t, 33550, 3, scale);
    write_page(t);
  });
}

// A picture and a smaller version of it, as viewers of large scans expect.
Bytes pyramid_of_pages() {
  return made([](TIFF* t) {
    write_page(t);
    TIFFWriteDirectory(t);
    TIFFSetField(t, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
    write_page(t);
  });
}

// With the tag of TIFF 5.0, which libtiff does not write.
Bytes old_pyramid_of_pages() {
  std::string file(text_of_bytes(pyramid_of_pages()));
  const std::string now("\xfe\0\4\0\1\0\0\0\1", 9), before("\xff\0\4\0\1\0\0\0\2", 9);
  return bytes_of_text(file.replace(file.find(now), now.size(), before));
}

// Grey with an associated alpha of 100.
Bytes glowing(unsigned char grey) {
  return made([=](TIFF* t) {
    describe(t, 1, 1, 8, 2, PHOTOMETRIC_MINISBLACK);
    const std::uint16_t extra = EXTRASAMPLE_ASSOCALPHA;
    TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, &extra);
    write_rows(t, {{grey, 100}});
  });
}

Bytes jpeg_with(int marker, std::string_view body) {
  Bytes file = made_jpeg({.width = 16, .height = 16}, std::vector<unsigned char>(768, 90));
  Blob segment;
  append_number(segment, static_cast<std::uint64_t>(0xff00 + marker), 2, true);
  append_number(segment, body.size() + 2, 2, true);
  append_bytes(segment, bytes_of_text(body));
  file.insert(file.begin() + 2, segment.begin(), segment.end());
  return file;
}

Bytes doubles() {
  return made([](TIFF* t) {
    TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    write_page(t, 64);
  });
}

class InPlaceLosses : public ProgramFolder {
 protected:
  void write(const std::string& name, const Bytes& bytes) const {
    folder_.write(name, std::string(text_of_bytes(bytes)));
  }
};

TEST_F(InPlaceLosses, AreRefused) {
  for (const auto& [bytes, what] : std::vector<std::pair<Bytes, std::string>>{
           {bands(1), "samples that are neither colour nor alpha are left out: 4 a pixel"},
           {pyramid(), "pictures in SubIFDs are left out: 1"},
           {masked(), "transparency masks are left out: 1 page"},
           {on_the_earth(), "GeoTIFF's place on the earth is left out"},
           {doubles(), "double becomes float"},
           {made([](TIFF* t) { write_page(t, 32); }), "32-bit integers become float"},
           {pyramid_of_pages(), "a smaller version of a picture, as in pyramids, becomes a page"},
           {old_pyramid_of_pages(),
            "a smaller version of a picture, as in pyramids, becomes a page"},
           {made([](TIFF* t) { write_page(t, 12); }), "samples of 12 bits become 16 bits"}}) {
    write("in.tif", bytes);
    const Outcome outcome = cuimg({"flip", "--in-place", "in.tif"});
    EXPECT_EQ(outcome.exit, 2) << what;
    EXPECT_EQ(outcome.err, "cuimg: in.tif: --in-place would not keep all of the file: " + what +
                               ": write to another file\n");
    EXPECT_EQ(read_file(folder_ / "in.tif"), text_of_bytes(bytes)) << what;
    EXPECT_EQ(cuimg({"flip", "in.tif", "out.tif"}).exit, 0) << what;
  }
}

TEST_F(InPlaceLosses, OfAnyFormatAreRefused) {
  folder_.write("two.pgm", "P5 1 1 255\nAP5 1 1 255\nB");
  const Outcome outcome = cuimg({"flip", "--in-place", "two.pgm"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(has(outcome.err, "more pictures follow")) << outcome.err;
}

TEST_F(InPlaceLosses, OfPicturesBehindAJpegAreRefused) {
  const Bytes file = jpeg_with(0xe2, std::string_view("MPF\0II", 6));
  write("in.jpg", file);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"flip"}, {"convert", "--set", "Artist=me"}}) {
    std::vector<std::string> in_place = words;
    in_place.insert(in_place.end(), {"--in-place", "in.jpg"});
    const Outcome outcome = cuimg(in_place);
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_TRUE(has(outcome.err,
                    "--in-place would not keep all of the file: the file lists "
                    "several pictures (MPF)"))
        << outcome.err;
    EXPECT_EQ(read_file(folder_ / "in.jpg"), text_of_bytes(file));
  }
  EXPECT_EQ(cuimg({"flip", "in.jpg", "out.jpg"}).exit, 0);
}

TEST_F(InPlaceLosses, OfAProfileThatIsNotUsedAreRefused) {
  const std::string profile(200, 'x');
  const Bytes file = made([&](TIFF* t) {
    TIFFSetField(t, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(profile.size()), profile.data());
    write_page(t);
  });
  write("in.tif", file);
  const Outcome outcome = cuimg({"flip", "--in-place", "in.tif"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(has(outcome.err, "its ICC profile, which is not used, is left out")) << outcome.err;
  EXPECT_EQ(read_file(folder_ / "in.tif"), text_of_bytes(file));
  // Keeping a JPEG's blocks keeps the profile; encoding its pixels does not.
  const Bytes jpeg = jpeg_with(0xe2, std::string("ICC_PROFILE\0\1\1", 14) + profile);
  write("in.jpg", jpeg);
  EXPECT_EQ(cuimg({"flip", "--in-place", "in.jpg"}).exit, 0);
  EXPECT_TRUE(has(read_file(folder_ / "in.jpg"), profile));
  EXPECT_EQ(cuimg({"invert", "--in-place", "in.jpg"}).exit, 2);
}

TEST_F(InPlaceLosses, OfColoursAboveTheirAlphaAreRefused) {
  write("in.tif", glowing(101));
  const Outcome outcome = cuimg({"flip", "--in-place", "in.tif"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err,
            "cuimg: in.tif: --in-place would cut off colours above their alpha: write to another "
            "file\n");
  EXPECT_EQ(read_file(folder_ / "in.tif"), text_of_bytes(glowing(101)));
  EXPECT_EQ(cuimg({"flip", "in.tif", "out.tif"}).exit, 0);
  EXPECT_EQ(cuimg({"flip", "--raw", "--in-place", "in.tif"}).exit, 0);
  write("in.tif", glowing(100));
  EXPECT_EQ(cuimg({"flip", "--in-place", "in.tif"}).exit, 0);
}

// A scanner's program may name files in this way. By the name, an output would have another format.
TEST_F(InPlaceLosses, OfAFormatUnderTheNameOfAnotherAreRefused) {
  const Bytes tiff = made([](TIFF* t) { write_page(t, 16); });
  const Bytes jpeg = jpeg_with(0xe5, "x");
  const MadeGif gif{.width = 1,
                    .height = 1,
                    .colors = {{1, 2, 3}, {4, 5, 6}},
                    .frames = {{.width = 1, .height = 1, .indices = {0}}}};
  for (const auto& [bytes, name, what] : std::vector<std::tuple<Bytes, std::string, std::string>>{
           {tiff, "in.jpg",
            "its content is TIFF, and --in-place would store JPEG under this name: rename it to "
            "end in .tif, or write to another file"},
           {jpeg, "in.png",
            "its content is JPEG, and --in-place would store PNG under this name: rename it to "
            "end in .jpg, or write to another file"},
           {gif.bytes(), "in.png",
            "its content is GIF, and --in-place would store PNG under this name: write to another "
            "file"}}) {
    write(name, bytes);
    const Outcome outcome = cuimg({"convert", "--set", "Artist=me", "--in-place", name});
    EXPECT_EQ(outcome.exit, 2) << name;
    EXPECT_EQ(read_file(folder_ / name), text_of_bytes(bytes)) << name;
    EXPECT_EQ(outcome.err, "cuimg: " + name + ": " + what + "\n");
  }
  write("in.tiff", tiff);
  EXPECT_EQ(cuimg({"convert", "--in-place", "in.tiff"}).exit, 0);
  folder_.write("in.pgm", "P5 1 1 255\nA");
  EXPECT_EQ(cuimg({"convert", "--in-place", "in.pgm"}).exit, 0);
}

// The extension of a variant that holds less than its format: grey only, or no alpha.
TEST_F(InPlaceLosses, OfAVariantUnderTheNameOfAnotherAreRefused) {
  for (const auto& [name, text] :
       {std::pair{"in.pgm", "P6 1 1 255\nABC"},
        {"in.ppm",
         "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nABCD"}}) {
    folder_.write(name, text);
    EXPECT_EQ(cuimg({"convert", "--in-place", name}).exit, 2) << name;
    EXPECT_EQ(read_file(folder_ / name), text) << name;
  }
  folder_.write("in.ppm", "P6 1 1 255\nABC");
  EXPECT_EQ(cuimg({"convert", "--in-place", "in.ppm"}).exit, 0);
}

TEST_F(InPlaceLosses, AreNoneOfPlainFiles) {
  for (const int bits : {1, 4, 8, 16}) {
    write("in.tif", made([&](TIFF* t) { write_page(t, bits); }));
    const Outcome outcome = cuimg({"flip", "--in-place", "in.tif"});
    EXPECT_EQ(outcome.exit, 0) << bits << outcome.err;
  }
}

TEST_F(InPlaceLosses, AreNotTheSameToCompare) {
  write("a.tif", bands(1));
  write("b.tif", bands(2));
  const Outcome outcome = cuimg({"compare", "a.tif", "b.tif"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_TRUE(has(outcome.out, "what is left out of both files is not compared")) << outcome.out;
  EXPECT_EQ(cuimg({"compare", "--allow-parts", "a.tif", "b.tif"}).exit, 0);
  EXPECT_EQ(cuimg({"compare", "a.tif", "a.tif"}).exit, 0);
  EXPECT_EQ(cuimg({"compare", "--nan", "fails", "a.tif", "a.tif"}).exit, 0);
  EXPECT_EQ(cuimg({"compare", "-q", "a.tif", "b.tif"}).err, "");
}

TEST_F(InPlaceLosses, AreFactsOfInfo) {
  write("a.tif", bands(1));
  const Outcome outcome = cuimg({"info", "a.tif"});
  EXPECT_TRUE(has(outcome.out, "  samples          5, of which the first is read\n"))
      << outcome.out;
  EXPECT_EQ(nlohmann::json::parse(cuimg({"info", "--json", "a.tif"}).out)["facts"]["samples"],
            "5, of which the first is read");
}

}  // namespace
}  // namespace cuimg::test
