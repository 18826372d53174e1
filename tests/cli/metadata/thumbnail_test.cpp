// SPDX-License-Identifier: Apache-2.0
// Thumbnails of EXIF and EXR's previews through commands: they show the output, can be extracted by
// exiftool where it is installed, and are the same however the output is made.
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfPreviewImage.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/codec.h"
#include "io/tags/exif.h"
#include "io/tags/exif_block.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

class Thumbnails : public testing::Test {
 protected:
  // A camera's file whose thumbnail is black, unlike the picture.
  void SetUp() override {
    Spec spec = spec_of({0, 0, 640, 480}, PixelType::u8, 3);
    ExifBlock block;
    block.set_text(ExifDirectory::primary, 0x010f, "Maker");
    block.set_numbers(ExifDirectory::primary, 0x0112, TiffType::u16, {1});
    block.make_thumbnail_room(4);
    spec.metadata[exif_key] = block.bytes();
    spec.metadata["cameraMake"] = std::string("Maker");
    const Image black = flat(spec, 0);
    write_image(folder_ / "black.jpg", black, *codec_named("jpg"));
    ExifBlock of_black(exif_of("black.jpg"));
    spec.metadata.clear();
    write_image(folder_ / "plain.jpg",
                image_of(spec,
                         [](int, int x, int y, int c) {
                           const double wave = std::abs(x - 320) < 150 && y < 160 ? 1 : 0;
                           return c == 0 ? x / 640.0 : c == 1 ? y / 480.0 : wave;
                         }),
                *codec_named("jpg"), {.quality = 95});
    std::string segment("\xff\xe1", 2);
    const std::size_t length = of_black.bytes().size() + 8;
    segment += {static_cast<char>(length >> 8), static_cast<char>(length & 255)};
    segment += std::string("Exif\0\0", 6);
    segment.append(reinterpret_cast<const char*>(of_black.bytes().data()), of_black.bytes().size());
    folder_.write("in.jpg", read_file(folder_ / "plain.jpg").insert(2, segment));
  }

  Blob exif_of(const std::string& name) const {
    const Image image = read_image(folder_ / name);
    const Blob* block = find_entry<Blob>(image.spec().metadata, exif_key);
    return block == nullptr ? Blob() : *block;
  }
  void make(Words words) const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    const Outcome outcome = run(words, {.folder = folder_.path()});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
  }
  // Writes the thumbnail of an output to its own file.
  void take_out(const std::string& name, const std::string& to) const {
    if (run({"exiftool", "-ver"}).exit == 0 && !name.ends_with(".exr")) {
      const Outcome taken =
          run({"exiftool", "-b", "-ThumbnailImage", name}, {.folder = folder_.path()});
      folder_.write(to, taken.out);
      return;
    }
    const ExifBlock block(exif_of(name));
    folder_.write(to, std::string(reinterpret_cast<const char*>(block.thumbnail().data()),
                                  block.thumbnail().size()));
  }
  static double difference(const Image& a, const Image& b) {
    double sum = 0;
    for (int y = 0; y < a.spec().data_window.height; ++y)
      for (std::size_t i = 0; i < a.row_bytes(0); ++i)
        sum +=
            std::abs(std::to_integer<int>(a.row(0, y)[i]) - std::to_integer<int>(b.row(0, y)[i]));
    return sum / static_cast<double>(a.spec().pixel_bytes());
  }
  // Expects the thumbnail to equal the output reduced by cuimg.
  void expect_shown(const std::string& name) const {
    take_out(name, "thumbnail.jpg");
    const Image thumbnail = read_image(folder_ / "thumbnail.jpg");
    const Rect& window = thumbnail.spec().data_window;
    make({"resize", "--size", std::to_string(window.width) + "x" + std::to_string(window.height),
          "--filter", "box", "--type", "u8", "--metadata", "strip", name, "small.png"});
    const Image small = read_image(folder_ / "small.png");
    const Rect whole = read_image(folder_ / name).spec().data_window;
    EXPECT_LE(window.width, 160);
    EXPECT_LE(window.height, 120);
    EXPECT_NEAR(window.width * whole.height, window.height * whole.width,
                std::max(whole.width, whole.height));
    EXPECT_LT(difference(thumbnail, small), 3) << name;
  }
  void expect_no_warnings(const std::string& name) const {
    if (run({"exiftool", "-ver"}).exit != 0) return;
    const Outcome warned = run({"exiftool", "-validate", "-warning", "-a", "-error", name},
                               {.folder = folder_.path()});
    // The block made here lacks entries that a camera's must have; exiftool may warn of nothing
    // else.
    std::istringstream lines(warned.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_TRUE(line.starts_with("Validate") || line.find("Missing required") < line.size())
          << name << ": " << line;
  }
  const TempDir folder_;
};

TEST_F(Thumbnails, ShowTheOutputOfEveryStage) {
  for (const auto& [number, stage] :
       std::vector<std::pair<int, Words>>{{0, {"convert"}},
                                          {1, {"flop"}},
                                          {2, {"rotate90"}},
                                          {3, {"cut", "--region", "200x320+30+40"}},
                                          {4, {"resize", "--size", "311x0"}},
                                          {5, {"exposure", "--stops", "-1"}},
                                          {6, {"blur", "--sigma", "3", "+", "flip"}}})
    for (const std::string extension : {"jpg", "png"}) {
      const std::string name = std::to_string(number) + "." + extension;
      Words words = stage;
      words.insert(words.end(), {"in.jpg", name});
      make(words);
      expect_shown(name);
      expect_no_warnings(name);
    }
}

TEST_F(Thumbnails, GoThroughEveryFormatThatHasAPlaceForThem) {
  make({"flop", "in.jpg", "a.png"});
  make({"flip", "a.png", "b.exr"});
  expect_shown("b.exr");
  make({"rotate90", "b.exr", "c.jpg"});
  expect_shown("c.jpg");
  expect_no_warnings("c.jpg");
}

TEST_F(Thumbnails, TurnWithAFileThatIsNotDecoded) {
  for (const std::string stage : {"rotate90", "rotate180", "flip", "transpose"}) {
    const Outcome outcome = run({CUIMG_PROGRAM, stage, "--explain", "in.jpg", stage + ".jpg"},
                                {.folder = folder_.path()});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("without loss"), std::string::npos);
    expect_shown(stage + ".jpg");
  }
}

TEST_F(Thumbnails, AreLeftOutWhereMetadataIs) {
  for (const std::string extension : {"jpg", "png", "exr"}) {
    make({"flop", "--metadata", "strip", "in.jpg", "out." + extension});
    EXPECT_TRUE(exif_of("out." + extension).empty());
    make({"flop", "--metadata", "private", "in.jpg", "private." + extension});
    expect_shown("private." + extension);
  }
}

TEST_F(Thumbnails, ThatAFormatCannotHoldAreNamed) {
  const Outcome outcome =
      run({CUIMG_PROGRAM, "flop", "-v", "in.jpg", "out.tif"}, {.folder = folder_.path()});
  ASSERT_EQ(outcome.exit, 0);
  EXPECT_NE(outcome.err.find("TIFF cannot hold the thumbnail of exif"), std::string::npos)
      << outcome.err;
}

TEST_F(Thumbnails, AreTheSameBytesHoweverTheFileIsWritten) {
  for (const std::string extension : {"jpg", "png", "exr"}) {
    make({"blur", "--sigma", "2", "--threads", "1", "in.jpg", "one." + extension});
    make({"blur", "--sigma", "2", "--threads", "5", "in.jpg", "five." + extension});
    EXPECT_EQ(read_file(folder_ / ("one." + extension)),
              read_file(folder_ / ("five." + extension)));
    const Outcome piped =
        run({CUIMG_PROGRAM, "blur", "--sigma", "2", "--format", extension, "in.jpg", "-"},
            {.folder = folder_.path()});
    EXPECT_EQ(piped.out, read_file(folder_ / ("one." + extension)));
  }
}

class Previews : public ProgramFolder {
 protected:
  void SetUp() override {
    Spec spec = spec_of({0, 0, 300, 200}, PixelType::half, 3);
    spec.storage.preview_side = 100;
    write_image(folder_ / "in.exr",
                image_of(spec,
                         [](int, int x, int y, int c) {
                           return c == 0 ? x / 300.0 : c == 1 ? y / 200.0 : 0;
                         }),
                *codec_named("exr"));
  }
};

TEST_F(Previews, ShowTheOutput) {
  for (const Words& stage : std::vector<Words>{{"convert"},
                                               {"flop"},
                                               {"rotate90"},
                                               {"cut", "--region", "120x200+10+0"},
                                               {"resize", "--size", "50%"},
                                               {"exposure", "--stops", "-2"}}) {
    Words words = stage;
    words.insert(words.end(), {"in.exr", "out.exr"});
    ASSERT_EQ(cuimg(words).exit, 0);
    const Imf::InputFile file((folder_ / "out.exr").c_str());
    ASSERT_TRUE(file.header().hasPreviewImage()) << stage[0];
    const Imf::PreviewImage& preview = file.header().previewImage();
    EXPECT_EQ(std::max(preview.width(), preview.height()), 100u) << stage[0];
    const std::string size =
        std::to_string(preview.width()) + "x" + std::to_string(preview.height());
    ASSERT_EQ(cuimg({"resize", "--size", size, "--filter", "box", "out.exr", "small.png"}).exit, 0);
    const Image small = read_image(folder_ / "small.png");
    int largest = 0;
    for (unsigned i = 0; i < preview.width() * preview.height(); ++i) {
      const Imf::PreviewRgba& pixel = preview.pixels()[i];
      const unsigned char values[3] = {pixel.r, pixel.g, pixel.b};
      const std::byte* expected = small.row(0, static_cast<int>(i / preview.width())) +
                                  i % preview.width() * std::size_t{3};
      for (int c = 0; c < 3; ++c)
        largest = std::max(largest, std::abs(values[c] - std::to_integer<int>(expected[c])));
      EXPECT_EQ(pixel.a, 255);
    }
    EXPECT_LE(largest, 10) << stage[0];  // a row of the thumbnail is not a whole number of rows
  }
}

TEST_F(Previews, AreLeftOutWhereAskedAndNamedWhereTheyAreLost) {
  ASSERT_EQ(cuimg({"flop", "--metadata", "strip", "in.exr", "out.exr"}).exit, 0);
  EXPECT_FALSE(Imf::InputFile((folder_ / "out.exr").c_str()).header().hasPreviewImage());
  const Outcome outcome = cuimg({"flop", "-v", "in.exr", "out.png"});
  EXPECT_NE(outcome.err.find("PNG cannot hold the preview"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace cuimg::test
