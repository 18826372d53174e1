// SPDX-License-Identifier: Apache-2.0
// TIFF files of which cuimg keeps less than all: --in-place refuses them, compare does not call
// them the same, and info says it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "io/codec_helpers.h"
#include "io/made_tiff.h"
#include "support/images.h"
#include "support/process.h"

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

Bytes doubles() {
  return made([](TIFF* t) {
    TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    write_page(t, 64);
  });
}

class InPlaceLosses : public testing::Test {
 protected:
  void write(const std::string& name, const Bytes& bytes) const {
    folder_.write(name, std::string(text_of_bytes(bytes)));
  }
  Outcome cuimg(std::vector<std::string> words) const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    return run(words, {.folder = folder_.path().string()});
  }
  const TempDir folder_;
};

TEST_F(InPlaceLosses, AreRefused) {
  for (const auto& [bytes, what] : std::vector<std::pair<Bytes, std::string>>{
           {bands(1), "samples that are neither colour nor alpha are left out: 4 a pixel"},
           {pyramid(), "pictures in SubIFDs are left out: 1"},
           {masked(), "transparency masks are left out: 1 page"},
           {on_the_earth(), "GeoTIFF's place on the earth is left out"},
           {doubles(), "double becomes float"},
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
