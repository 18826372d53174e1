// SPDX-License-Identifier: Apache-2.0
// Pictures of which an EXR stores some channels as half and some as float: outputs do the same.
#include <OpenEXR/ImfIDManifest.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "io/exr/exr_blobs.h"
#include "kernels/math/half.h"
#include "support/exr_planes.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

const std::map<std::string, Imf::PixelType> mixed = {
    {"R", Imf::HALF},         {"G", Imf::HALF},         {"B", Imf::FLOAT},
    {"A", Imf::HALF},         {"Z", Imf::HALF},         {"id", Imf::UINT},
    {"diffuse.R", Imf::HALF}, {"diffuse.G", Imf::HALF}, {"diffuse.B", Imf::HALF},
    {"diffuse.A", Imf::FLOAT}};
const Imath::Box2i window({-3, 5}, {57, 45});

std::map<std::string, Imf::PixelType> types_of(const ExrPlanes& planes) {
  std::map<std::string, Imf::PixelType> types;
  for (const auto& [name, plane] : planes) types[name] = plane.type;
  return types;
}

// The content of a file with these channels, stored with these types.
ExrPlanes narrowed(ExrPlanes planes, const std::map<std::string, Imf::PixelType>& types) {
  for (auto& [name, plane] : planes) {
    if (plane.type != Imf::FLOAT || types.at(name) != Imf::HALF) continue;
    plane.type = Imf::HALF;
    for (auto& [level, samples] : plane.levels)
      for (std::uint32_t& bits : samples) bits = float_to_half(std::bit_cast<float>(bits)).bits;
  }
  return planes;
}

class ExrTypes : public ProgramFolder {
 protected:
  ExrPlanes planes(const std::string& name, int part = 0) const {
    return exr_planes(folder_ / name, part);
  }
  void write(Imf::Header header, const std::string& name = "in.exr") const {
    write_exr_noise(folder_ / name, {std::move(header)});
  }
};

TEST_F(ExrTypes, ConvertKeepsEveryBit) {
  for (const Imf::Compression compression :
       {Imf::NO_COMPRESSION, Imf::RLE_COMPRESSION, Imf::ZIPS_COMPRESSION, Imf::ZIP_COMPRESSION,
        Imf::PIZ_COMPRESSION})
    for (const int tiles : {0, 1, 2, 3}) {
      Imf::Header header = exr_header_of(window, mixed);
      header.compression() = compression;
      header.channels()["G"].pLinear = true;
      if (tiles > 0)
        header.setTileDescription(Imf::TileDescription(16, 24, Imf::LevelMode(tiles - 1)));
      write(header);
      expect_made({"convert", "in.exr", "out.exr"});
      EXPECT_EQ(planes("out.exr"), planes("in.exr")) << compression << ' ' << tiles;
      EXPECT_EQ(exr_header_in(folder_ / "out.exr").compression(), compression);
      expect_made({"convert", "--threads", "5", "in.exr", "again.exr"});
      EXPECT_EQ(read_file(folder_ / "out.exr"), read_file(folder_ / "again.exr"));
    }
}

TEST_F(ExrTypes, StagesRoundWhatTheyMakeOfHalfChannels) {
  for (const bool has_tiles : {false, true}) {
    Imf::Header header = exr_header_of(window, mixed);
    header.compression() = Imf::ZIP_COMPRESSION;
    if (has_tiles) header.setTileDescription(Imf::TileDescription(16, 16));
    write(header);
    for (const Words& stage : std::vector<Words>{{"flop"},
                                                 {"exposure", "--stops", "0.3"},
                                                 {"resize", "--size", "23x31"},
                                                 {"blur", "--layers", "RGBA"},
                                                 {"mip", "--tile", "16"}}) {
      Words words = stage;
      words.insert(words.end(), {"in.exr", "out.exr"});
      expect_made(words);
      const ExrPlanes out = planes("out.exr");
      EXPECT_EQ(types_of(out), mixed) << stage[0];
      if (stage[0] == "mip") continue;  // its smaller levels are made from rounded values
      words.insert(words.end() - 2, {"--type", "float"});
      expect_made(words);
      EXPECT_EQ(narrowed(planes("out.exr"), mixed), out) << stage[0];
    }
  }
}

TEST_F(ExrTypes, MadeLevelsAreThoseOfTheFileThatIsWritten) {
  write(exr_header_of(window, mixed));
  expect_made({"exposure", "--stops", "0.3", "+", "mip", "--tile", "16", "in.exr", "all.exr"});
  expect_made({"exposure", "--stops", "0.3", "in.exr", "first.exr"});
  expect_made({"mip", "--tile", "16", "first.exr", "after.exr"});
  EXPECT_EQ(planes("all.exr"), planes("after.exr"));
}

TEST_F(ExrTypes, OneTypeForAllIsWhatTypeAsksFor) {
  write(exr_header_of(window, mixed));
  expect_made({"convert", "--type", "float", "in.exr", "float.exr"});
  expect_made({"convert", "--type", "half", "in.exr", "half.exr"});
  for (const auto& [name, type] : mixed) {
    if (type == Imf::UINT) continue;
    EXPECT_EQ(planes("float.exr")[name].type, Imf::FLOAT) << name;
    EXPECT_EQ(planes("half.exr")[name].type, Imf::HALF) << name;
  }
  const ExrPlanes in = planes("in.exr");
  EXPECT_EQ(narrowed(planes("float.exr"), mixed), in);
  EXPECT_EQ(planes("half.exr")["R"], in.at("R"));
}

TEST_F(ExrTypes, GoWithChannelsThatAreRenamed) {
  write(exr_header_of(window, mixed));
  const ExrPlanes in = planes("in.exr");
  expect_made({"channels", "--pick", "beauty=RGBA,R=B,G=R,B=G,far=A", "in.exr", "out.exr"});
  const ExrPlanes out = planes("out.exr");
  EXPECT_EQ(out.size(), 8u);
  for (const auto& [made, from] : std::map<std::string, std::string>{{"beauty.R", "R"},
                                                                     {"beauty.B", "B"},
                                                                     {"beauty.A", "A"},
                                                                     {"R", "B"},
                                                                     {"G", "R"},
                                                                     {"B", "G"},
                                                                     {"far", "A"}})
    EXPECT_EQ(out.at(made), in.at(from)) << made;
  // The remaining channels of the layer are half in the file.
  expect_made({"channels", "--pick", "R,G,Z", "in.exr", "some.exr"});
  EXPECT_EQ(planes("some.exr")["R"], in.at("R"));
  EXPECT_EQ(planes("some.exr")["Z"], in.at("Z"));
  expect_made({"grayscale", "--layers", "RGBA", "in.exr", "grey.exr"});
  EXPECT_EQ(planes("grey.exr")["Y"].type, Imf::FLOAT);
  EXPECT_EQ(planes("grey.exr")["diffuse.G"], in.at("diffuse.G"));
}

TEST_F(ExrTypes, DifferFromPartToPart) {
  std::map<std::string, Imf::PixelType> others = {
      {"R", Imf::FLOAT}, {"G", Imf::HALF}, {"B", Imf::HALF}};
  Imf::Header tiled = exr_header_of(window, others, "second");
  tiled.compression() = Imf::PIZ_COMPRESSION;
  tiled.setTileDescription(Imf::TileDescription(16, 16, Imf::MIPMAP_LEVELS));
  write_exr_noise(folder_ / "in.exr", {exr_header_of(window, mixed, "first"), tiled,
                                       exr_header_of(window, mixed, "third")});
  expect_made({"convert", "in.exr", "out.exr"});
  for (const int part : {0, 1, 2}) EXPECT_EQ(planes("out.exr", part), planes("in.exr", part));
  expect_made({"flop", "in.exr", "out.exr"});
  EXPECT_EQ(types_of(planes("out.exr", 1)), others);
  EXPECT_EQ(types_of(planes("out.exr", 2)), mixed);
}

TEST_F(ExrTypes, AreTheSameInLittleMemory) {
  for (const Imf::Compression compression : {Imf::NO_COMPRESSION, Imf::PIZ_COMPRESSION}) {
    Imf::Header header = exr_header_of(Imath::Box2i({0, 0}, {999, 899}),
                                       {{"R", Imf::HALF}, {"G", Imf::FLOAT}, {"B", Imf::HALF}});
    header.compression() = compression;
    write(header);
    for (const Words& stage : std::vector<Words>{{"exposure", "--stops", "1"}, {"flip"}}) {
      Words whole = stage, part = stage;
      whole.insert(whole.end(), {"--max-memory", "8G", "in.exr", "whole.exr"});
      part.insert(part.end(), {"--explain", "--max-memory", "16M", "in.exr", "part.exr"});
      expect_made(whole);
      const Outcome outcome = cuimg(part);
      EXPECT_NE(outcome.err.find("memory: it takes more"), std::string::npos) << outcome.err;
      EXPECT_TRUE(read_file(folder_ / "whole.exr") == read_file(folder_ / "part.exr"));
    }
  }
}

TEST_F(ExrTypes, AreReportedWhereAnotherFormatWidensThem) {
  write(exr_header_of(window, {{"R", Imf::HALF}, {"G", Imf::HALF}, {"B", Imf::FLOAT}}));
  const auto said = [&](const Words& words) {
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome.err.find("R, G: half becomes float, as the layer's other channels are") !=
           std::string::npos;
  };
  EXPECT_TRUE(said({"convert", "-v", "in.exr", "out.tif"}));
  EXPECT_TRUE(said({"convert", "-v", "in.exr", "out.pfm"}));
  EXPECT_FALSE(said({"convert", "-v", "--type", "float", "in.exr", "out.tif"}));
  EXPECT_FALSE(said({"convert", "-v", "in.exr", "out.exr"}));
  EXPECT_FALSE(said({"convert", "-v", "in.exr", "out.png"}));
  EXPECT_NE(cuimg({"info", "in.exr"}).out.find("R (half) G (half) B (float)"), std::string::npos);
  EXPECT_NE(
      cuimg({"info", "--json", "in.exr"}).out.find(R"("channel_types":["half","half","float"])"),
      std::string::npos);
}

// The library cannot read its own attribute of that type, so only its bytes are kept.
TEST_F(ExrTypes, NamesOfIdsKeepTheirBytes) {
  Imf::Header header = exr_header_of(Imath::Box2i({0, 0}, {8, 6}), {{"id", Imf::UINT}}, "ids");
  Imf::IDManifest names;
  names.add("id").setComponent("name");
  names[0].insert(7, std::string("sphere"));
  Imf::addIDManifest(header, Imf::CompressedIDManifest(names));
  const StoredEntry made = exr_stored(header["idManifest"]);
  std::string attribute("idManifest\0idmanifest\0", 22);
  for (const int shift : {0, 8, 16, 24})
    attribute += static_cast<char>(made.bytes.size() >> shift & 255);
  attribute += text_of_bytes(made.bytes);
  header.insert("zebra", Imf::StringAttribute("behind it"));
  write_exr_noise(folder_ / "in.exr", {header});
  for (const Words& stage : std::vector<Words>{{"convert"}, {"flop"}}) {
    Words words = stage;
    words.insert(words.end(), {"in.exr", "out.exr"});
    expect_made(words);
    const std::string out = read_file(folder_ / "out.exr");
    EXPECT_NE(out.find(attribute), std::string::npos);
    EXPECT_NE(out.find("behind it"), std::string::npos);
  }
}

}  // namespace
}  // namespace cuimg::test
