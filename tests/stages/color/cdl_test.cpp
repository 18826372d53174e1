// SPDX-License-Identifier: Apache-2.0
// ASC CDL compared with the standard's formula in double, and its files.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "stages/color/cdl_file.h"
#include "support/images.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> pixel(const std::string& words, const std::vector<float>& values) {
  const Spec spec = spec_of({0, 0, 2, 1}, PixelType::f32, static_cast<int>(values.size()));
  const Image made = run_chain(words, image_of(spec, [&](int, int, int, int c) {
                                 return values[static_cast<std::size_t>(c)];
                               }));
  std::vector<float> result;
  for (int c = 0; c < made.spec().layers[0].channel_count(); ++c)
    result.push_back(value_at(made, 1, 0, c));
  return result;
}

using Three = std::array<double, 3>;

// ASC CDL 1.2, section 3.
Three graded(const Three& in, const Three& slope, const Three& offset, const Three& power,
             double saturation) {
  Three out;
  for (std::size_t c = 0; c < 3; ++c)
    out[c] = std::pow(std::clamp(in[c] * slope[c] + offset[c], 0.0, 1.0), power[c]);
  const double luma = 0.2126 * out[0] + 0.7152 * out[1] + 0.0722 * out[2];
  for (double& v : out) v = std::clamp(luma + saturation * (v - luma), 0.0, 1.0);
  return out;
}

TEST(Cdl, IsTheStandardsFormula) {
  const Three slope = {1.2, 1, 0.8}, offset = {0.03, -0.02, 0.1}, power = {0.9, 1.3, 1};
  const std::string words =
      "cdl --slope 1.2,1,0.8 --offset 0.03,-0.02,0.1 --power 0.9,1.3,1 --saturation 1.4";
  for (const Three& in : {Three{0.2, 0.5, 0.7}, Three{0.9, 0.1, 0.05}, Three{-0.3, 0.01, 1.7},
                          Three{0, 1, 0.5}, Three{12, 0.3, -4}}) {
    const std::vector<float> made =
        pixel(words,
              {static_cast<float>(in[0]), static_cast<float>(in[1]), static_cast<float>(in[2]), 1});
    const Three expected = graded(in, slope, offset, power, 1.4);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(made[c], expected[c], 1e-6);
    EXPECT_EQ(made[3], 1);
  }
}

TEST(Cdl, CutsToTheRangeUnlessItIsNotTo) {
  EXPECT_EQ(pixel("cdl", {-1, 0.25f, 7}), (std::vector<float>{0, 0.25f, 1}));
  EXPECT_EQ(pixel("cdl --no-clamp", {-1, 0.25f, 7}), (std::vector<float>{-1, 0.25f, 7}));
  const std::vector<float> made = pixel("cdl --no-clamp --power 2 --slope 2", {-1, 0.25f, 7});
  EXPECT_NEAR(made[0], -4, 1e-6);
  EXPECT_NEAR(made[1], 0.25, 1e-7);
  EXPECT_NEAR(made[2], 196, 1e-4);
  // A saturation of 3 takes red above 1 and the others below 0.
  EXPECT_EQ(pixel("cdl --saturation 3", {0.9f, 0.1f, 0.1f}), (std::vector<float>{1, 0, 0}));
}

TEST(Cdl, MakesLimitsOfInfinityAndKeepsNan) {
  const std::vector<float> made = pixel("cdl --slope 0.5 --power 2", {inf, -inf, nan});
  EXPECT_EQ(made[0], 1);
  EXPECT_EQ(made[1], 0);
  EXPECT_TRUE(std::isnan(made[2]));
}

TEST(Cdl, OfGreyStaysGreyUnlessItsNumbersDiffer) {
  EXPECT_EQ(pixel("cdl --slope 0.5 --saturation 2", {0.5f}), (std::vector<float>{0.25f}));
  EXPECT_EQ(pixel("cdl --slope 0.5,1,1.5", {0.5f}), (std::vector<float>{0.25f, 0.5f, 0.75f}));
  EXPECT_EQ(pixel("cdl --slope 0.5,1,1.5 --no-clamp", {0.5f, 1}),
            (std::vector<float>{0.25f, 0.5f, 0.75f, 1}));
}

TEST(Cdl, DividesAlphaOutAndLeavesIt) {
  // Half-covered straight 0.4, which becomes 0.6.
  const Image source = image_of(spec_of({0, 0, 1, 1}, PixelType::f32, 4),
                                [](int, int, int, int c) { return c == 3 ? 0.5f : 0.2f; });
  const Image made = run_chain("cdl --offset 0.2", source, {.format = "exr"});
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(value_at(made, 0, 0, c), 0.3, 1e-7);
  EXPECT_EQ(value_at(made, 0, 0, 3), 0.5f);
}

TEST(Cdl, WorksOnTheValuesThatEncodeMakes) {
  // An offset of a stop in ACEScct: 1 / 17.52.
  const std::vector<float> made =
      pixel("encode --curve acescct + cdl --offset 0.05707762557 + decode --curve acescct",
            {0.18f, 0.36f, 1});
  EXPECT_NEAR(made[0], 0.36, 2e-6);
  EXPECT_NEAR(made[1], 0.72, 4e-6);
  EXPECT_NEAR(made[2], 2, 1e-5);
  // With a PNG it works on the sRGB codes.
  const Image source = flat(spec_of({0, 0, 2, 2}, PixelType::u8, 3), 100 / 255.0f);
  const Image png = run_chain("cdl --slope 1.5", source, {.format = "png"});
  EXPECT_EQ(std::to_integer<int>(png.row(0, 0)[0]), 150);
}

TEST(Cdl, RefusesWhatItCannotMean) {
  EXPECT_EQ(error_of([] {
              pixel("cdl --slope 1,2", {0, 0, 0});
            }),
            "cdl: --slope has 2 values: give one for all colours, or three");
  EXPECT_EQ(error_of([] {
              pixel("cdl --id x", {0, 0, 0});
            }),
            "cdl: --id needs --file: name the file with that correction");
  EXPECT_EQ(error_of([] {
              pixel("cdl --file x.cc --power 2", {0, 0, 0});
            }),
            "cdl: --file and options with numbers are given: use one of them");
  EXPECT_THROW(pixel("cdl --power 0", {0, 0, 0}), Error);
  EXPECT_THROW(pixel("cdl --slope -1", {0, 0, 0}), Error);
}

class CdlFile : public testing::Test {
 protected:
  std::string path(const std::string& text) const { return folder_.write("t.cdl", text); }
  // The error without the file's path.
  std::string error(const std::string& text, const std::string& id = "") const {
    const std::string file = path(text);
    std::string message = error_of([&] { read_grade(file, id); });
    if (const std::size_t at = message.find(file); at != std::string::npos)
      message.replace(at, file.size(), "t.cdl");
    return message;
  }
  TempDir folder_;
};

const std::string sop =
    "<SOPNode><Description>warm</Description><Slope>1.2 1.0 .8</Slope>\n"
    "<Offset> 0.03\n-0.02 +0.1 </Offset><Power>0.9 1.3e0 1</Power></SOPNode>";
const std::string sat = "<SatNode><Saturation>1.4</Saturation></SatNode>";

std::string correction(const std::string& id, const std::string& inside) {
  return "<ColorCorrection id=\"" + id + "\">" + inside + "</ColorCorrection>";
}

TEST_F(CdlFile, OfOneCorrectionIsTheSameAsItsNumbers) {
  const std::string file = path(
      "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<!-- by hand -->\r\n" +
      correction("sh010", "<Description>a &lt;b&gt; <![CDATA[<c>]]></Description>" + sop + sat));
  EXPECT_EQ(pixel("cdl --file " + file, {0.2f, 0.5f, 0.7f}),
            pixel("cdl --slope 1.2,1,0.8 --offset 0.03,-0.02,0.1 --power 0.9,1.3,1 "
                  "--saturation 1.4",
                  {0.2f, 0.5f, 0.7f}));
}

TEST_F(CdlFile, OfSeveralIsChosenFromById) {
  const std::string collection =
      "<ColorCorrectionCollection xmlns=\"urn:ASC:CDL:v1.2\"><InputDescription/>" +
      correction("a", sat) + correction("b &amp; c", sop) + "</ColorCorrectionCollection>";
  EXPECT_EQ(read_grade(path(collection), "a").saturation, 1.4f);
  EXPECT_EQ(read_grade(path(collection), "a").slope, (std::vector<float>{1}));
  EXPECT_EQ(read_grade(path(collection), "b & c").slope, (std::vector<float>{1.2f, 1, 0.8f}));
  EXPECT_EQ(error(collection),
            "cdl: --file t.cdl: it has 2 corrections: name one with --id: a, b & c");
  EXPECT_EQ(error(collection, "d"), "cdl: --file t.cdl: it has no correction --id d: use a, b & c");
  const std::string list =
      "<cdl:ColorDecisionList xmlns:cdl='urn:ASC:CDL:v1.01'>\n"
      "<cdl:ColorDecision><cdl:MediaRef ref='x'/>\n<cdl:ColorCorrection>"
      "<cdl:SATNode><cdl:Saturation>0</cdl:Saturation></cdl:SATNode>"
      "</cdl:ColorCorrection></cdl:ColorDecision></cdl:ColorDecisionList>\n";
  EXPECT_EQ(read_grade(path(list), "").saturation, 0);
}

TEST_F(CdlFile, EachMistakeIsNamed) {
  const std::string at_1 = "cdl: --file t.cdl: line 1: ";
  const auto in_sop = [](const std::string& text) {
    return correction("a", "<SOPNode>" + text + "</SOPNode>");
  };
  const std::string slope = "<Slope>1 1 1</Slope>", offset = "<Offset>0 0 0</Offset>",
                    power = "<Power>1 1 1</Power>", xml = ": give well-formed XML";
  const std::pair<std::string, std::string> cases[] = {
      {"0 0 0\n", at_1 + "it is not XML" + xml},
      {"<a>\n</b>", "cdl: --file t.cdl: line 2: </b> ends <a>" + xml},
      {"<a><b></b>", at_1 + "<a> has no end" + xml},
      {"<a b></a>", at_1 + "the attribute b has no value" + xml},
      {"<a b='1' b='2'/>", at_1 + "the attribute b is given twice" + xml},
      {"<a>&nbsp;</a>", at_1 + "'&nbsp;' is not known" + xml},
      {"<a/><b/>", at_1 + "there is more after </a>" + xml},
      {"<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
       at_1 + "it has a document type, which is not read: leave it out"},
      {"<!-- <a/>", at_1 + "a comment has no end" + xml},
      {"\x89PNG\r\n\x1a\n", "cdl: --file t.cdl: it is not UTF-8 text: give an XML file"},
      {"<LookUpTable/>",
       at_1 + "<LookUpTable> is no element of the ASC's files: give a .cc, .cdl or .ccc file"},
      {"<ColorDecisionList/>",
       "cdl: --file t.cdl: it has no ColorCorrection: give a .cc, .cdl or .ccc file"},
      {correction("a", ""), at_1 + "it has neither SOPNode nor SatNode"},
      {correction("a", "<Grain/>"), at_1 + "<Grain> is nothing that <ColorCorrection> has"},
      {correction("a", sat + sat), at_1 + "<SatNode> is there twice"},
      {in_sop(slope + offset), at_1 + "<SOPNode> lacks <Power>"},
      {in_sop(slope + slope), at_1 + "<Slope> is there twice"},
      {in_sop("<Slope>1 1</Slope>"), at_1 + "<Slope> has 2 numbers: give 3"},
      {in_sop("<Slope>1 1 nan</Slope>"), at_1 + "<Slope>: 'nan' is not a number"},
      {in_sop("<Slope>1 1 1,5</Slope>"), at_1 + "<Slope>: '1,5' is not a number"},
      {in_sop("<Slope>1 1 1e99</Slope>"), at_1 + "<Slope>: '1e99' is not a number"},
      {in_sop("<Slope>1 <b/> 1</Slope>"), at_1 + "<b> is nothing that <Slope> has"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(error(text), expected) << text;
  EXPECT_EQ(error("<ColorCorrectionCollection>" + correction("a", sat) + correction("a", sat) +
                      "</ColorCorrectionCollection>",
                  "a"),
            at_1 + "the id a is given twice");
  const auto refused = [&](const std::string& text) {
    const std::string file = path(text);
    const std::string message = error_of([&] { pixel("cdl --file " + file, {0, 0, 0}); });
    return message.substr(message.find("t.cdl"));
  };
  EXPECT_EQ(refused(in_sop("<Slope>-1 1 1</Slope>" + offset + power)),
            "t.cdl: the slope -1 is out of range: use 0 to 1000000");
  EXPECT_EQ(refused(in_sop(slope + offset + "<Power>0 1 1</Power>")),
            "t.cdl: the power 0 is out of range: use 0.01 to 100");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_EQ(error(deep), at_1 + "elements are nested more than 64 deep" + xml);
  EXPECT_NE(error_of([&] { read_grade(folder_ / "none.cc", ""); }).find("no such file"),
            std::string::npos);
}

}  // namespace
}  // namespace cuimg::test
