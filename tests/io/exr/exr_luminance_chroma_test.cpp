// SPDX-License-Identifier: Apache-2.0
// Luminance-chroma EXR gives the values of OpenEXR's own reader, also in cases that this reader
// does not support: files of several parts, and tiles.
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfOutputPart.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfRgbaFile.h>
#include <OpenEXR/ImfRgbaYca.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <OpenEXR/ImfTiledOutputFile.h>

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <random>

#include "base/digest/sha256.h"
#include "io/codec.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

struct Picture {
  Imath::Box2i window;
  std::vector<Imf::Rgba> pixels;
  int width() const { return window.max.x - window.min.x + 1; }
  int height() const { return window.max.y - window.min.y + 1; }
  // OpenEXR expects the address of pixel (0, 0).
  Imf::Rgba* origin() {
    return pixels.data() - (std::ptrdiff_t{window.min.y} * width() + window.min.x);
  }
};

Picture picture(int x, int y, int width, int height) {
  Picture result{{{x, y}, {x + width - 1, y + height - 1}}, {}};
  std::mt19937 random(7);
  const auto value = [&] { return half(static_cast<float>(random() % 4096) / 1024); };
  for (int i = 0; i < width * height; ++i)
    result.pixels.push_back({value(), value(), value(), half(static_cast<float>(i % 5) / 4)});
  return result;
}

Picture read_by_library(const std::string& path) {
  Imf::RgbaInputFile file(path.c_str());
  Picture result{file.dataWindow(), {}};
  result.pixels.resize(static_cast<std::size_t>(result.width() * result.height()));
  file.setFrameBuffer(result.origin(), 1, static_cast<std::size_t>(result.width()));
  file.readPixels(result.window.min.y, result.window.max.y);
  return result;
}

void expect_same(const Image& image, const Picture& expected, std::size_t channels) {
  ASSERT_EQ(image.spec().layers.front().channels.size(), channels);
  ASSERT_EQ(image.spec().data_window.width, expected.width());
  std::size_t i = 0, different = 0;
  for (int y = expected.window.min.y; y <= expected.window.max.y; ++y)
    for (int x = 0; x < expected.width(); ++x, ++i) {
      const Imf::Rgba& p = expected.pixels[i];
      const std::array<std::uint16_t, 4> bits = {p.r.bits(), p.g.bits(), p.b.bits(), p.a.bits()};
      different += std::memcmp(image.row(0, y) + 2 * channels * static_cast<std::size_t>(x),
                               bits.data(), 2 * channels) != 0;
    }
  EXPECT_EQ(different, 0u);
}

class LuminanceChroma : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__aarch64__)
    GTEST_SKIP() << "Debian's library for this processor fuses operations, and rounds otherwise";
#endif
  }
  std::string write(Picture p, Imf::RgbaChannels channels, bool other_primaries = false) const {
    Imf::Header header(p.window, p.window);
    if (other_primaries)
      Imf::addChromaticities(header,
                             {{0.68f, 0.32f}, {0.265f, 0.69f}, {0.15f, 0.06f}, {0.3127f, 0.329f}});
    Imf::RgbaOutputFile file(path.c_str(), header, channels);
    file.setFrameBuffer(p.origin(), 1, static_cast<std::size_t>(p.width()));
    file.writePixels(p.height());
    return path;
  }
  const TempDir folder;
  const std::string path = folder / "yc.exr";
};

TEST_F(LuminanceChroma, IsWhatTheLibraryMakesOfIt) {
  for (const auto& [width, height] : {std::pair{2, 2}, {34, 40}, {2, 64}, {130, 6}, {64, 28}})
    for (const auto& [x, y] : {std::pair{0, 0}, {-6, 4}, {10, -20}}) {
      SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
      write(picture(x, y, width, height), Imf::WRITE_YCA, x != 0);
      expect_same(read_image(path), read_by_library(path), 4);
      write(picture(x, y, width, height), Imf::WRITE_YC);
      expect_same(read_image(path), read_by_library(path), 3);
    }
}

TEST_F(LuminanceChroma, OtherChannelsKeepTheirNamesAndTypes) {
  const Picture p = picture(0, 0, 8, 6);
  write(p, Imf::WRITE_YC);
  Imf::InputFile of_library(path.c_str());
  Imf::Header header = of_library.header();
  header.channels().insert("Z", Imf::Channel(Imf::FLOAT));
  header.channels().insert("R", Imf::Channel(Imf::FLOAT));
  const std::vector<float> floats(48, 2.5f);
  const std::vector<std::uint16_t> halves(48, 0x3c00);
  const std::string more = folder / "more.exr";
  {
    Imf::OutputFile file(more.c_str(), header);
    Imf::FrameBuffer buffer;
    for (const char* name : {"Z", "R"})
      buffer.insert(
          name, Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(const_cast<float*>(floats.data())),
                           4, 4 * 8));
    for (const char* name : {"Y", "RY", "BY"}) {
      const int sampling = std::string(name) == "Y" ? 1 : 2;
      buffer.insert(
          name,
          Imf::Slice(Imf::HALF, reinterpret_cast<char*>(const_cast<std::uint16_t*>(halves.data())),
                     2, 2 * 8, sampling, sampling));
    }
    file.setFrameBuffer(buffer);
    file.writePixels(6);
  }
  std::string warnings;
  DecodeOptions options;
  options.warn = [&](const std::string& text) { warnings += text; };
  const Image image = read_image(more, options);
  EXPECT_EQ(warnings, "");
  ASSERT_EQ(image.spec().layer_count(), 3);
  float depth = 0;
  std::memcpy(&depth, image.row(1, 2), sizeof depth);
  EXPECT_EQ(depth, 2.5f);
  write_image(folder / "back.exr", image, *codec_named("exr"));
  EXPECT_EQ(read_image(folder / "back.exr").spec().layers, image.spec().layers);
}

// The same channels in part 1 of a file whose part 0 is unrelated.
TEST_F(LuminanceChroma, IsTheSameInAFileOfSeveralParts) {
  const Picture p = picture(-4, 2, 38, 46);
  write(p, Imf::WRITE_YCA, true);
  Imf::InputFile single(path.c_str());
  std::array<Imf::Header, 2> headers = {single.header(), single.header()};
  headers[0].channels() = Imf::ChannelList();
  headers[0].channels().insert("Z", Imf::Channel(Imf::FLOAT));
  for (std::size_t i = 0; i < 2; ++i) {
    headers[i].setType(Imf::SCANLINEIMAGE);
    headers[i].setName(i == 0 ? "depth" : "colour");
  }
  std::vector<float> depth(38 * 46);
  Imf::FrameBuffer depths, values;
  depths.insert("Z", Imf::Slice::Make(Imf::FLOAT, depth.data(), p.window, 4, 4 * 38));
  std::map<std::string, std::vector<half>> planes;
  for (const char* name : {"Y", "RY", "BY", "A"}) {
    const int step = name[1] == 'Y' ? 2 : 1;
    const std::size_t columns = 38 / static_cast<std::size_t>(step);
    std::vector<half>& plane = planes[name];
    plane.resize(columns * 46 / static_cast<std::size_t>(step));
    values.insert(name,
                  Imf::Slice::Make(Imf::HALF, plane.data(), p.window, 2, 2 * columns, step, step));
  }
  single.setFrameBuffer(values);
  single.readPixels(p.window.min.y, p.window.max.y);
  const std::string both = folder / "both.exr";
  {
    Imf::MultiPartOutputFile file(both.c_str(), headers.data(), 2);
    Imf::OutputPart first(file, 0), second(file, 1);
    first.setFrameBuffer(depths);
    first.writePixels(46);
    second.setFrameBuffer(values);
    second.writePixels(46);
  }
  expect_same(read_image(both, {.part = 1}), read_by_library(path), 4);
}

// Tiles contain chroma for every pixel, so nothing is filtered.
TEST_F(LuminanceChroma, IsConvertedInTiles) {
  const Picture p = picture(3, -5, 37, 29);
  const Imath::V3f weights = Imf::RgbaYca::computeYw(Imf::Chromaticities());
  Picture yca = p, expected = p;
  Imf::RgbaYca::RGBAtoYCA(weights, 37 * 29, true, p.pixels.data(), yca.pixels.data());
  Imf::RgbaYca::YCAtoRGBA(weights, 37 * 29, yca.pixels.data(), expected.pixels.data());
  Imf::Header header(p.window, p.window);
  header.setTileDescription(Imf::TileDescription(16, 8));
  Imf::FrameBuffer buffer;
  const std::array<const char*, 4> names = {"RY", "Y", "BY", "A"};
  for (std::size_t i = 0; i < 4; ++i) {
    header.channels().insert(names[i], Imf::Channel(Imf::HALF));
    buffer.insert(names[i],
                  Imf::Slice::Make(Imf::HALF, reinterpret_cast<char*>(yca.pixels.data()) + 2 * i,
                                   p.window, 8, 8 * 37));
  }
  {
    Imf::TiledOutputFile file(path.c_str(), header);
    file.setFrameBuffer(buffer);
    file.writeTiles(0, file.numXTiles() - 1, 0, file.numYTiles() - 1);
  }
  expect_same(read_image(path), expected, 4);
}

// Recorded on x86-64. With this many pixels, a fused operation anywhere would change some of them.
TEST(LuminanceChromaBits, AreTheSameOnEveryProcessor) {
  constexpr int side = 320;
  const TempDir folder;
  const std::string path = folder / "yc.exr";
  Imf::Header header(side, side);
  Imf::addChromaticities(header,
                         {{0.68f, 0.32f}, {0.265f, 0.69f}, {0.15f, 0.06f}, {0.314f, 0.351f}});
  Imf::FrameBuffer buffer;
  std::map<std::string, std::vector<half>> planes;
  std::mt19937 random(11);
  for (const char* name : {"Y", "RY", "BY"}) {
    const int step = name[1] == 'Y' ? 2 : 1;
    const std::size_t columns = side / static_cast<std::size_t>(step);
    std::vector<half>& plane = planes[name];
    plane.resize(columns * columns);
    for (half& value : plane) value = static_cast<float>(random() % 2048) / 1024 - (step == 2);
    header.channels().insert(name, Imf::Channel(Imf::HALF, step, step));
    buffer.insert(name, Imf::Slice::Make(Imf::HALF, plane.data(), header.dataWindow(), 2,
                                         2 * columns, step, step));
  }
  {
    Imf::OutputFile file(path.c_str(), header);
    file.setFrameBuffer(buffer);
    file.writePixels(side);
  }
  const Image image = read_image(path);
  Sha256 sum;
  for (int y = 0; y < side; ++y) sum.update({image.row(0, y), std::size_t{side} * 3 * 2});
  EXPECT_EQ(sum.finish(), "6f7057fb810bd2ce95f36713106a843f303c1cc905c5ed7721f30b6faa6490b9");
}

}  // namespace
}  // namespace cuimg::test
