// SPDX-License-Identifier: Apache-2.0
// Entries that an output's format cannot hold, or that its pixels make untrue.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

class LostEntries : public ProgramFolder {
 protected:
  void write_xmp(const std::string& content) const {
    Spec spec = spec_of({0, 0, 16, 16}, PixelType::u8, 3);
    spec.metadata["xmp"] = bytes_of_text(
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
        "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" "
        "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:rights>Me</dc:rights>" +
        content + "<dc:source>" + std::string(70000, 's') +
        "</dc:source></rdf:Description></rdf:RDF></x:xmpmeta>");
    write_image(folder_ / "in.tif", noise(spec), *codec_named("tif"));
  }
};

TEST_F(LostEntries, LargeXmpOfOneDescriptionIsNotAmongThem) {
  write_xmp("");
  EXPECT_EQ(cuimg({"resize", "--size", "8x8", "in.tif", "out.jpg"}).err, "");
  expect_made({"convert", "out.jpg", "back.png"});
  EXPECT_TRUE(has(read_file(folder_ / "back.png"), std::string(70000, 's')));
  if (run({"exiftool", "-ver"}).exit != 0) return;
  const Outcome listed =
      run({"exiftool", "-XMP-dc:Rights", "-XMP-dc:Source", "-warning", "-b", "out.jpg"},
          {.folder = folder_.path()});
  EXPECT_EQ(listed.out.size(), 70002u) << listed.out.substr(0, 200);
}

TEST_F(LostEntries, XmpThatCannotBeSplitIsOneWithAWarning) {
  write_xmp("<!-- a comment -->");
  const Outcome outcome = cuimg({"convert", "in.tif", "out.jpg"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_TRUE(has(outcome.err, "JPEG cannot hold XMP of 70")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "it is left out")) << outcome.err;
  EXPECT_EQ(cuimg({"convert", "in.tif", "out.bmp"}).err, "");  // no BMP holds any
}

TEST_F(LostEntries, AViewIsOneIfPixelsMove) {
  folder_.write("in.hdr", "#?RADIANCE\nVIEW= -vp 0 0 0\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n" +
                              std::string(8, '\x80'));
  for (const std::string stage : {"convert", "exposure"}) {
    expect_made({stage, "in.hdr", "out.hdr"});
    EXPECT_TRUE(has(read_file(folder_ / "out.hdr"), "VIEW= -vp 0 0 0\n")) << stage;
  }
  const Outcome outcome = cuimg({"flop", "-v", "in.hdr", "out.hdr"});
  EXPECT_FALSE(has(read_file(folder_ / "out.hdr"), "VIEW"));
  EXPECT_TRUE(has(outcome.err, "hdr:VIEW is left out, since pixels move")) << outcome.err;
}

}  // namespace
}  // namespace cuimg::test
