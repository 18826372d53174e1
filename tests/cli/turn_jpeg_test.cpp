// SPDX-License-Identifier: Apache-2.0
// JPEG files turned without decoding them.
#include <gtest/gtest.h>

#include <cstring>

#include "io/codec.h"
#include "io/tags/exif_block.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

Image ramp(int width, int height) {
  Image image(spec_of({0, 0, width, height}, PixelType::u8, 3));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        image.row(0, y)[3 * x + c] = static_cast<std::byte>(40 + (c + 1) * x + (3 - c) * y / 2);
  return image;
}

class TurnJpeg : public ProgramFolder {
 protected:
  void make(const std::string& name, int width, int height, int channels, int orientation = 1,
            const std::string& sampling = "420") const {
    Spec spec = spec_of({0, 0, width, height}, PixelType::u8, channels);
    spec.metadata["Author"] = std::string("somebody");
    write_image(folder_ / name, noise(spec), *codec_named("jpg"),
                {.compression = sampling, .quality = 80});
    if (orientation == 1) return;
    // The encoder writes an upright file, so put the orientation into it.
    ExifBlock block;
    block.set_numbers(ExifDirectory::primary, 0x0112, TiffType::u16,
                      {static_cast<std::uint32_t>(orientation)});
    std::string segment("\xff\xe1", 2);
    const std::size_t length = block.bytes().size() + 8;
    segment += {static_cast<char>(length >> 8), static_cast<char>(length & 255)};
    segment += std::string("Exif\0\0", 6);
    segment.append(reinterpret_cast<const char*>(block.bytes().data()), block.bytes().size());
    folder_.write(name, read_file(folder_ / name).insert(2, segment));
  }
  bool is_lossless(std::vector<std::string> words) const {
    words.insert(words.begin() + 1, "--explain");
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome.err.find("without loss") != std::string::npos;
  }
  // The quantisation tables and everything after them.
  std::string blocks_of(const std::string& name) const {
    const std::string file = read_file(folder_ / name);
    return file.substr(file.find("\xff\xdb"));
  }
  static void expect_same(const Image& a, const Image& b, const std::string& what) {
    ASSERT_EQ(a.spec().layers, b.spec().layers) << what;
    ASSERT_EQ(a.spec().data_window, b.spec().data_window) << what;
    for (int y = 0; y < a.spec().data_window.height; ++y)
      ASSERT_EQ(0, std::memcmp(a.row(0, y), b.row(0, y), a.row_bytes(0))) << what << " row " << y;
  }
};

TEST_F(TurnJpeg, OtherEntriesKeepTheBlocks) {
  make("in.jpg", 50, 37, 3, 1, "422");
  const Image before = read_image(folder_ / "in.jpg");
  EXPECT_TRUE(is_lossless({"convert", "--set", "Author=Nobody", "in.jpg", "set.jpg"}));
  expect_same(read_image(folder_ / "set.jpg"), before, "set");
  EXPECT_EQ(read_image(folder_ / "set.jpg").spec().metadata.at("Author"),
            MetadataValue(std::string("Nobody")));
  EXPECT_TRUE(is_lossless({"convert", "--metadata", "strip", "in.jpg", "bare.jpg"}));
  expect_same(read_image(folder_ / "bare.jpg"), before, "strip");
  EXPECT_FALSE(read_image(folder_ / "bare.jpg").spec().metadata.contains("Author"));
  EXPECT_FALSE(
      is_lossless({"convert", "--set", "Author=Nobody", "--quality", "70", "in.jpg", "small.jpg"}));
}

TEST_F(TurnJpeg, AConversionThatAsksForNothingKeepsTheBlocks) {
  make("in.jpg", 50, 37, 3, 1, "422");
  EXPECT_TRUE(is_lossless({"convert", "in.jpg", "same.jpg"}));
  expect_same(read_image(folder_ / "same.jpg"), read_image(folder_ / "in.jpg"), "same");
  EXPECT_TRUE(is_lossless({"convert", "--format", "jpeg", "in.jpg", "same.jpe"}));
  EXPECT_TRUE(is_lossless({"tee", "tee.jpg", "+", "blur", "in.jpg", "blurred.jpg"}));
  expect_same(read_image(folder_ / "tee.jpg"), read_image(folder_ / "in.jpg"), "tee");
}

// This picture ends inside a block, which would be at its beginning after a turn.
TEST_F(TurnJpeg, OtherEntriesKeepBlocksThatCannotBeTurnedAndTheirOrientation) {
  for (const std::string sampling : {"420", "444"})
    // Orientation 5 moves no edge to the beginning.
    for (const int orientation : {2, 3, 4, 6, 7, 8}) {
      const std::string what = sampling + ", " + std::to_string(orientation);
      make("in.jpg", 50, 37, 3, orientation, sampling);
      const Image before = read_image(folder_ / "in.jpg");
      const std::string blocks = blocks_of("in.jpg");
      const std::vector<std::vector<std::string>> changes = {
          {}, {"--set", "Author=Me"}, {"--metadata", "strip"}, {"--metadata", "private"}};
      for (const auto& change : changes) {
        std::vector<std::string> words = {"convert", "--explain"};
        words.insert(words.end(), change.begin(), change.end());
        words.insert(words.end(), {"in.jpg", "out.jpg"});
        const Outcome outcome = cuimg(words);
        ASSERT_EQ(outcome.exit, 0) << outcome.err;
        EXPECT_NE(outcome.err.find("orientation stays " + std::to_string(orientation)),
                  std::string::npos)
            << what << outcome.err;
        EXPECT_TRUE(blocks_of("out.jpg") == blocks) << what;
        expect_same(read_image(folder_ / "out.jpg"), before, what);
      }
    }
}

TEST_F(TurnJpeg, ResolutionsStayAsTheyAreWithTheOrientation) {
  make("plain.jpg", 50, 37, 3, 6, "420");
  // JFIF's 300 pixels per inch across the file, and 150 down.
  std::string file = read_file(folder_ / "plain.jpg");
  const std::size_t unit = file.find("JFIF") + 7;
  file.replace(unit, 5, std::string("\1\1\x2c\0\x96", 5));
  folder_.write("in.jpg", file);
  EXPECT_TRUE(is_lossless({"convert", "--set", "Author=Me", "in.jpg", "out.jpg"}));
  const std::string made = read_file(folder_ / "out.jpg");
  EXPECT_EQ(made.substr(made.find("JFIF") + 7, 5), file.substr(unit, 5));
  EXPECT_TRUE(is_lossless({"convert", "--set", "xDensity=75", "in.jpg", "set.jpg"}));
  const Spec set = read_image(folder_ / "set.jpg").spec();
  EXPECT_EQ(set.metadata.at("xDensity"), MetadataValue(75.0));
  EXPECT_EQ(set.pixel_aspect, 2.0f);
}

TEST_F(TurnJpeg, ATeeWritesWhatACommandOfItsOwnDoes) {
  make("in.jpg", 64, 48, 3, 6, "444");
  for (const std::string command : {"rotate90", "flip"})
    ASSERT_EQ(cuimg({command, "in.jpg", command + ".jpg"}).exit, 0);
  ASSERT_EQ(cuimg({"rotate90", "+", "flip", "in.jpg", "both.jpg"}).exit, 0);
  ASSERT_EQ(cuimg({"rotate90", "+", "resize", "--size", "50%", "in.jpg", "small.jpg"}).exit, 0);
  const auto expect_file = [&](const std::string& name, const std::string& other) {
    EXPECT_EQ(read_file(folder_ / name), read_file(folder_ / other)) << name;
  };
  // Blocks are turned if the tee and the end both turn them, if only the tee does, and if only the
  // end does.
  EXPECT_TRUE(is_lossless({"rotate90", "+", "tee", "t.jpg", "+", "flip", "in.jpg", "o.jpg"}));
  expect_file("t.jpg", "rotate90.jpg");
  expect_file("o.jpg", "both.jpg");
  EXPECT_TRUE(is_lossless(
      {"rotate90", "+", "tee", "t2.jpg", "+", "resize", "--size", "50%", "in.jpg", "o2.jpg"}));
  expect_file("t2.jpg", "rotate90.jpg");
  expect_file("o2.jpg", "small.jpg");
  EXPECT_TRUE(is_lossless(
      {"rotate90", "+", "tee", "--quality", "50", "t3.jpg", "+", "flip", "in.jpg", "o3.jpg"}));
  EXPECT_LT(read_file(folder_ / "t3.jpg").size(), read_file(folder_ / "t.jpg").size());
  expect_file("o3.jpg", "both.jpg");
  EXPECT_TRUE(is_lossless({"flip", "+", "tee", "t4.jpg", "+", "stats", "in.jpg"}));
  expect_file("t4.jpg", "flip.jpg");
  EXPECT_FALSE(is_lossless({"flip", "+", "tee", "t5.png", "+", "blur", "--sigma", "2", "+", "flip",
                            "in.jpg", "o5.jpg"}));
}

TEST_F(TurnJpeg, BackAndForthGivesTheSamePixels) {
  for (const int channels : {1, 3})
    for (const std::string sampling : {"420", "444"}) {
      make("in.jpg", 64, 48, channels, 1, sampling);
      const Image before = read_image(folder_ / "in.jpg");
      for (const auto& [there, back] :
           std::vector<std::pair<std::string, std::string>>{{"rotate90", "rotate270"},
                                                            {"flip", "flip"},
                                                            {"flop", "flop"},
                                                            {"transpose", "transpose"},
                                                            {"rotate180", "rotate180"}}) {
        EXPECT_TRUE(is_lossless({there, "in.jpg", "there.jpg"})) << there;
        EXPECT_TRUE(is_lossless({back, "there.jpg", "back.jpg"})) << back;
        expect_same(read_image(folder_ / "back.jpg"), before, there);
        EXPECT_TRUE(is_lossless({there, "+", back, "in.jpg", "both.jpg"}));
        expect_same(read_image(folder_ / "both.jpg"), before, there);
      }
      EXPECT_EQ(read_image(folder_ / "back.jpg").spec().metadata.at("Author"),
                MetadataValue(std::string("somebody")));
    }
}

TEST_F(TurnJpeg, TurnsAsPixelsAreTurned) {
  // So smooth that both ways differ only by compression loss.
  write_image(folder_ / "in.jpg", ramp(64, 32), *codec_named("jpg"),
              {.compression = "444", .quality = 100});
  for (const std::string stage :
       {"rotate90", "rotate180", "rotate270", "flip", "flop", "transpose"}) {
    EXPECT_TRUE(is_lossless({stage, "in.jpg", "moved.jpg"}));
    ASSERT_EQ(cuimg({stage, "in.jpg", "pixels.png"}).exit, 0);
    const Image moved = read_image(folder_ / "moved.jpg"),
                pixels = read_image(folder_ / "pixels.png");
    ASSERT_EQ(moved.spec().data_window, pixels.spec().data_window) << stage;
    for (int y = 0; y < moved.spec().data_window.height; ++y)
      for (int x = 0; x < moved.spec().data_window.width; ++x)
        for (int c = 0; c < 3; ++c)
          ASSERT_NEAR(value_at<std::uint8_t>(moved, x, y, c),
                      value_at<std::uint8_t>(pixels, x, y, c), 2)
              << stage << " " << x << "," << y;
  }
}

TEST_F(TurnJpeg, IncludesTheFilesOwnOrientation) {
  for (int orientation = 2; orientation <= 8; ++orientation) {
    make("in.jpg", 64, 32, 3, orientation, "444");
    ASSERT_EQ(cuimg({"rotate90", "in.jpg", "pixels.png"}).exit, 0);
    EXPECT_TRUE(is_lossless({"rotate90", "in.jpg", "moved.jpg"})) << orientation;
    const Image moved = read_image(folder_ / "moved.jpg"),
                pixels = read_image(folder_ / "pixels.png");
    ASSERT_EQ(moved.spec().data_window, pixels.spec().data_window) << orientation;
    double sum = 0;
    for (int y = 0; y < moved.spec().data_window.height; ++y)
      for (int x = 0; x < moved.spec().data_window.width; ++x)
        for (int c = 0; c < 3; ++c)
          sum += std::abs(value_at<std::uint8_t>(moved, x, y, c) -
                          value_at<std::uint8_t>(pixels, x, y, c));
    EXPECT_LT(sum / (64 * 32 * 3), 1) << orientation;
  }
}

// Whatever their unit is: 1 means none, 2 inch.
TEST_F(TurnJpeg, TurnsTheResolutionsOfExif) {
  constexpr ExifDirectory primary = ExifDirectory::primary;
  constexpr std::uint16_t across = 0x011a, down = 0x011b, unit = 0x0128;
  for (const std::uint32_t said : {1u, 2u}) {
    Spec spec = spec_of({0, 0, 64, 48}, PixelType::u8, 3);
    ExifBlock block;
    block.set_numbers(primary, across, TiffType::rational, {300, 1});
    block.set_numbers(primary, down, TiffType::rational, {451, 3});
    block.set_numbers(primary, unit, TiffType::u16, {said});
    spec.metadata["exif"] = block.bytes();
    write_image(folder_ / "in.jpg", noise(spec), *codec_named("jpg"));
    EXPECT_TRUE(is_lossless({"rotate90", "in.jpg", "blocks.jpg"}));
    EXPECT_FALSE(is_lossless({"rotate90", "--quality", "90", "in.jpg", "decoded.jpg"}));
    EXPECT_EQ(cuimg({"transpose", "in.jpg", "other.png"}).exit, 0);
    EXPECT_EQ(cuimg({"rotate", "--angle", "90", "--expand", "in.jpg", "angle.jpg"}).exit, 0);
    EXPECT_EQ(cuimg({"flip", "in.jpg", "kept.jpg"}).exit, 0);
    for (const std::string name :
         {"blocks.jpg", "decoded.jpg", "other.png", "angle.jpg", "kept.jpg"}) {
      const Image turned = read_image(folder_ / name);
      const ExifBlock made(std::get<Blob>(turned.spec().metadata.at("exif")));
      const auto number = [&](std::uint16_t tag) {
        return made.numbers(*made.find(primary, tag))[0];
      };
      const bool kept = name == "kept.jpg";
      EXPECT_EQ(number(across), kept ? 300 : 451.0 / 3) << name;
      EXPECT_EQ(number(down), kept ? 451.0 / 3 : 300) << name;
      EXPECT_EQ(number(unit), said) << name;
    }
  }
}

TEST_F(TurnJpeg, WhereBlocksDoNotFitAndWhereOtherPixelsAreAskedForItIsDecoded) {
  make("odd.jpg", 63, 48, 3);
  EXPECT_FALSE(is_lossless({"flop", "odd.jpg", "out.jpg"}));
  EXPECT_TRUE(is_lossless({"flip", "odd.jpg", "out.jpg"}));  // the edge that moves ends at a block
  make("in.jpg", 64, 48, 3);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"flop", "--quality", "90", "in.jpg", "out.jpg"},
           {"flop", "--compression", "444", "in.jpg", "out.jpg"},
           {"flop", "+", "exposure", "--stops", "1", "in.jpg", "out.jpg"},
           {"convert", "--quality", "90", "in.jpg", "out.jpg"},
           {"flop", "in.jpg", "out.png"}})
    EXPECT_FALSE(is_lossless(words)) << words[1];
  // These options name what the file has anyway.
  EXPECT_TRUE(is_lossless({"flop", "--type", "u8", "in.jpg", "out.jpg"}));
  EXPECT_TRUE(is_lossless({"flop", "--layers", "RGB", "in.jpg", "out.jpg"}));
}

TEST_F(TurnJpeg, ADamagedFileIsRefusedAndNothingWritten) {
  make("in.jpg", 64, 48, 3);
  const std::string whole = read_file(folder_ / "in.jpg");
  for (std::size_t length = 100; length < whole.size(); length += whole.size() / 12) {
    folder_.write("cut.jpg", whole.substr(0, length));
    EXPECT_EQ(cuimg({"flop", "cut.jpg", "out.jpg"}).exit, 2) << length;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out.jpg"));
  }
}

TEST_F(TurnJpeg, AsJpegtranDoes) {
  if (run({"jpegtran", "-version"}).exit != 0) GTEST_SKIP() << "jpegtran is not installed";
  make("in.jpg", 64, 48, 3);
  for (const auto& [stage, words] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"rotate90", {"-rotate", "90"}},
           {"rotate180", {"-rotate", "180"}},
           {"rotate270", {"-rotate", "270"}},
           {"flip", {"-flip", "vertical"}},
           {"flop", {"-flip", "horizontal"}},
           {"transpose", {"-transpose"}}}) {
    std::vector<std::string> all = {"jpegtran", "-perfect", "-copy",
                                    "none",     "-outfile", "other.jpg"};
    all.insert(all.end(), words.begin(), words.end());
    all.emplace_back("in.jpg");
    ASSERT_EQ(run(all, {.folder = folder_.path()}).exit, 0);
    ASSERT_EQ(cuimg({stage, "--metadata", "strip", "in.jpg", "own.jpg"}).exit, 0);
    EXPECT_EQ(read_file(folder_ / "own.jpg"), read_file(folder_ / "other.jpg")) << stage;
  }
}

}  // namespace
}  // namespace cuimg::test
