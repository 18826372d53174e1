// SPDX-License-Identifier: Apache-2.0
// The properties of an EXR input's storage that EXR outputs keep.
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFloatAttribute.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputPart.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfRgbaFile.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <gtest/gtest.h>

#include "io/codec.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

class ExrStorage : public ProgramFolder {
 protected:
  void SetUp() override {
    write_image(folder_ / "plain.exr", noise(spec_of({-3, 5, 75, 53}, PixelType::half, 4)),
                *codec_named("exr"));
  }
  FileStorage storage_of(const std::string& name) const {
    return open_image(ByteSource::open(folder_ / name), {})->spec().storage;
  }
  std::string sum_of(const std::string& name, int level) const {
    const Outcome outcome = cuimg({"checksum", "--mip-level", std::to_string(level), name});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome.out.substr(0, 64);
  }
};

TEST_F(ExrStorage, ConvertKeepsCompressionTilesAndLevels) {
  expect_made({"mip", "--tile", "32", "--compression", "piz", "plain.exr", "in.exr"});
  const FileStorage in = storage_of("in.exr");
  EXPECT_EQ(in.levels, 7);
  expect_made({"convert", "in.exr", "out.exr"});
  const FileStorage out = storage_of("out.exr");
  EXPECT_EQ(out.compression, "piz");
  EXPECT_EQ(out.tile_width, 32);
  EXPECT_EQ(out.tile_height, 32);
  EXPECT_EQ(out.levels, in.levels);
  for (int level = 0; level < in.levels; ++level)
    EXPECT_EQ(sum_of("out.exr", level), sum_of("in.exr", level)) << level;
  expect_made({"convert", "--type", "float", "--compression", "zips", "in.exr", "float.exr"});
  EXPECT_EQ(storage_of("float.exr").compression, "zips");
  EXPECT_EQ(storage_of("float.exr").levels, in.levels);
  for (int level = 0; level < in.levels; ++level) {
    DecodeOptions options;
    options.mip_level = level;
    const Image wide = read_image(folder_ / "float.exr", options);
    const Image half = read_image(folder_ / "in.exr", options);
    ASSERT_EQ(wide.spec().data_window, half.spec().data_window);
    EXPECT_EQ(wide.spec().layers[0].type, PixelType::f32);
  }
}

TEST_F(ExrStorage, StagesKeepCompressionAndTiles) {
  expect_made({"mip", "--tile", "16", "--compression", "rle", "plain.exr", "in.exr"});
  for (const std::vector<std::string>& stage : std::vector<std::vector<std::string>>{
           {"flop"}, {"exposure", "--stops", "1"}, {"resize", "--size", "20x11"}}) {
    std::vector<std::string> words = stage;
    words.insert(words.end(), {"in.exr", "out.exr"});
    expect_made(words);
    const FileStorage out = storage_of("out.exr");
    EXPECT_EQ(out.compression, "rle") << stage[0];
    EXPECT_EQ(out.tile_width, 16) << stage[0];
    EXPECT_EQ(out.levels, 1) << stage[0];
    words.back() = "plain-out.exr";
    words[words.size() - 2] = "plain.exr";
    expect_made(words);
    EXPECT_EQ(sum_of("out.exr", 0), sum_of("plain-out.exr", 0)) << stage[0];
  }
  expect_made({"mip", "--tile", "32", "in.exr", "again.exr"});
  EXPECT_EQ(storage_of("again.exr").tile_width, 32);
  EXPECT_EQ(storage_of("again.exr").compression, "rle");
}

TEST_F(ExrStorage, InPlaceDeletesNoLevels) {
  expect_made({"mip", "--tile", "16", "plain.exr", "in.exr"});
  const std::string before = read_file(folder_ / "in.exr");
  const Outcome refused = cuimg({"flop", "--in-place", "in.exr"});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_NE(refused.err.find("in.exr: --in-place would delete the file's mip levels"),
            std::string::npos)
      << refused.err;
  EXPECT_EQ(read_file(folder_ / "in.exr"), before);
  expect_made({"convert", "--in-place", "--set", "owner=me", "in.exr"});
  EXPECT_EQ(storage_of("in.exr").levels, 7);
  expect_made({"flop", "+", "mip", "--tile", "16", "--in-place", "in.exr"});
  EXPECT_EQ(storage_of("in.exr").levels, 7);
}

TEST_F(ExrStorage, InPlaceKeepsLuminanceAndChroma) {
  {
    constexpr int width = 16, height = 12;
    const std::vector<Imf::Rgba> pixels(width * height, {0.5f, 0.25f, 1, 1});
    Imf::RgbaOutputFile file((folder_ / "yc.exr").c_str(), width, height, Imf::WRITE_YC);
    file.setFrameBuffer(pixels.data(), 1, width);
    file.writePixels(height);
  }
  const Outcome refused = cuimg({"convert", "--in-place", "--set", "owner=me", "yc.exr"});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_NE(refused.err.find("luminance and chroma"), std::string::npos) << refused.err;
  expect_made({"convert", "--in-place", "--raw", "--set", "owner=me", "yc.exr"});
  const Outcome noted = cuimg({"convert", "-v", "yc.exr", "o.exr"});
  EXPECT_NE(noted.err.find("luminance and chroma are read as RGB"), std::string::npos) << noted.err;
}

TEST_F(ExrStorage, KeepsTheLevelOfDwa) {
  expect_made({"convert", "--compression", "dwab", "--quality", "70", "plain.exr", "in.exr"});
  const auto level_of = [&](const std::string& name) {
    const Imf::InputFile file((folder_ / name).c_str());
    const auto* level =
        file.header().findTypedAttribute<Imf::FloatAttribute>("dwaCompressionLevel");
    return level != nullptr ? level->value() : -1.0f;
  };
  expect_made({"convert", "in.exr", "out.exr"});
  EXPECT_EQ(storage_of("out.exr").compression, "dwab");
  EXPECT_EQ(level_of("out.exr"), level_of("in.exr"));
  EXPECT_EQ(level_of("in.exr"), 70.0f);
  expect_made({"convert", "--compression", "dwaa", "--quality", "30", "in.exr", "out.exr"});
  EXPECT_EQ(level_of("out.exr"), 30.0f);
}

// OpenEXR decodes DWA to other pixels each time; B44 and PXR24 only the first time.
TEST_F(ExrStorage, InPlaceWarnsIfPixelsAreCompressedAgain) {
  const std::string line = "the pixels are compressed again, with loss";
  for (const std::string compression : {"dwaa", "dwab", "b44", "b44a", "pxr24", "zip"}) {
    expect_made({"convert", "--compression", compression, "plain.exr", "in.exr"});
    const std::string before = cuimg({"checksum", "in.exr"}).out;
    const Outcome explained = cuimg({"convert", "--explain", "in.exr", "out.exr"});
    const Outcome outcome = cuimg({"convert", "--in-place", "--set", "owner=x", "in.exr"});
    EXPECT_EQ(outcome.exit, 0);
    const bool is_dwa = compression.starts_with("dwa");
    EXPECT_EQ(outcome.err.find(line) != std::string::npos, is_dwa) << compression << outcome.err;
    EXPECT_EQ(explained.err.find(line) != std::string::npos, is_dwa) << explained.err;
    if (!is_dwa) {
      EXPECT_EQ(cuimg({"checksum", "in.exr"}).out, before) << compression;
    }
  }
  expect_made({"convert", "--compression", "dwaa", "plain.exr", "in.exr"});
  const Outcome asked =
      cuimg({"convert", "--in-place", "--compression", "dwaa", "--quality", "20", "in.exr"});
  EXPECT_EQ(asked.err, "");
}

// A file of another program: ids and coverages in channels that DWA would compress as colours.
void write_mattes(Imf::OutputPart& part, const std::string& layer, const Image& ids) {
  Imf::FrameBuffer buffer;
  const char* names[] = {"R", "G", "B", "A"};
  for (std::size_t i = 0; i < 4; ++i)
    buffer.insert(layer + names[i],
                  Imf::Slice::Make(Imf::FLOAT, ids.row(0, 0) + 4 * i,
                                   Imath::Box2i({0, 0}, {63, 47}), 16, ids.row_bytes(0)));
  part.setFrameBuffer(buffer);
  part.writePixels(48);
}

Imf::Header matte_header(const std::string& part, const std::string& layer, bool says_so) {
  Imf::Header header(64, 48);
  header.compression() = Imf::DWAA_COMPRESSION;
  header.setName(part);
  header.setType(Imf::SCANLINEIMAGE);
  for (const char* name : {"R", "G", "B", "A"})
    header.channels().insert(layer + name, Imf::Channel(Imf::FLOAT));
  if (says_so) header.insert("cryptomatte/ab12cd3/name", Imf::StringAttribute("crypto"));
  return header;
}

TEST_F(ExrStorage, DwaIsNotKeptWhereItWouldChangeIds) {
  const Image ids = noise(spec_of({0, 0, 64, 48}, PixelType::f32, 4));
  for (const bool in_first_part : {false, true}) {
    const std::string layer = "crypto00.";
    const std::vector<Imf::Header> headers = {matte_header("rgba", "", in_first_part),
                                              matte_header("mattes", layer, !in_first_part)};
    {
      Imf::MultiPartOutputFile file((folder_ / "in.exr").c_str(), headers.data(), 2);
      Imf::OutputPart colors(file, 0), mattes(file, 1);
      write_mattes(colors, "", ids);
      write_mattes(mattes, layer, ids);
    }
    const Outcome made = cuimg({"convert", "--part", "all", "-v", "in.exr", "out.exr"});
    ASSERT_EQ(made.exit, 0) << made.err;
    EXPECT_NE(made.err.find("the input's compression dwaa is not kept: it would change "
                            "Cryptomatte's ids"),
              std::string::npos)
        << made.err;
    DecodeOptions second;
    second.part = 1;
    const Image read = read_image(folder_ / "in.exr", second);
    ASSERT_TRUE(read.spec().layers[0].is_matte);
    EXPECT_TRUE(same_pixels(read_image(folder_ / "out.exr", second), read));
    EXPECT_EQ(open_image(ByteSource::open(folder_ / "out.exr"), second)->spec().storage.compression,
              "zip");
    EXPECT_EQ(storage_of("out.exr").compression, "dwaa");
    // A part in its own file still lists what it contains.
    expect_made({"convert", "--part", "1", "in.exr", "alone.exr"});
    EXPECT_TRUE(same_pixels(read_image(folder_ / "alone.exr"), read));
    EXPECT_TRUE(open_image(ByteSource::open(folder_ / "alone.exr"), {})->spec().layers[0].is_matte);
    EXPECT_EQ(cuimg({"convert", "--part", "1", "--compression", "dwaa", "in.exr", "no.exr"}).exit,
              2);
  }
}

TEST_F(ExrStorage, OtherFormatsTakeTheirOwn) {
  expect_made({"convert", "--compression", "piz", "plain.exr", "in.exr"});
  expect_made({"convert", "in.exr", "out.tif"});
  expect_made({"convert", "out.tif", "out.exr"});
  EXPECT_EQ(storage_of("out.exr").compression, "zip");
}

}  // namespace
}  // namespace cuimg::test
