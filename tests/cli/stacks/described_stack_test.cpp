// SPDX-License-Identifier: Apache-2.0
// TIFF files of microscopes: ImageJ's stacks with one directory, descriptions that state a file's
// pictures, and densities without a unit.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "io/codec_helpers.h"
#include "io/made_tiff.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

const std::string imagej = "ImageJ=1.54f\nimages=3\nslices=3\nunit=um\n";
const std::string shape = R"({"shape": [1, 4]})", named = R"({"shape": [1, 4], "axes": "YX"})";
const std::string ome =
    "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image/></OME>";

// A page of 4x2 whose values count from `first`, with a description.
Bytes page(const std::string& description, const char* mode = "wl", int compression = 1) {
  return made(
      [&](TIFF* t) {
        describe(t, 4, 2, 16, 1, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(t, TIFFTAG_COMPRESSION, compression);
        TIFFSetField(t, TIFFTAG_IMAGEDESCRIPTION, description.c_str());
        for (std::uint32_t y = 0; y < 2; ++y) {
          std::uint16_t row[4];
          for (std::uint32_t x = 0; x < 4; ++x) row[x] = static_cast<std::uint16_t>(4 * y + x);
          ASSERT_EQ(1, TIFFWriteScanline(t, row, y, 0));
        }
      },
      mode);
}

// A stack as ImageJ writes it: the directory first, then the planes. Each plane's values are 100
// more than the plane's before it.
Bytes stack(bool big_endian, int planes) {
  const int width = 4, height = 2, text_at = 10 + 9 * 12 + 4;
  Blob file;
  append_bytes(file, bytes_of_text(big_endian ? std::string("MM\0*", 4) : std::string("II*\0", 4)));
  const auto number = [&](std::uint64_t value, std::size_t bytes) {
    append_number(file, value, bytes, big_endian);
  };
  const auto entry = [&](std::uint64_t tag, std::uint64_t type, std::uint64_t count,
                         std::uint64_t value) {
    number(tag, 2), number(type, 2), number(count, 4);
    const bool is_short = type == 3;
    number(value, is_short ? 2 : 4);
    if (is_short) number(0, 2);
  };
  number(8, 4);
  number(9, 2);
  entry(256, 3, 1, width), entry(257, 3, 1, height), entry(258, 3, 1, 16), entry(259, 3, 1, 1);
  entry(262, 3, 1, 1), entry(270, 2, imagej.size() + 1, text_at);
  entry(273, 4, 1, text_at + imagej.size() + 1);
  entry(278, 3, 1, height), entry(279, 4, 1, width * height * 2);
  number(0, 4);
  append_bytes(file, bytes_of_text(imagej));
  number(0, 1);
  for (int plane = 0; plane < planes; ++plane)
    for (int i = 0; i < width * height; ++i) number(static_cast<std::uint64_t>(100 * plane + i), 2);
  return file;
}

class DescribedStack : public ProgramFolder {
 protected:
  void write(const std::string& name, const Bytes& bytes) const {
    folder_.write(name, std::string(text_of_bytes(bytes)));
  }
  std::string description_of(const std::string& name) const {
    const Metadata metadata = read_image(folder_ / name).spec().metadata;
    const auto* const text = find_entry<std::string>(metadata, "comments");
    return text == nullptr ? "" : *text;
  }
};

TEST_F(DescribedStack, OfOneDirectoryIsReadWhole) {
  for (const bool big_endian : {false, true}) {
    write("in.tif", stack(big_endian, 3));
    const std::vector<Image> parts = read_parts(folder_ / "in.tif");
    ASSERT_EQ(parts.size(), 3u);
    for (int i = 0; i < 3; ++i) {
      const std::vector<int> found = values(parts[static_cast<std::size_t>(i)]);
      ASSERT_EQ(found.size(), 8u);
      for (int k = 0; k < 8; ++k) EXPECT_EQ(found[static_cast<std::size_t>(k)], 100 * i + k);
    }
    EXPECT_EQ(cuimg({"flip", "in.tif", "out.tif"}).err, "");
    EXPECT_EQ(read_parts(folder_ / "out.tif").size(), 3u);
    EXPECT_EQ(description_of("out.tif"), imagej);
    EXPECT_EQ(cuimg({"checksum", "out.tif"}).exit, 0);
  }
}

TEST_F(DescribedStack, ThatIsNotAllThereIsSaid) {
  write("short.tif", stack(true, 2));
  write("packed.tif", page(imagej, "wl", COMPRESSION_ADOBE_DEFLATE));
  for (const std::string name : {"short.tif", "packed.tif"}) {
    const Outcome outcome = cuimg({"flip", name, "out.tif"});
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_TRUE(has(outcome.err, "pictures of ImageJ's stack that cannot be found are left out: 2"))
        << outcome.err;
    EXPECT_TRUE(has(outcome.err, "the description by ImageJ is left out")) << outcome.err;
    EXPECT_EQ(description_of("out.tif"), "");
    EXPECT_EQ(cuimg({"flip", "--in-place", name}).exit, 2);
  }
}

TEST_F(DescribedStack, KeepsADescriptionThatIsRightOnly) {
  for (const auto& [text, describer] : {std::pair{named, "tifffile"}, {ome, "OME-XML"}}) {
    write("in.tif", page(text));
    EXPECT_EQ(cuimg({"flip", "in.tif", "out.tif"}).err, "");
    EXPECT_EQ(description_of("out.tif"), text);
    for (const Words& change :
         {Words{"resize", "--size", "2x1"}, Words{"convert", "--type", "u8"}, Words{"rotate90"}}) {
      Words words = change;
      words.insert(words.end(), {"in.tif", "out.tif"});
      const Outcome outcome = cuimg(words);
      EXPECT_TRUE(has(outcome.err,
                      std::string("the description by ") + describer +
                          " is left out: the size, type or number of the pictures has changed"))
          << outcome.err;
      EXPECT_EQ(description_of("out.tif"), "");
    }
  }
  write("in.tif", stack(false, 3));
  EXPECT_EQ(cuimg({"convert", "--part", "0", "in.tif", "one.tif"}).exit, 0);
  EXPECT_EQ(description_of("one.tif"), "");
  write("in.tif", page("slices=2"));
  EXPECT_EQ(cuimg({"resize", "--size", "2x1", "in.tif", "small.tif"}).exit, 0);
  EXPECT_EQ(description_of("small.tif"), "slices=2");
}

TEST_F(DescribedStack, KeepsNoDescriptionOfSamplesThatAreStoredAsOthers) {
  const auto picture = [](int samples, int tag, int value) {
    return made([&](TIFF* t) {
      describe(t, 4, 1, 16, samples, samples == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
      TIFFSetField(t, static_cast<std::uint32_t>(tag), value);
      TIFFSetField(t, TIFFTAG_IMAGEDESCRIPTION, ome.c_str());
      std::uint16_t row[4] = {1, 2, 3, 4};
      for (int plane = 0; plane < samples; ++plane)
        ASSERT_EQ(1, TIFFWriteScanline(t, row, 0, static_cast<std::uint16_t>(plane)));
    });
  };
  for (const Bytes& file : {picture(1, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_INT),
                            picture(3, TIFFTAG_PLANARCONFIG, PLANARCONFIG_SEPARATE)}) {
    write("in.tif", file);
    const Outcome outcome = cuimg({"flip", "in.tif", "out.tif"});
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_TRUE(has(outcome.err, "the description by OME-XML is left out")) << outcome.err;
    EXPECT_EQ(description_of("out.tif"), "");
  }
}

// 32-bit integers become float, and 1 and 12 bits become 8 and 16.
TEST_F(DescribedStack, KeepsNoDescriptionOfSamplesOfAnotherType) {
  const auto picture = [](int bits, int format) {
    return made([&](TIFF* t) {
      describe(t, 2, 1, bits, 1, PHOTOMETRIC_MINISBLACK);
      TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, format);
      TIFFSetField(t, TIFFTAG_IMAGEDESCRIPTION, ome.c_str());
      write_rows(t, {std::vector<unsigned char>(16)});
    });
  };
  for (const auto& [bits, format] : {std::pair{32, SAMPLEFORMAT_UINT},
                                     {32, SAMPLEFORMAT_INT},
                                     {64, SAMPLEFORMAT_IEEEFP},
                                     {1, SAMPLEFORMAT_UINT},
                                     {12, SAMPLEFORMAT_UINT}}) {
    write("in.tif", picture(bits, format));
    const Outcome outcome = cuimg({"flip", "in.tif", "out.tif"});
    EXPECT_EQ(outcome.exit, 0);
    EXPECT_TRUE(has(outcome.err, "the description by OME-XML is left out")) << bits << outcome.err;
    EXPECT_EQ(description_of("out.tif"), "");
  }
  for (const auto& [bits, format] : {std::pair{8, SAMPLEFORMAT_UINT},
                                     {16, SAMPLEFORMAT_UINT},
                                     {16, SAMPLEFORMAT_IEEEFP},
                                     {32, SAMPLEFORMAT_IEEEFP}}) {
    write("in.tif", picture(bits, format));
    EXPECT_EQ(cuimg({"flip", "in.tif", "out.tif"}).err, "");
    EXPECT_EQ(description_of("out.tif"), ome);
  }
}

// tifffile writes the shape into each file, and nothing is lost without it.
TEST_F(DescribedStack, AShapeAloneGoesWithoutAWarning) {
  write("in.tif", page(shape));
  EXPECT_EQ(cuimg({"flip", "in.tif", "out.tif"}).err, "");
  EXPECT_EQ(description_of("out.tif"), shape);
  EXPECT_EQ(cuimg({"convert", "--type", "u8", "in.tif", "out.tif"}).err, "");
  EXPECT_EQ(description_of("out.tif"), "");
}

// A picture with that density.
Bytes dense(int unit, double x, double y) {
  return made([&](TIFF* t) {
    describe(t, 4, 1, 8, 1, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(t, TIFFTAG_RESOLUTIONUNIT, unit);
    TIFFSetField(t, TIFFTAG_XRESOLUTION, x);
    TIFFSetField(t, TIFFTAG_YRESOLUTION, y);
    write_rows(t, {{1, 2, 3, 4}});
  });
}

// Across, down, and the unit.
std::vector<float> density_of_file(const std::string& path) {
  TIFF* const t = TIFFOpen(path.c_str(), "r");
  float x = 0, y = 0;
  std::uint16_t unit = 0;
  TIFFGetField(t, TIFFTAG_XRESOLUTION, &x);
  TIFFGetField(t, TIFFTAG_YRESOLUTION, &y);
  TIFFGetField(t, TIFFTAG_RESOLUTIONUNIT, &unit);
  TIFFClose(t);
  return {x, y, static_cast<float>(unit)};
}

TEST_F(DescribedStack, KeepsADensityPerCentimetre) {
  const auto density_of = [&](const std::string& name) { return density_of_file(folder_ / name); };
  write("in.tif", dense(RESUNIT_CENTIMETER, 118.11, 118.11));
  ASSERT_EQ(cuimg({"flip", "in.tif", "out.tif"}).exit, 0);
  EXPECT_EQ(density_of("out.tif"), (std::vector<float>{118.11f, 118.11f, RESUNIT_CENTIMETER}));
  write("in.tif", dense(RESUNIT_CENTIMETER, 100, 50));
  ASSERT_EQ(cuimg({"rotate90", "in.tif", "turned.tif"}).exit, 0);
  EXPECT_EQ(density_of("turned.tif"), (std::vector<float>{50, 100, RESUNIT_CENTIMETER}));
  ASSERT_EQ(cuimg({"convert", "--set", "xDensity=254", "in.tif", "set.tif"}).exit, 0);
  EXPECT_EQ(density_of("set.tif"), (std::vector<float>{100, 50, RESUNIT_CENTIMETER}));
  ASSERT_EQ(cuimg({"convert", "in.tif", "out.exr"}).exit, 0);
  ASSERT_EQ(cuimg({"convert", "out.exr", "back.tif"}).exit, 0);
  EXPECT_EQ(density_of("back.tif"), (std::vector<float>{254, 127, RESUNIT_INCH}));
}

TEST_F(DescribedStack, KeepsADensityWithoutAUnit) {
  write("in.tif", dense(RESUNIT_NONE, 4, 2));
  const auto density_of = [&](const std::string& name) { return density_of_file(folder_ / name); };
  ASSERT_EQ(cuimg({"flip", "in.tif", "out.tif"}).exit, 0);
  EXPECT_EQ(density_of("out.tif"), (std::vector<float>{4, 2, RESUNIT_NONE}));
  ASSERT_EQ(cuimg({"rotate90", "in.tif", "turned.tif"}).exit, 0);
  EXPECT_EQ(density_of("turned.tif"), (std::vector<float>{2, 4, RESUNIT_NONE}));
  ASSERT_EQ(cuimg({"convert", "--set", "xDensity=300", "in.tif", "set.tif"}).exit, 0);
  EXPECT_EQ(density_of("set.tif"), (std::vector<float>{300, 150, RESUNIT_INCH}));
}

}  // namespace
}  // namespace cuimg::test
