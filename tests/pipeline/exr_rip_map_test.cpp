// SPDX-License-Identifier: Apache-2.0
// EXR files that contain a picture at each combination of several widths and heights.
#include <OpenEXR/ImfTileDescription.h>
#include <gtest/gtest.h>

#include "io/codec.h"
#include "kernels/math/half.h"
#include "support/exr_planes.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

const std::map<std::string, Imf::PixelType> rgba = {
    {"R", Imf::HALF}, {"G", Imf::HALF}, {"B", Imf::HALF}, {"A", Imf::FLOAT}, {"id", Imf::UINT}};

Imf::Header rip_header(int width, int height, Imf::LevelRoundingMode rounding,
                       const std::string& part = "") {
  Imf::Header header = exr_header_of(Imath::Box2i({-7, 3}, {width - 8, height + 2}), rgba, part);
  header.setTileDescription(Imf::TileDescription(16, 24, Imf::RIPMAP_LEVELS, rounding));
  return header;
}

class ExrRipMap : public ProgramFolder {
 protected:
  void expect_kept(const std::string& name, int part = 0) const {
    EXPECT_EQ(exr_planes(folder_ / name, part), exr_planes(folder_ / "in.exr", part));
    const Imf::Header out = exr_header_in(folder_ / name, part);
    const Imf::Header in = exr_header_in(folder_ / "in.exr", part);
    EXPECT_EQ(out.hasTileDescription(), in.hasTileDescription());
    if (in.hasTileDescription()) {
      EXPECT_EQ(out.tileDescription(), in.tileDescription());
    }
    EXPECT_EQ(out.dataWindow(), in.dataWindow());
    EXPECT_EQ(out.displayWindow(), in.displayWindow());
    EXPECT_EQ(out.compression(), in.compression());
  }
};

TEST_F(ExrRipMap, ConvertKeepsEveryLevel) {
  for (const Imf::Compression compression : {Imf::ZIP_COMPRESSION, Imf::PIZ_COMPRESSION})
    for (const Imf::LevelRoundingMode rounding : {Imf::ROUND_DOWN, Imf::ROUND_UP})
      for (const auto& [width, height] : {std::pair{61, 43}, {1, 37}, {90, 1}, {1, 1}}) {
        Imf::Header header = rip_header(width, height, rounding);
        header.compression() = compression;
        write_exr_noise(folder_ / "in.exr", {header});
        expect_made({"convert", "in.exr", "out.exr"});
        if (width * height > 1) expect_kept("out.exr");
        expect_made({"convert", "--threads", "1", "in.exr", "again.exr"});
        EXPECT_EQ(read_file(folder_ / "out.exr"), read_file(folder_ / "again.exr"));
      }
}

TEST_F(ExrRipMap, LevelsAreConvertedAsThePictureIs) {
  write_exr_noise(folder_ / "in.exr", {rip_header(61, 43, Imf::ROUND_UP)});
  expect_made({"convert", "--type", "float", "in.exr", "out.exr"});
  ExrPlanes wanted = exr_planes(folder_ / "in.exr");
  for (auto& [name, plane] : wanted) {
    if (plane.type != Imf::HALF) continue;
    plane.type = Imf::FLOAT;
    for (auto& [level, samples] : plane.levels)
      for (std::uint32_t& bits : samples)
        bits = std::bit_cast<std::uint32_t>(half_to_float({static_cast<std::uint16_t>(bits)}));
  }
  EXPECT_EQ(wanted.at("R").levels.size(), 7u * 7u);
  EXPECT_EQ(exr_planes(folder_ / "out.exr"), wanted);
}

TEST_F(ExrRipMap, IsKeptInPartsNextToMipMapsAndRows) {
  Imf::Header mip = rip_header(61, 43, Imf::ROUND_DOWN, "mip");
  mip.setTileDescription(Imf::TileDescription(32, 16, Imf::MIPMAP_LEVELS, Imf::ROUND_UP));
  write_exr_noise(folder_ / "in.exr", {rip_header(40, 21, Imf::ROUND_DOWN, "rip"), mip,
                                       exr_header_of(Imath::Box2i({0, 0}, {30, 20}), rgba, "rows"),
                                       rip_header(17, 80, Imf::ROUND_UP, "other rip")});
  expect_made({"convert", "in.exr", "out.exr"});
  for (const int part : {0, 1, 2, 3}) expect_kept("out.exr", part);
}

TEST_F(ExrRipMap, IsLeftOutByStagesAndOtherFormats) {
  write_exr_noise(folder_ / "in.exr", {rip_header(61, 43, Imf::ROUND_DOWN)});
  const auto explained = [&](const Words& words) {
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome.out + outcome.err;
  };
  EXPECT_NE(
      explained({"convert", "--explain", "in.exr", "out.exr"}).find("rip levels, as the input"),
      std::string::npos);
  for (const Words& stage : std::vector<Words>{{"flop"}, {"resize", "--size", "20x11"}}) {
    Words words = stage;
    words.insert(words.end(), {"--explain", "in.exr", "out.exr"});
    EXPECT_NE(explained(words).find("rip levels are left out"), std::string::npos);
    EXPECT_EQ(exr_header_in(folder_ / "out.exr").tileDescription(),
              Imf::TileDescription(16, 24, Imf::ONE_LEVEL));
  }
  expect_made({"convert", "in.exr", "out.tif"});
  expect_made({"mip", "in.exr", "out.exr"});
  EXPECT_EQ(exr_header_in(folder_ / "out.exr").tileDescription().mode, Imf::MIPMAP_LEVELS);
  EXPECT_NE(cuimg({"info", "in.exr"}).out.find("rip levels       6x6"), std::string::npos);
}

TEST_F(ExrRipMap, LevelsAreOpenedByWidthAndHeight) {
  write_exr_noise(folder_ / "in.exr", {rip_header(61, 43, Imf::ROUND_DOWN)});
  const auto decoder = open_image(ByteSource::open(folder_ / "in.exr"), {});
  EXPECT_EQ(decoder->spec().storage.rip_across, 6);
  EXPECT_EQ(decoder->open_level({2, 0})->spec().data_window, (Rect{-7, 3, 15, 43}));
  EXPECT_EQ(decoder->open_level({0, 5})->spec().data_window, (Rect{-7, 3, 61, 1}));
  EXPECT_THROW(decoder->open_level({6, 0}), Error);
  EXPECT_THROW(decoder->open_level({0, -1}), Error);
  EXPECT_EQ(read_image(folder_ / "in.exr", {.mip_level = 2}).spec().data_window,
            (Rect{-7, 3, 15, 10}));
}

}  // namespace
}  // namespace cuimg::test
