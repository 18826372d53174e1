// SPDX-License-Identifier: Apache-2.0
// TIFF files whose directory holds several planes because of a tag: volumes with SGI's ImageDepth,
// and MetaMorph's stacks.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "io/codec_helpers.h"
#include "io/made_tiff.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

constexpr std::uint32_t width = 4, height = 2, depth = 3;

struct Volume {
  int compression = COMPRESSION_NONE;
  std::uint32_t planes = depth;  ///< That are in the file.
  int changed_plane = -1;        ///< The plane whose values are 1 larger.
  int pages = 1;
  bool is_tiled = false;
  std::uint32_t tile_depth = 1;  ///< As the tag says; only a tile's first plane is written.
};

constexpr std::uint32_t tile_side = 16;
using Tile = std::array<std::uint16_t, std::size_t{tile_side} * tile_side>;

// Each plane's values are 100 more than those of the plane before it, each page's 1000 more.
Bytes volume(const Volume& v) {
  return made([&](TIFF* t) {
    for (int page = 0; page < v.pages; ++page) {
      describe(t, width, height, 16, 1, PHOTOMETRIC_MINISBLACK);
      TIFFSetField(t, TIFFTAG_IMAGEDEPTH, depth);
      TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, 1);
      TIFFSetField(t, TIFFTAG_COMPRESSION, v.compression);
      if (page == 0) TIFFSetField(t, TIFFTAG_IMAGEDESCRIPTION, R"({"shape": [3, 2, 4]})");
      if (v.is_tiled) {
        TIFFSetField(t, TIFFTAG_TILEWIDTH, tile_side);
        TIFFSetField(t, TIFFTAG_TILELENGTH, tile_side);
        if (v.tile_depth > 1) TIFFSetField(t, TIFFTAG_TILEDEPTH, v.tile_depth);
      }
      Tile tile = {};
      for (std::uint32_t y = 0; y < v.planes * height; ++y) {
        const std::uint32_t plane = y / height;
        std::uint16_t row[width];
        for (std::uint32_t x = 0; x < width; ++x)
          row[x] = static_cast<std::uint16_t>(1000 * page + 100 * plane + y % height * width + x +
                                              (static_cast<int>(plane) == v.changed_plane ? 1 : 0));
        std::copy_n(row, width, &tile[y % height * tile_side]);
        if (!v.is_tiled) {
          ASSERT_GE(TIFFWriteEncodedStrip(t, y, row, sizeof row), 0);
        } else if (y % height == height - 1 && plane % v.tile_depth == 0) {
          ASSERT_GE(TIFFWriteEncodedTile(t, plane / v.tile_depth, tile.data(), sizeof tile), 0);
        }
      }
      TIFFWriteDirectory(t);
    }
  });
}

// A volume of doubles that are 1 and, in the last plane, `last`.
Bytes volume_of_doubles(double last) {
  return made([&](TIFF* t) {
    describe(t, 1, 1, 64, 1, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    TIFFSetField(t, TIFFTAG_IMAGEDEPTH, 2);
    for (std::uint32_t plane = 0; plane < 2; ++plane) {
      double value = plane == 0 ? 1 : last;
      ASSERT_GE(TIFFWriteEncodedStrip(t, plane, &value, sizeof value), 0);
    }
  });
}

// A stack as MetaMorph writes it: strips of the first plane, then the other planes, and a tag whose
// count is the number of planes.
Bytes metamorph(std::uint32_t planes_in_file) {
  constexpr std::uint32_t entries = 9, pixels_at = 8 + 2 + entries * 12 + 4 + depth * 24;
  Blob file;
  append_bytes(file, bytes_of_text(std::string("II*\0", 4)));
  const auto number = [&](std::uint64_t value, std::size_t bytes) {
    append_number(file, value, bytes, false);
  };
  const auto entry = [&](std::uint64_t tag, std::uint64_t type, std::uint64_t count,
                         std::uint64_t value) {
    number(tag, 2), number(type, 2), number(count, 4), number(value, 4);
  };
  number(8, 4), number(entries, 2);
  entry(256, 3, 1, width), entry(257, 3, 1, height), entry(258, 3, 1, 16), entry(259, 3, 1, 1);
  entry(262, 3, 1, 1), entry(273, 4, 1, pixels_at), entry(278, 3, 1, height);
  entry(279, 4, 1, width * height * 2), entry(33629, 5, depth, pixels_at - depth * 24);
  number(0, 4);
  file.resize(pixels_at);
  for (std::uint32_t plane = 0; plane < planes_in_file; ++plane)
    for (std::uint32_t i = 0; i < width * height; ++i) number(100 * plane + i, 2);
  return file;
}

class VolumeTiff : public ProgramFolder {
 protected:
  void write(const std::string& name, const Bytes& bytes) const {
    folder_.write(name, std::string(text_of_bytes(bytes)));
  }
  std::string description_of(const std::string& name) const {
    const Metadata metadata = read_image(folder_ / name).spec().metadata;
    const auto* const text = find_entry<std::string>(metadata, "comments");
    return text == nullptr ? "" : *text;
  }
  void expect_planes(const std::string& name, int pages) const {
    const std::vector<Image> parts = read_parts(folder_ / name);
    ASSERT_EQ(parts.size(), static_cast<std::size_t>(pages) * depth);
    for (int i = 0; i < pages * static_cast<int>(depth); ++i) {
      const std::vector<int> found = values(parts[static_cast<std::size_t>(i)]);
      ASSERT_EQ(found.size(), width * height);
      for (int k = 0; k < static_cast<int>(found.size()); ++k)
        EXPECT_EQ(found[static_cast<std::size_t>(k)], 1000 * (i / 3) + 100 * (i % 3) + k);
    }
  }
};

TEST_F(VolumeTiff, HasItsPlanesAsParts) {
  for (const int pages : {1, 2}) {
    write("in.tif", volume({.pages = pages}));
    expect_planes("in.tif", pages);
    EXPECT_EQ(cuimg({"convert", "in.tif", "out.tif"}).err, "");
    expect_planes("out.tif", pages);
    EXPECT_EQ(description_of("out.tif"), R"({"shape": [3, 2, 4]})");
  }
  write("in.tif", volume({}));
  write("other.tif", volume({.changed_plane = 2}));
  EXPECT_EQ(cuimg({"compare", "in.tif", "other.tif"}).exit, 1);
  EXPECT_EQ(cuimg({"flip", "--in-place", "in.tif"}).exit, 0);
  EXPECT_EQ(read_parts(folder_ / "in.tif").size(), depth);
}

TEST_F(VolumeTiff, ThatIsCompressedOrInTilesHasItsPlanesAsParts) {
  for (const bool is_tiled : {false, true})
    for (const int compression :
         {COMPRESSION_NONE, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_LZW, COMPRESSION_PACKBITS})
      for (const int pages : {1, 2}) {
        SCOPED_TRACE(compression);
        write("in.tif", volume({.compression = compression, .pages = pages, .is_tiled = is_tiled}));
        expect_planes("in.tif", pages);
        EXPECT_EQ(cuimg({"convert", "in.tif", "out.tif"}).err, "");
        expect_planes("out.tif", pages);
        EXPECT_EQ(description_of("out.tif"), R"({"shape": [3, 2, 4]})");
        Volume other = {.compression = compression, .changed_plane = 2, .pages = pages};
        other.is_tiled = is_tiled;
        write("other.tif", volume(other));
        EXPECT_EQ(cuimg({"compare", "in.tif", "other.tif"}).exit, 1);
        EXPECT_EQ(cuimg({"flip", "--in-place", "in.tif"}).exit, 0);
        EXPECT_EQ(read_parts(folder_ / "in.tif").size(), depth * static_cast<std::size_t>(pages));
      }
}

// A bit of a plane's compressed bytes is another one.
TEST_F(VolumeTiff, ThatIsDamagedIsRefused) {
  Bytes bytes = volume({.compression = COMPRESSION_ADOBE_DEFLATE});
  // The last strip precedes the directory.
  const std::uint64_t directory = number_at(bytes, 4, 4, false);
  bytes[directory - 3] ^= std::byte{0x10};
  write("in.tif", bytes);
  EXPECT_EQ(cuimg({"convert", "--part", "0", "in.tif", "out.tif"}).exit, 0);
  EXPECT_EQ(cuimg({"convert", "in.tif", "out.tif"}).exit, 2);
}

TEST_F(VolumeTiff, InDeepTilesLosesPlanesWithAWarning) {
  write("in.tif", volume({.is_tiled = true, .tile_depth = 2}));
  write("other.tif", volume({.changed_plane = 2, .is_tiled = true, .tile_depth = 2}));
  const Outcome outcome = cuimg({"flip", "in.tif", "out.tif"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_TRUE(has(outcome.err, "planes of a volume are left out: 2")) << outcome.err;
  EXPECT_EQ(description_of("out.tif"), "");
  EXPECT_TRUE(has(cuimg({"info", "in.tif"}).out, "3, of which the first is read"));
  EXPECT_EQ(cuimg({"compare", "in.tif", "other.tif"}).exit, 1);
  EXPECT_EQ(cuimg({"flip", "--in-place", "in.tif"}).exit, 2);
}

TEST_F(VolumeTiff, WithTheStripsOfOnePlaneIsAPicture) {
  for (const int compression : {COMPRESSION_NONE, COMPRESSION_ADOBE_DEFLATE}) {
    write("in.tif", volume({.compression = compression, .planes = 1}));
    EXPECT_EQ(cuimg({"convert", "in.tif", "out.tif"}).err, "");
    EXPECT_EQ(read_parts(folder_ / "out.tif").size(), 1u);
  }
}

TEST_F(VolumeTiff, OfDoublesIsComparedAsStored) {
  write("in.tif", volume_of_doubles(1));
  write("other.tif", volume_of_doubles(1 + 0x1p-40));
  EXPECT_EQ(read_parts(folder_ / "in.tif").size(), 2u);
  const Outcome outcome = cuimg({"compare", "in.tif", "other.tif"});
  EXPECT_TRUE(has(outcome.out + outcome.err, "stored samples differ")) << outcome.out;
}

TEST_F(VolumeTiff, OfMetaMorphHasItsPlanesAsParts) {
  write("in.stk.tif", metamorph(3));
  expect_planes("in.stk.tif", 1);
  EXPECT_EQ(cuimg({"convert", "in.stk.tif", "out.tif"}).exit, 0);
  expect_planes("out.tif", 1);
  write("short.tif", metamorph(2));
  const Outcome outcome = cuimg({"convert", "short.tif", "out.tif"});
  EXPECT_TRUE(
      has(outcome.err, "pictures of MetaMorph's stack that cannot be found are left out: 2"))
      << outcome.err;
  EXPECT_EQ(cuimg({"flip", "--in-place", "short.tif"}).exit, 2);
}

}  // namespace
}  // namespace cuimg::test
