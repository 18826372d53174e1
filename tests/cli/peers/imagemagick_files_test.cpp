// SPDX-License-Identifier: Apache-2.0
// Files that ImageMagick writes, compared with its own reading of them, where it is installed: GIFs
// of many frames, TIFFs of many pages, PSDs, packed BMPs.
#include <gtest/gtest.h>

#include <cmath>

#include "io/codec.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

class ImageMagickFiles : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome version = run({"convert", "-version"});
    if (version.exit != 0 || version.out.find("ImageMagick") == std::string::npos)
      GTEST_SKIP() << "ImageMagick is not installed";
    write_image(folder_ / "in.png", noise(spec_of({0, 0, 67, 45}, PixelType::u16, 3)),
                *codec_named("png"));
  }
  void convert(Words words) const {
    words.insert(words.begin(), "convert");
    const Outcome outcome = run(words, {.folder = folder_.path()});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
  }
  // Compares a part of a file with the same frame or page as ImageMagick reads it, in the part's
  // codes.
  void expect_alike(const std::string& file, int part, const std::string& theirs,
                    double largest = 0) const {
    SCOPED_TRACE(file + " " + std::to_string(part));
    const Outcome outcome =
        run({CUIMG_PROGRAM, "convert", "--part", std::to_string(part), file, "-o", "own.png"},
            {.folder = folder_.path()});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    const Image own = read_image(folder_ / "own.png"), other = read_image(folder_ / theirs);
    const Rect& r = own.spec().data_window;
    ASSERT_EQ(r, other.spec().data_window);
    const double own_full = own.spec().layers[0].type == PixelType::u8 ? 255 : 65535;
    const double other_full = other.spec().layers[0].type == PixelType::u8 ? 255 : 65535;
    double farthest = 0;
    for (int y = 0; y < r.height; ++y)
      for (int x = 0; x < r.width; ++x)
        for (int c = 0; c < 4; ++c)
          farthest = std::max(farthest, std::abs(channel(own, x, y, c) -
                                                 channel(other, x, y, c) * own_full / other_full));
    EXPECT_LE(farthest, largest);
  }
  const TempDir folder_;

 private:
  static double stored(const Image& image, int x, int y, int c) {
    if (image.spec().layers[0].type == PixelType::u8) return value_at<std::uint8_t>(image, x, y, c);
    return value_at<std::uint16_t>(image, x, y, c);
  }
  // Returns red, green, blue or alpha from the channels that exist. Colours of transparent pixels
  // are 0.
  static double channel(const Image& image, int x, int y, int c) {
    const LayerSpec& layer = image.spec().layers[0];
    const int alpha = layer.alpha_index(), colors = layer.channel_count() - (alpha >= 0 ? 1 : 0);
    const double full = layer.type == PixelType::u8 ? 255 : 65535;
    const double covered = alpha < 0 ? full : stored(image, x, y, alpha);
    if (c == 3 || covered == 0) return covered;
    return stored(image, x, y, std::min(c, colors - 1));
  }
};

TEST_F(ImageMagickFiles, GifsOfFortyFramesAreComposedAlike) {
  constexpr const char* disposals[] = {"Undefined", "None", "Background", "Previous"};
  for (const int variant : {0, 1, 2}) {
    const bool mixed = variant > 0;
    const std::string opaque_first = variant == 2 ? "xc:wheat" : "xc:none";
    Words frames;
    for (int i = 0; i < 40; ++i) {
      const std::string at = "47x39+" + std::to_string(i % 30) + "+" + std::to_string(i * 7 % 25);
      const std::string size = std::to_string(11 + i % 13) + "x" + std::to_string(9 + i % 11);
      frames.insert(frames.end(),
                    {"(", "-size", size, i == 0 ? opaque_first : "xc:none", "-fill",
                     "hsl(" + std::to_string(9 * i) + ",80%,50%)", "-draw", "circle 5,4 1,1",
                     "-repage", at, "-set", "dispose", disposals[mixed ? i % 4 : i / 10], "-set",
                     "delay", std::to_string(i % 7), ")"});
    }
    Words all = frames;
    all.insert(all.end(), {"-loop", "3", "a.gif"});
    convert(all);
    // If asked for an alpha that the picture lacks, ImageMagick shows what is below the background.
    convert({"a.gif", "-coalesce", variant == 2 ? "frame%d.png" : "PNG32:frame%d.png"});
    for (int i = 0; i < 40; ++i) expect_alike("a.gif", i, "frame" + std::to_string(i) + ".png");
  }
}

TEST_F(ImageMagickFiles, TiffsOfFivePagesAreReadAlike) {
  convert({"in.png", "-depth", "8", "-compress", "lzw", "0.tif"});
  convert({"in.png", "-resize", "50%", "-colorspace", "Gray", "-depth", "16", "-compress", "zip",
           "1.tif"});
  convert({"in.png", "-crop", "31x29+5+5", "+repage", "-alpha", "set", "-channel", "A", "-fx",
           "i/w", "-depth", "8", "-compress", "none", "2.tif"});
  convert({"in.png", "-monochrome", "-compress", "Group4", "3.tif"});
  convert(
      {"in.png", "-colors", "17", "-type", "palette", "-depth", "8", "-compress", "rle", "4.tif"});
  convert({"0.tif", "1.tif", "2.tif", "3.tif", "4.tif", "five.tif"});
  const Outcome flop =
      run({CUIMG_PROGRAM, "flop", "five.tif", "flop.tif"}, {.folder = folder_.path()});
  EXPECT_EQ(flop.exit, 0) << flop.err;
  for (int page = 0; page < 5; ++page) {
    const std::string number = "[" + std::to_string(page) + "]";
    convert({"five.tif" + number, "page.png"});
    expect_alike("five.tif", page, "page.png");
    convert({"five.tif" + number, "-flop", "page.png"});
    expect_alike("flop.tif", page, "page.png");
  }
}

TEST_F(ImageMagickFiles, PsdsAreReadAlike) {
  for (const char* bits : {"8", "16"})
    for (const char* packed : {"None", "RLE"})
      for (const bool grey : {false, true})
        for (const bool alpha : {false, true}) {
          if (grey && alpha) continue;  // ImageMagick 6 does not read back the alpha that it wrote
          SCOPED_TRACE(std::string(bits) + packed + (grey ? " grey" : " RGB") + (alpha ? "A" : ""));
          Words words = {"in.png"};
          if (grey) words.insert(words.end(), {"-colorspace", "Gray"});
          // ImageMagick stores colours as they are, and removes white from them when it reads.
          // Numbers below 0 then wrap around. Colours blended with white avoid that.
          if (alpha)
            words.insert(words.end(),
                         {"-alpha", "set", "-channel", "A", "-fx", "i/w", "-channel", "RGBA",
                          "-background", "white", "(", "+clone", "-alpha", "remove", ")", "+swap",
                          "-compose", "CopyOpacity", "-composite"});
          words.insert(words.end(), {"-depth", bits, "-compress", packed, "a.psd"});
          convert(words);
          convert({"a.psd[0]", alpha ? "PNG64:a.png" : "PNG:a.png"});
          // Once white is removed from a colour, ImageMagick keeps more bits than the file has.
          expect_alike("a.psd", 0, "a.png", alpha ? 1 : 0);
        }
}

TEST_F(ImageMagickFiles, PackedBmpsAreReadAlike) {
  for (const char* colors : {"200", "13", "2"}) {
    convert({"in.png", "-colors", colors, "-type", "palette", "-compress", "RLE", "BMP3:a.bmp"});
    convert({"a.bmp", "a.png"});
    expect_alike("a.bmp", 0, "a.png");
  }
}

}  // namespace
}  // namespace cuimg::test
