// SPDX-License-Identifier: Apache-2.0
// The order in which an EXR's rows or tiles are stored in the file: outputs keep it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "io/exr/exr_head.h"
#include "support/exr_planes.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;
using Place =
    std::vector<std::int32_t>;  // row, or column and row of a tile and both numbers of its level

const Imath::Box2i window({-3, 5}, {57, 45});
const std::map<std::string, Imf::PixelType> channels = {
    {"R", Imf::HALF}, {"G", Imf::HALF}, {"B", Imf::HALF}, {"Z", Imf::FLOAT}};

class ExrLineOrder : public ProgramFolder {
 protected:
  // The chunks of a file with one part, in the file's order.
  std::vector<Place> chunks(const std::string& name) const {
    const std::string text = read_file(folder_ / name);
    const auto bytes = std::as_bytes(std::span(text));
    const Imf::Header header = exr_header_in(folder_ / name);
    const std::size_t numbers = header.hasTileDescription() ? 4 : 1;
    std::vector<Place> places;
    ExrHeadAttributes attributes(bytes);
    while (attributes.next()) {
    }
    for (std::size_t at = attributes.value_end() + 8 * exr_chunk_count(header);
         at < bytes.size();) {
      Place& place = places.emplace_back();
      for (std::size_t i = 0; i < numbers; ++i, at += 4)
        place.push_back(static_cast<std::int32_t>(number_at(bytes, at, 4, false)));
      at += 4 + number_at(bytes, at, 4, false);
    }
    return places;
  }
  static Imf::Header header_of(Imf::LineOrder order, Imf::Compression compression, int tiles,
                               const std::string& part = "") {
    Imf::Header header = exr_header_of(window, channels, part);
    header.compression() = compression;
    header.lineOrder() = order;
    if (tiles > 0) {
      const auto levels = static_cast<Imf::LevelMode>(tiles - 1);
      header.setTileDescription(Imf::TileDescription(16, 24, levels));
    }
    return header;
  }
};

TEST_F(ExrLineOrder, IsKeptWithEveryBit) {
  for (const Imf::LineOrder order : {Imf::INCREASING_Y, Imf::DECREASING_Y, Imf::RANDOM_Y})
    for (const Imf::Compression compression :
         {Imf::NO_COMPRESSION, Imf::RLE_COMPRESSION, Imf::ZIP_COMPRESSION, Imf::PIZ_COMPRESSION})
      for (const int tiles : {0, 1, 2, 3}) {
        // The format has no such order for rows.
        if (order == Imf::RANDOM_Y && tiles == 0) continue;
        write_exr_noise(folder_ / "in.exr", {header_of(order, compression, tiles)});
        expect_made({"convert", "in.exr", "out.exr"});
        EXPECT_EQ(exr_header_in(folder_ / "out.exr").lineOrder(), order);
        EXPECT_EQ(exr_planes(folder_ / "out.exr"), exr_planes(folder_ / "in.exr"));
        EXPECT_EQ(chunks("out.exr"), chunks("in.exr"))
            << order << ' ' << compression << ' ' << tiles;
        expect_made({"convert", "--threads", "3", "out.exr", "again.exr"});
        EXPECT_EQ(read_file(folder_ / "again.exr"), read_file(folder_ / "out.exr"));
      }
}

TEST_F(ExrLineOrder, OfEachPartIsItsOwn) {
  const Imf::Compression zip = Imf::ZIP_COMPRESSION;
  write_exr_noise(
      folder_ / "in.exr",
      {header_of(Imf::DECREASING_Y, zip, 0, "a"), header_of(Imf::INCREASING_Y, zip, 0, "b"),
       header_of(Imf::DECREASING_Y, zip, 2, "c"), header_of(Imf::RANDOM_Y, zip, 1, "d")});
  expect_made({"convert", "in.exr", "out.exr"});
  for (int part = 0; part < 4; ++part) {
    EXPECT_EQ(exr_header_in(folder_ / "out.exr", part).lineOrder(),
              exr_header_in(folder_ / "in.exr", part).lineOrder());
    EXPECT_EQ(exr_planes(folder_ / "out.exr", part), exr_planes(folder_ / "in.exr", part)) << part;
  }
}

TEST_F(ExrLineOrder, MovesNoPixelOfAnyStage) {
  write_exr_noise(folder_ / "down.exr", {header_of(Imf::INCREASING_Y, Imf::ZIP_COMPRESSION, 0)});
  write_exr_noise(folder_ / "up.exr", {header_of(Imf::DECREASING_Y, Imf::ZIP_COMPRESSION, 0)});
  for (const Words& stage : std::vector<Words>{{"flip"},
                                               {"resize", "--size", "31x200"},
                                               {"exposure", "--stops", "1"},
                                               {"mip", "--tile", "16"}}) {
    Words down = stage, up = stage;
    down.insert(down.end(), {"down.exr", "made_down.exr"});
    up.insert(up.end(), {"up.exr", "made_up.exr"});
    expect_made(down);
    expect_made(up);
    EXPECT_EQ(exr_header_in(folder_ / "made_up.exr").lineOrder(), Imf::DECREASING_Y);
    EXPECT_EQ(exr_planes(folder_ / "made_up.exr"), exr_planes(folder_ / "made_down.exr"));
    std::vector<Place> top_down = chunks("made_down.exr"), bottom_up = chunks("made_up.exr");
    EXPECT_NE(bottom_up, top_down);
    EXPECT_TRUE(std::ranges::is_permutation(bottom_up, top_down));
  }
}

// If memory is short, chunks of a large file are stored on disk until its last row exists.
TEST_F(ExrLineOrder, IsTheSameInLittleMemory) {
  for (const int tiles : {0, 1}) {
    Imf::Header header = exr_header_of(Imath::Box2i({0, 0}, {1199, 1499}), channels);
    header.lineOrder() = Imf::DECREASING_Y;
    if (tiles > 0) header.setTileDescription(Imf::TileDescription(64, 64));
    write_exr_noise(folder_ / "in.exr", {header});
    expect_made({"flop", "--max-memory", "8G", "in.exr", "whole.exr"});
    expect_made({"flop", "--max-memory", "16M", "in.exr", "part.exr"});
    EXPECT_TRUE(read_file(folder_ / "whole.exr") == read_file(folder_ / "part.exr"));
    EXPECT_EQ(chunks("part.exr"), chunks("in.exr"));
  }
}

TEST_F(ExrLineOrder, CanBeSetAndIsShown) {
  write_exr_noise(folder_ / "in.exr", {header_of(Imf::INCREASING_Y, Imf::ZIP_COMPRESSION, 0)});
  expect_made({"convert", "--set", "lineOrder=decreasing", "in.exr", "up.exr"});
  EXPECT_EQ(exr_header_in(folder_ / "up.exr").lineOrder(), Imf::DECREASING_Y);
  EXPECT_NE(cuimg({"info", "up.exr"}).out.find("lineOrder"), std::string::npos);
  expect_made({"convert", "--set", "lineOrder=increasing", "up.exr", "down.exr"});
  EXPECT_EQ(exr_header_in(folder_ / "down.exr").lineOrder(), Imf::INCREASING_Y);
  const Outcome outcome = cuimg({"convert", "--set", "lineOrder=up", "in.exr", "no.exr"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_NE(outcome.err.find("increasing, decreasing or, for tiles, random"), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace cuimg::test
