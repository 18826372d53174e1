// SPDX-License-Identifier: Apache-2.0
// Attributes that other programs put into EXR headers are unchanged after every stage: each with
// its type, including types that OpenEXR does not know, and each channel with its name.
#include <OpenEXR/ImfBoxAttribute.h>
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfChromaticitiesAttribute.h>
#include <OpenEXR/ImfDeepImageStateAttribute.h>
#include <OpenEXR/ImfDoubleAttribute.h>
#include <OpenEXR/ImfFloatVectorAttribute.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfIntAttribute.h>
#include <OpenEXR/ImfKeyCodeAttribute.h>
#include <OpenEXR/ImfLineOrderAttribute.h>
#include <OpenEXR/ImfMatrixAttribute.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfRationalAttribute.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <OpenEXR/ImfTimeCodeAttribute.h>
#include <OpenEXR/ImfVecAttribute.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "base/bytes.h"
#include "io/exr/exr_blobs.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;
using Entries = std::map<std::string, std::pair<std::string, Blob>>;  // by name: type and bytes

const std::vector<Words> ways = {{"convert"},
                                 {"flop"},
                                 {"resize", "--size", "50%"},
                                 {"exposure", "--stops", "1"},
                                 {"blur", "--sigma", "1", "+", "rotate90"}};

class ExrAttributes : public testing::Test {
 protected:
  // Writes 12 rows of 16 half floats.
  void write(Imf::Header header, const std::vector<std::string>& channels) const {
    std::vector<std::vector<std::uint16_t>> values;
    Imf::FrameBuffer buffer;
    for (std::size_t c = 0; c < channels.size(); ++c) {
      header.channels().insert(channels[c], Imf::Channel(Imf::HALF));
      values.emplace_back(16 * 12, static_cast<std::uint16_t>(0x3000 + 0x100 * c));
    }
    for (std::size_t c = 0; c < channels.size(); ++c)
      buffer.insert(channels[c],
                    Imf::Slice(Imf::HALF, reinterpret_cast<char*>(values[c].data()), 2, 32));
    Imf::OutputFile file((folder_ / "in.exr").c_str(), header);
    file.setFrameBuffer(buffer);
    file.writePixels(12);
  }
  Entries made_by(Words words) const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    words.insert(words.end(), {"in.exr", "out.exr"});
    const Outcome outcome = run(words, {.folder = folder_.path()});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return entries_of("out.exr");
  }
  Entries entries_of(const std::string& name) const {
    const Imf::InputFile file((folder_ / name).c_str());
    Entries entries;
    for (auto a = file.header().begin(); a != file.header().end(); ++a) {
      const StoredEntry stored = exr_stored(a.attribute());
      entries[a.name()] = {stored.type, stored.bytes};
    }
    return entries;
  }
  std::vector<std::string> channels_of(const std::string& name) const {
    const Imf::InputFile file((folder_ / name).c_str());
    std::vector<std::string> names;
    for (auto c = file.header().channels().begin(); c != file.header().channels().end(); ++c)
      names.emplace_back(c.name());
    return names;
  }
  const TempDir folder_;
};

Imf::Header rich_header() {
  Imf::Header header(16, 12);
  header.insert("framesPerSecond", Imf::RationalAttribute(Imf::Rational(24000, 1001)));
  header.insert("shutter", Imf::RationalAttribute(Imf::Rational(-3, 7)));
  header.insert("half", Imf::DoubleAttribute(0.5));
  header.insert("offset", Imf::V2dAttribute({0.5, 2}));
  header.insert("aim", Imf::V3dAttribute({0.5, 2, 3}));
  header.insert("camera", Imf::M44dAttribute(Imath::M44d()));
  header.insert("area", Imf::Box2fAttribute(Imath::Box2f({0, 1}, {2.5, 3})));
  header.insert("two", Imf::FloatVectorAttribute({1.5f, 2.5f}));
  header.insert("out", Imf::TimeCodeAttribute(Imf::TimeCode(1, 2, 3, 4)));
  header.insert("film", Imf::KeyCodeAttribute(Imf::KeyCode(1, 2, 3, 4, 5, 6, 20)));
  header.insert("display", Imf::ChromaticitiesAttribute(Imf::Chromaticities()));
  header.insert("order", Imf::LineOrderAttribute(Imf::RANDOM_Y));
  header.insert("deepImageState", Imf::DeepImageStateAttribute(Imf::DIS_TIDY));
  header.insert("maxSamplesPerPixel", Imf::IntAttribute(3));
  header.insert("studio", *exr_attribute_of({"studioShot", bytes_of_text("ab\n1")}));
  header.insert("empty", *exr_attribute_of({"studioShot", {}}));
  return header;
}

TEST_F(ExrAttributes, KeepTypeAndBytes) {
  write(rich_header(), {"R", "G", "B"});
  const Entries before = entries_of("in.exr");
  for (const Words& way : ways) {
    const Entries after = made_by(way);
    for (const char* name :
         {"framesPerSecond", "shutter", "half", "offset", "aim", "camera", "area", "two", "out",
          "film", "display", "order", "studio", "empty", "deepImageState", "maxSamplesPerPixel"}) {
      ASSERT_TRUE(after.contains(name)) << way[0] << ' ' << name;
      EXPECT_EQ(after.at(name).first, before.at(name).first) << way[0] << ' ' << name;
      EXPECT_EQ(after.at(name).second, before.at(name).second) << way[0] << ' ' << name;
    }
  }
}

TEST_F(ExrAttributes, ThatAreSetHaveTheNewValue) {
  write(rich_header(), {"R", "G", "B"});
  const Entries after = made_by({"convert", "--set", "half=0.25", "--set", "shutter="});
  EXPECT_EQ(after.at("half").first, "float");
  EXPECT_FALSE(after.contains("shutter"));
  EXPECT_FALSE(made_by({"convert", "--metadata", "strip"}).contains("studio"));
  EXPECT_FALSE(made_by({"convert", "--metadata", "private"}).contains("studio"));
}

TEST_F(ExrAttributes, StandardOnesThatAreSetHaveTheirTypes) {
  write(Imf::Header(16, 12), {"R", "G", "B"});
  const std::string unit = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";
  const std::vector<std::array<std::string, 3>> sets = {{"isoSpeed", "400", "float"},
                                                        {"aperture", "1.8", "float"},
                                                        {"latitude", "-33.5", "float"},
                                                        {"framesPerSecond", "24", "rational"},
                                                        {"timeCode", "01:02:03:04", "timecode"},
                                                        {"keyCode", "1,2,3,4,5,6,20", "keycode"},
                                                        {"adoptedNeutral", "0.3127,0.329", "v2f"},
                                                        {"worldToNDC", unit, "m44f"},
                                                        {"multiView", "left", "stringvector"},
                                                        {"wrapmodes", "7", "string"},
                                                        {"screenWindowWidth", "2.5", "float"},
                                                        {"screenWindowCenter", "1,0.5", "v2f"},
                                                        {"pixelAspectRatio", "2", "float"}};
  Words words = {"convert"};
  for (const auto& [name, value, type] : sets)
    words.insert(words.end(), {"--set", name + "=" + value});
  const Entries made = made_by(words);
  for (const auto& [name, value, type] : sets) {
    ASSERT_TRUE(made.contains(name)) << name;
    EXPECT_EQ(made.at(name).first, type) << name;
  }
  const Imf::InputFile file((folder_ / "out.exr").c_str());
  EXPECT_EQ(file.header().pixelAspectRatio(), 2);
  EXPECT_EQ(file.header().screenWindowWidth(), 2.5f);
  const auto& code = file.header().typedAttribute<Imf::TimeCodeAttribute>("timeCode").value();
  EXPECT_EQ(code.hours(), 1);
  EXPECT_EQ(code.minutes(), 2);
  EXPECT_EQ(code.seconds(), 3);
  EXPECT_EQ(code.frame(), 4);
}

// 16909188 has the colour frame bit, and "16909124,7" has user bits.
TEST_F(ExrAttributes, InfoPrintsTimesAndRatesAsSetTakesThem) {
  write(Imf::Header(16, 12), {"R", "G", "B"});
  const auto shown = [&](const std::string& name, const std::string& value) {
    const Entries made = made_by({"convert", "--set", name + "=" + value});
    EXPECT_TRUE(made.contains(name));
    const std::string out = run({CUIMG_PROGRAM, "info", "out.exr"}, {.folder = folder_.path()}).out;
    const std::size_t at = out.find("  " + name + " "),
                      from = out.find_first_not_of(' ', at + name.size() + 2);
    return out.substr(from, out.find('\n', from) - from);
  };
  for (const char* rate : {"24/1", "24000/1001"}) EXPECT_EQ(shown("framesPerSecond", rate), rate);
  for (const char* time : {"01:02:03:04", "23:59:59;29", "00:00:00:00"})
    EXPECT_EQ(shown("timeCode", time), time);
  EXPECT_EQ(shown("timeCode", "16909188,0"), "16909188,0 (01:02:03:04)");
  EXPECT_EQ(shown("timeCode", "16909124,7"), "16909124,7 (01:02:03;04)");
}

TEST_F(ExrAttributes, ChannelsKeepTheirNames) {
  const Words names = {"B", "G", "R", "left.a", "left.b", "left.g", "left.r", "z"};
  for (const char* compression : {"zip", "piz", "none"}) {
    write(Imf::Header(16, 12), names);
    for (Words way : ways) {
      way.insert(way.end(), {"--compression", compression});
      made_by(way);
      EXPECT_EQ(channels_of("out.exr"), names) << way[0];
    }
    // Each part has its own values.
    made_by({"flop", "--compression", compression});
    const Image in = read_image(folder_ / "in.exr"), out = read_image(folder_ / "out.exr");
    EXPECT_EQ(in.spec().layers, out.spec().layers);
    EXPECT_TRUE(same_pixels(in, out)) << compression;
  }
  made_by({"channels", "--pick", "left.R,left.G,left.B"});
  EXPECT_EQ(channels_of("out.exr"), (Words{"left.b", "left.g", "left.r"}));
}

}  // namespace
}  // namespace cuimg::test
